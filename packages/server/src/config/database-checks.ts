import { type Kysely, sql } from 'kysely';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { isDatabaseError, isMissingTable } from '../database/errors.ts';
import { undistributedTables } from '../database/schema/distribute.ts';
import { schemaLevel } from '../database/schema/schema-level.ts';
import { secretBox } from '../database/secret-box.ts';
import { formats } from '../database/sessions.ts';
import { callFunction } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { tables } from '../features.ts';
import { countUnreadable } from '../webhooks/endpoints/renew-secrets.ts';
import { type Finding, failed, messageOf, passed } from './finding.ts';

type Settings = Pick<Config, 'DATABASE_URL' | 'DATABASE_PREPARED' | 'DATABASE_TIMEOUT_MS'>;

/** Checks everything about the database. When it cannot be reached, there is one finding. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const serverFindings = async (db: Database): Promise<Finding[]> => [
    ...(await Promise.all([
      checkServer(db),
      checkSchema(db),
      checkPoolSize(db, config),
      checkClock(db),
      ...(config.SIGNING_KEYS.length > 0 ? [checkWebhookSecrets(db, config)] : []), // not if they are missing or invalid
    ])),
    ...(await checkDistribution(db)),
  ];
  try {
    return await withService(config, async (db) => [...(await serverFindings(db)), await checkSessions(db, config)]);
  } catch (error) {
    if (!losesPrepared(error)) return [unusable(error)];
    return [...(await withService({ ...config, DATABASE_PREPARED: false }, serverFindings)), preparedLost];
  }
}

/** Checks what would stop every request: the connection, the server, the schema, and prepared statements of a pooler. */
export async function checkDatabaseForStart(config: Settings): Promise<Finding[]> {
  try {
    return await withService(config, async (db) => [
      await checkServer(db),
      await checkSchema(db),
      ...(config.DATABASE_PREPARED && (await db.isPooled()) ? [await checkSessions(db, config)] : []),
    ]);
  } catch (error) {
    return [losesPrepared(error) ? preparedLost : unusable(error)];
  }
}

async function withService<Result>(config: Settings, work: (db: Database) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL: url, DATABASE_PREPARED: prepared, DATABASE_TIMEOUT_MS: timeout } = config;
  const db = openDatabase({ url, poolSize: 2, prepared, timeout });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Checks that SIGNING_KEYS has the keys that have encrypted the secrets of webhook endpoints. */
async function checkWebhookSecrets(db: Database, { SIGNING_KEYS }: Pick<Config, 'SIGNING_KEYS'>): Promise<Finding> {
  const name = 'SIGNING_KEYS';
  const unreadable = await countUnreadable(db, secretBox(SIGNING_KEYS)).catch((error) => {
    if (isMissingTable(error)) return 0; // the finding of the schema names the missing migration
    throw error;
  });
  if (unreadable === 0) return passed(name, 'decrypts all webhook secrets');
  const fix = 'Add the key that was removed, or let the owner of each endpoint call rotateWebhookSecret.';
  return failed(name, `does not decrypt the webhook secrets of ${unreadable} endpoints`, fix);
}

const preparedLost: Finding = failed(
  'DATABASE_PREPARED',
  'is true, but the connection pooler loses prepared statements',
  'Set DATABASE_PREPARED=false, or use PgBouncer 1.21 or later with max_prepared_statements = 200.',
);

/** Whether a session lacks a prepared statement, or has one of another connection. */
const losesPrepared = (error: unknown): boolean =>
  isDatabaseError(error) && ['26000', '42P05'].includes(error.code ?? '');

const unusable = (error: unknown): Finding =>
  failed(
    'DATABASE_URL',
    `is a database that cannot be used (${messageOf(error)})`,
    'Start PostgreSQL, or correct host, port, name, user and password.',
  );

const [firstVersion, lastVersion] = [15, 18];
/** Milliseconds by which two clocks may differ. */
const maxClockDifference = 5_000;

/** Checks the version, the encoding and that the server accepts writes. */
async function checkServer(db: Kysely<Tables>): Promise<Finding> {
  // Without parameters: an old connection pooler refuses prepared statements, and another check says so.
  const { rows } = await sql<{ version: string; encoding: string; read_only: boolean }>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only')::boolean as read_only`.execute(db);
  const [{ version, encoding, read_only } = { version: '', encoding: '', read_only: false }] = rows;
  const name = 'DATABASE_URL';
  const major = Number.parseInt(version, 10);
  if (!(major >= firstVersion && major <= lastVersion)) {
    return failed(name, `is PostgreSQL ${version}`, `Use PostgreSQL ${firstVersion} to ${lastVersion}.`);
  }
  if (encoding !== 'UTF8') {
    return failed(name, `has the encoding ${encoding}`, 'Create the database with `encoding UTF8 template template0`.');
  }
  if (read_only) return failed(name, 'is read-only, such as a replica', 'Name the primary server.');
  return passed(name, `is PostgreSQL ${version}`);
}

/** Checks that the database has the migrations of this release. It may have those of a later one. */
async function checkSchema(db: Kysely<Tables>): Promise<Finding> {
  const name = 'DATABASE_URL';
  const { pending, later } = await schemaLevel(db);
  if (pending.length > 0) return failed(name, `lacks migrations (${pending.join(', ')})`, 'Run `waybill migrate`.');
  if (later.length === 0) return passed(name, 'has the schema of this release');
  return passed(name, `has the schema of a later release (${later.join(', ')}), on which this one runs`);
}

/** Checks that Citus, if the database has it, stores all tables where they belong. Missing migrations come first. */
async function checkDistribution(db: Database): Promise<Finding[]> {
  const name = 'DATABASE_URL';
  if (!(await db.isCitus()) || (await schemaLevel(db)).pending.length > 0) return [];
  const missing = await undistributedTables(db, tables);
  if (missing.length === 0) return [passed(name, 'is distributed by Citus')];
  return [failed(name, `has Citus, but ${missing.join(', ')} are not distributed`, 'Run `waybill distribute`.')];
}

/** Connections outside the pool: one watches it, one listens for notifications of events. */
const otherConnections = 2;

/** Checks that PostgreSQL permits the connections of an instance. */
async function checkPoolSize(db: Database, { DATABASE_POOL_SIZE: size }: Config): Promise<Finding> {
  const name = 'DATABASE_POOL_SIZE';
  if (await db.isPooled()) return passed(name, `is ${size}, with a connection pooler`);
  const { rows } = await sql<{ permitted: number }>`
    select least(
      (select sum(setting::integer * case name when 'max_connections' then 1 else -1 end) from pg_settings
       where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    )::integer as permitted`.execute(db);
  const permitted = rows[0]?.permitted ?? 0;
  const instances = Math.floor(permitted / (size + otherConnections));
  if (instances > 0)
    return passed(name, `is ${size}: PostgreSQL permits ${permitted} connections, for ${instances} instances`);
  const fix = `Set it to ${Math.max(1, permitted - otherConnections)} or less, or raise max_connections of PostgreSQL or the limit of the role.`;
  return failed(name, `is ${size}, but PostgreSQL permits ${permitted} connections`, fix);
}

/** Compares the clocks of this machine and of PostgreSQL. The service stores times of both. */
export async function checkClock(db: Kysely<Tables>): Promise<Finding> {
  const sent = Date.now();
  const there = (await callFunction<Date>(db, 'clock_timestamp')).getTime();
  const received = Date.now();
  // PostgreSQL read its clock between the two times.
  const difference = Math.max(sent - there, there - received, 0);
  const message = `differs by ${(difference / 1000).toFixed(1)} s between this machine and the database`;
  if (difference <= maxClockDifference) return passed('clock', message);
  return failed('clock', message, 'Synchronize both with NTP.');
}

/**
 * Checks that prepared statements and the settings of the service work in every session. Behind a pooler in transaction mode, a
 * connection changes its session when another one has taken it.
 * @param db connected with the options of the service, and at least two connections
 */
async function checkSessions(db: Database, { DATABASE_PREPARED, DATABASE_TIMEOUT_MS }: Settings): Promise<Finding> {
  const name = 'DATABASE_PREPARED';
  const wanted = await db.sessionSettings();
  const sessions = await db.connection().execute(async (one) => {
    const first = await readSettings(one, Object.keys(wanted));
    const other = await db.transaction().execute(async (trx) => {
      const taken = await readSettings(trx, Object.keys(wanted));
      return [taken, await readSettings(one, Object.keys(wanted))];
    });
    return [first, ...other].flat();
  });
  const lost = sessions.filter(({ name, setting }) => setting !== wanted[name]?.replace(/ms$/, ''));
  if (lost.length > 0) {
    const found = new Set(lost.map(({ name, setting }) => `${name} is ${setting}`));
    const fix = 'Set them for the role with `alter role … set …`, and let a pooler reconnect (RECONNECT in PgBouncer).';
    return failed(name, `is ${DATABASE_PREPARED}, and settings are not in force: ${[...found].join(', ')}`, fix);
  }
  const fixed = Object.entries(formats).map(([name, value]) => `${name} ${value}`);
  const replaced = sessions.filter(
    ({ name, reset_val }) => name in formats && reset_val.replace('Etc/', '') !== wanted[name],
  );
  const others = new Set(replaced.map(({ name, reset_val }) => `${name} ${reset_val}`));
  const note = others.size > 0 ? `, in place of ${[...others].join(', ')} of the role or the database` : '';
  return passed(
    name,
    `is ${DATABASE_PREPARED}, and each session has the timeouts for ${DATABASE_TIMEOUT_MS} ms and ${fixed.join(', ')}${note}`,
  );
}

/** Settings as PostgreSQL has them; durations in milliseconds. The statement has a parameter, and is therefore prepared. */
const readSettings = (db: Kysely<Tables>, names: string[]) =>
  db
    .withTables<{ pg_settings: { name: string; setting: string; reset_val: string } }>()
    .selectFrom('pg_settings')
    .select(['name', 'setting', 'reset_val'])
    .where((eb) => eb('name', '=', eb.fn.any(eb.val(names))))
    .execute();

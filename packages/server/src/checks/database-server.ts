import { type Kysely, sql } from 'kysely';
import type { Config } from '../config.ts';
import { callFunction } from '../database/call-function.ts';
import type { Database } from '../database/database.ts';
import { isPooled } from '../database/pooler.ts';
import { schemaLevel } from '../database/schema-level.ts';
import type { Tables } from '../database/tables.ts';
import { type Finding, failed, passed } from './finding.ts';

const [firstVersion, lastVersion] = [15, 18];
/** Milliseconds by which two clocks may differ. */
const maxClockDifference = 5_000;

/** Checks the version, the encoding and that the server accepts writes. */
export async function checkServer(db: Kysely<Tables>): Promise<Finding> {
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
export async function checkSchema(db: Kysely<Tables>): Promise<Finding> {
  const name = 'DATABASE_URL';
  const { pending, later } = await schemaLevel(db);
  if (pending.length > 0) return failed(name, `lacks the migrations ${pending.join(', ')}`, 'Run `waybill migrate`.');
  if (later.length === 0) return passed(name, 'has the schema of this release');
  return passed(name, `has the schema of a later release (${later.join(', ')}), on which this one runs`);
}

/** Connections outside the pool: one watches it, one listens for notifications of events. */
const otherConnections = 2;

/** Checks that PostgreSQL permits the connections of an instance. */
export async function checkPoolSize(db: Database, { DATABASE_POOL_SIZE: size }: Config): Promise<Finding> {
  const name = 'DATABASE_POOL_SIZE';
  if (await isPooled(db)) return passed(name, `is ${size}, with a connection pooler`);
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

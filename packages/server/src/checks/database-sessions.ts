import { type Kysely, sql } from 'kysely';
import type { Config } from '../config.ts';
import { type Database, sessionLimits } from '../database/database.ts';
import { isDatabaseError } from '../database/errors.ts';
import type { Tables } from '../database/tables.ts';
import { type Finding, failed, passed } from './finding.ts';

const name = 'DATABASE_PREPARED';
const newPgBouncer =
  'PgBouncer 1.21 or later with max_prepared_statements = 200 and ignore_startup_parameters = plan_cache_mode,enable_seqscan,enable_hashjoin,enable_mergejoin,jit,lock_timeout,statement_timeout,idle_in_transaction_session_timeout';
export const poolerFix: string = `Set DATABASE_PREPARED=false, or use ${newPgBouncer}.`;

/** Whether a pooler has refused the session settings that a connection starts with. */
export const isStartupRefused = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter/.test(error.message);

/**
 * Checks that prepared statements and session settings work in every session. Behind a pooler in transaction mode, a
 * connection changes its session when another one has taken it.
 * @param db connected with the options of the service, and at least two connections
 */
export async function checkSessions(db: Database, config: Config): Promise<Finding> {
  const limits = sessionLimits(config.DATABASE_TIMEOUT_MS);
  const wanted: Record<string, string | number> = {
    ...limits,
    ...(config.DATABASE_PREPARED && (await db.planSettings())),
  };
  const names = Object.keys(wanted);
  try {
    const sessions = await db.connection().execute(async (one) => {
      const first = await readSettings(one, names);
      const other = await db.transaction().execute(async (trx) => {
        const taken = await readSettings(trx, names);
        return [taken, await readSettings(one, names)];
      });
      return [first, ...other];
    });
    const lost = names.filter((setting) => sessions.some((found) => !isInForce(found[setting], wanted[setting])));
    if (lost.length === 0) return passed(name, describeSessions(config));
    const found = lost.map(
      (setting) => `${setting} is ${sessions.find((each) => !isInForce(each[setting], wanted[setting]))?.[setting]}`,
    );
    return failed(
      name,
      `is ${config.DATABASE_PREPARED}, and settings are not in force: ${found.join(', ')}`,
      await roleFix(db, lost, wanted),
    );
  } catch (error) {
    if (!isDatabaseError(error) || !['26000', '42P05'].includes(error.code ?? '')) throw error;
    return failed(name, 'is true, but the connection pooler loses prepared statements', poolerFix);
  }
}

const describeSessions = ({ DATABASE_PREPARED, DATABASE_TIMEOUT_MS }: Config): string =>
  `is ${DATABASE_PREPARED}, and the timeouts for ${DATABASE_TIMEOUT_MS} ms are in force in PostgreSQL`;

/** Settings by name; durations in milliseconds. The statement has a parameter, and is therefore prepared. */
async function readSettings(db: Kysely<Tables>, names: string[]): Promise<Record<string, string>> {
  const rows = await db
    .withTables<{ pg_settings: { name: string; setting: string } }>()
    .selectFrom('pg_settings')
    .select(['name', 'setting'])
    .where((is) => is('name', '=', is.fn.any(is.val(names))))
    .execute();
  return Object.fromEntries(rows.map((row) => [row.name, row.setting]));
}

/** A shorter limit than that of the service is in force, too; 0 is none. */
const isInForce = (found: string | undefined, wanted: string | number | undefined): boolean =>
  typeof wanted === 'number' ? Number(found) > 0 && Number(found) <= wanted : found === wanted;

async function roleFix(db: Database, settings: string[], wanted: Record<string, string | number>): Promise<string> {
  const { rows } = await sql<{ role: string; database: string }>`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database`.execute(db);
  const { role, database } = rows[0] ?? { role: 'waybill', database: 'waybill' };
  const statements = settings.map(
    (setting) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${setting} = ${quoted(wanted[setting])};`,
  );
  return `Run ${statements.join(' ')} Then let a pooler reconnect (RECONNECT in PgBouncer).`;
}

const quoted = (value: string | number | undefined): string =>
  typeof value === 'number' ? `'${value}ms'` : String(value);

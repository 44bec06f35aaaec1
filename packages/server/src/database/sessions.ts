import pg from 'pg';
import { processIdOf } from './watch.ts';

/** With others, which the role or the database may have, PostgreSQL returns texts that the service does not read, or loses digits. */
export const formats = {
  bytea_output: 'hex',
  DateStyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  IntervalStyle: 'postgres',
  quote_all_identifiers: 'off',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
};

/**
 * Every statement has one generic plan per connection, made perhaps while its tables were empty. It must look rows up in
 * indexes, or it would read whole tables when they have grown.
 */
export const indexedPlans = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};
/** Citus cannot plan most statements without the values of their parameters. */
const citusPlans = { plan_cache_mode: 'auto' };

/**
 * Milliseconds after which PostgreSQL ends what takes too long. They are shorter than the timeout of the caller. The lock
 * limit is the shortest: its error is more specific.
 */
const sessionLimits = (timeout: number): Record<string, string> => ({
  lock_timeout: `${Math.ceil(timeout * 0.75)}ms`,
  statement_timeout: `${Math.ceil(timeout * 0.875)}ms`,
  idle_in_transaction_session_timeout: `${Math.ceil(timeout * 1.25)}ms`,
});

interface Found {
  isCitus: boolean;
  isPooled: boolean;
  /** As the role and the database have it. */
  searchPath: string;
}

/**
 * The sessions of a pool, and their settings. None is a startup parameter: poolers refuse most of them. A session of
 * PostgreSQL itself gets them once. A pooler gives each transaction a session that others have used and may have changed, as
 * `pg_dump` does with `search_path`: there, each transaction sets them again until it ends.
 */
export class Sessions {
  readonly #prepared: boolean;
  readonly #timeout: number | undefined;
  #found: Found | undefined;
  /** Precedes the statements of each transaction, if it must. */
  beforeTransaction: string | undefined;

  /**
   * @param prepared whether statements are prepared
   * @param timeout milliseconds that a caller waits for a statement; undefined for any
   */
  constructor(prepared: boolean, timeout: number | undefined) {
    this.#prepared = prepared;
    this.#timeout = timeout;
  }

  /** All are found with the first connection, and false until then. */
  get isDetected(): boolean {
    return this.#found !== undefined;
  }
  get isCitus(): boolean {
    return this.#found?.isCitus === true;
  }
  get isPooled(): boolean {
    return this.#found?.isPooled === true;
  }
  /** Whether statements that are sent together are a transaction without `begin` and `commit`. Citus coordinates explicit ones only. */
  get hasImplicitTransactions(): boolean {
    return this.#found?.isCitus === false;
  }

  /** By name, as `set` takes them. */
  settings(): Record<string, string> {
    return {
      ...formats,
      ...(this.#prepared && { ...indexedPlans, ...(this.isCitus && citusPlans) }),
      ...(this.#timeout !== undefined && sessionLimits(this.#timeout)),
      ...(this.#found?.isPooled && { search_path: this.#found.searchPath }),
    };
  }

  /** Prepares a connection before its first use. */
  async prepare(client: pg.PoolClient): Promise<void> {
    this.#found ??= await detect(client);
    if (this.isPooled) this.beforeTransaction ??= setAll(this.settings(), true);
    else await client.query(setAll(this.settings(), false));
  }
}

const setAll = (settings: Record<string, string>, isLocal: boolean): string =>
  `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, ${isLocal})`)
    .join(', ')}`;

async function detect(client: pg.PoolClient): Promise<Found> {
  const { rows } = await client.query(`
    select to_regclass('pg_dist_partition') is not null as "isCitus", pg_backend_pid() as pid,
      (select reset_val from pg_settings where name = 'search_path') as "searchPath"`);
  const [{ pid, ...found }] = rows;
  return { ...found, isPooled: pid !== processIdOf(client) }; // a pooler makes up the ids that it gives to its clients
}

import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

/** What a pool knows of its database. */
export interface CitusDetection {
  /** Undefined until the first connection. */
  isCitus: boolean | undefined;
}

/** By dialect adapter, which a database shares with its transactions. */
const detections = new WeakMap<object, CitusDetection>();

/** Tells `isCitus` what the pool of a database detects. */
export function registerDetection(db: Kysely<Tables>, detection: CitusDetection): void {
  detections.set(db.getExecutor().adapter, detection);
}

/**
 * Prepares a new session, and detects with the first one whether the database has the extension Citus. Citus cannot plan
 * most statements without the values of their parameters, so that generic plans are not for it.
 */
export async function prepareSession(client: pg.PoolClient, detection: CitusDetection): Promise<void> {
  if (detection.isCitus === undefined) {
    const { rows } = await client.query("select to_regclass('pg_dist_partition') is not null as found");
    detection.isCitus = rows[0].found;
  }
  if (detection.isCitus) await client.query('set plan_cache_mode to auto');
}

/**
 * Whether the database has the extension Citus, so that statements must name one account each, and a statement must not
 * change several tables (decision 0022). It is detected once: restart the service after the extension was created.
 */
export async function isCitus(db: Kysely<Tables>): Promise<boolean> {
  const detection = detections.get(db.getExecutor().adapter);
  if (!detection) return false;
  if (detection.isCitus === undefined) await db.connection().execute(async () => {});
  return detection.isCitus === true;
}

import type { Kysely } from 'kysely';
import { callFunction } from './call-function.ts';
import { schemaLevel } from './schema-level.ts';
import type { Tables } from './tables.ts';

/** `status` is `ok`, or the reason why the service cannot work. */
export interface Readiness {
  status: string;
  /** Migrations that the database lacks. */
  pending?: string[];
}

/**
 * Makes the check whether the database can take writes: it is reachable, not read-only, and has all migrations. A replica
 * is not ready, although it responds, because most requests write. The check rejects when the database is unreachable.
 */
export function readinessCheck(db: Kysely<Tables>): () => Promise<Readiness> {
  let isMigrated = false;
  return async () => {
    const readOnly = await callFunction<string>(db, 'current_setting', 'transaction_read_only');
    if (readOnly === 'on') return { status: 'the database is read-only' };
    const pending = isMigrated ? [] : (await schemaLevel(db)).pending;
    isMigrated = pending.length === 0;
    return isMigrated ? { status: 'ok' } : { status: 'migrations are missing', pending };
  };
}

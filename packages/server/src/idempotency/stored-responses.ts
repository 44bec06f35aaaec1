import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { KeyedRequest } from './idempotency.ts';

/** How long an outcome is kept, in hours. */
export const keptHours = 24;

/** A handler's answer before its URLs are signed, or the code, detail and members of its problem. */
export interface Outcome {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/**
 * Keeps an outcome, unless the key has one that is not expired. It waits for a transaction that is about to give it
 * one. @returns whether it was kept
 */
export async function insertOutcome(
  db: Kysely<Tables>,
  { accountId, key, fingerprint }: KeyedRequest,
  { status, headers = {}, body }: Outcome,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as old (account_id, key, fingerprint, status, headers, body, created_at)
    values (${accountId}, ${key}, ${fingerprint}, ${status}, ${JSON.stringify(headers)}, ${JSON.stringify(body)}, now())
    on conflict (account_id, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
          body = excluded.body, created_at = excluded.created_at
      where old.created_at <= now() - make_interval(hours => ${keptHours})
    returning 1`.execute(db);
  return rows.length > 0;
}

/** The outcome that a key has; undefined when it has none, or none any more. */
export function selectOutcome(
  db: Kysely<Tables>,
  { accountId, key }: KeyedRequest,
): Promise<(Required<Outcome> & { fingerprint: Buffer }) | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${keptHours})`)
    .executeTakeFirst();
}

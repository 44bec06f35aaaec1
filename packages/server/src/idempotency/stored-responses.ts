import type { OperationResponse } from '@waybill/http/operations';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isCitus } from '../database/citus.ts';
import { isCanceled, isLockTimeout } from '../database/errors.ts';
import type { Tables } from '../database/tables.ts';

/** How long a response is stored, in hours. A signing key must be accepted for longer: see the guide on security. */
export const retentionHours = 24;

/** What a request with a key is recognized by. */
export interface KeyedRequest {
  accountId: string;
  key: string;
  /** Equal for equal requests. */
  fingerprint: Buffer;
}

/** A handler's response before its URLs are signed, or the code, detail and members of its problem. */
export interface StoredResponse extends OperationResponse {
  fingerprint: Buffer;
}

/** `key_used`: the key has a stored response. `locked`: another transaction has not committed its own in time. */
export type StoreResult = 'stored' | 'key_used' | 'locked';

/** Stores a response, unless the key has one that is not expired. Waits for a transaction that is storing one. */
export async function storeResponse(
  db: Kysely<Tables>,
  { accountId, key, fingerprint }: KeyedRequest,
  { status, headers = {}, body }: OperationResponse,
): Promise<StoreResult> {
  try {
    const { rows } = await sql`
      insert into idempotency_keys as old (account_id, key, fingerprint, status, headers, body, created_at)
      values (${accountId}, ${key}, ${fingerprint}, ${status}, ${JSON.stringify(headers)}, ${JSON.stringify(body)}, now())
      on conflict (account_id, key) do update
        set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
            body = excluded.body, created_at = excluded.created_at
        -- The difference is immutable; Citus accepts nothing else here.
        where excluded.created_at - old.created_at >= make_interval(hours => ${retentionHours})
      returning 1`.execute(db);
    return rows.length > 0 ? 'stored' : 'key_used';
  } catch (error) {
    // A lock of a Citus worker ends with the limit of statements, because the worker does not know that of locks.
    if (isLockTimeout(error) || (isCanceled(error) && (await isCitus(db)))) return 'locked';
    throw error;
  }
}

/**
 * The columns of a response to store. JSON is text. Without a key it is not stored, but its body is needed: a group makes
 * the data of its events from it (shipments/insert-group.ts).
 */
export interface NewStoredResponse {
  key: string | null;
  fingerprint: Buffer | null;
  response_status: number;
  response_headers: string;
  response_body: string;
}
export const storedResponseColumns = {
  key: 'text',
  fingerprint: 'bytea',
  response_status: 'integer',
  response_headers: 'jsonb',
  response_body: 'jsonb',
};

/** A response as a row for statements that store the responses of several requests. */
export const newStoredResponse = (
  request: KeyedRequest | undefined,
  { status, headers = {}, body }: OperationResponse,
): NewStoredResponse => ({
  key: request?.key ?? null,
  fingerprint: request?.fingerprint ?? null,
  response_status: status,
  response_headers: JSON.stringify(headers),
  response_body: JSON.stringify(body),
});

/** An expression: when the stored response of a row's key was stored; null without one. */
export const storedAt = (row: string): RawBuilder<unknown> => {
  // A sub-select, not a join: a plan made while the table was empty must not read the whole table when it has grown.
  const key = sql.ref(`${row}.key`);
  const account_id = sql.ref(`${row}.account_id`);
  return sql`(select created_at from idempotency_keys k where k.account_id = ${account_id} and k.key = ${key})`;
};

/** A condition: a response that was stored at this time is not expired. */
export const isUnexpired = (column: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} > now() - make_interval(hours => ${sql.lit(retentionHours)})`;

/**
 * Inserts the responses of the rows that have a key. All instances insert in one order, so that they do not wait for each
 * other in a circle.
 */
export const insertResponses = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into idempotency_keys (account_id, key, fingerprint, status, headers, body, created_at)
  select account_id, key, fingerprint, response_status, response_headers, response_body, now()
  from ${rows} where key is not null order by account_id, key`;

/** The stored response of a key; undefined when there is none or it is expired. */
export function findStoredResponse(
  db: Kysely<Tables>,
  { accountId, key }: KeyedRequest,
): Promise<StoredResponse | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${retentionHours})`)
    .executeTakeFirst();
}

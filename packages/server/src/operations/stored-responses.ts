import type { OperationResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import { type InsertQueryBuilder, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { ago, interval, now } from '../database/expressions.ts';
import type { Tables } from '../database/tables.ts';
import { keyReused, storedProblem } from './idempotency.ts';

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
interface StoredResponse extends OperationResponse {
  fingerprint: Buffer;
}

/** What has taken a key: a response that is stored, or a transaction that is storing one and has not committed it in time. */
export type TakenBy = 'response' | 'transaction';

/**
 * What a key has from the count of an attempt at a secret until the response of its request is stored. An equal request goes on
 * with the attempt. No other response of this status is stored.
 */
const reservation = storedProblem(new Problem('unavailable'));
const isReservation = ({ status }: OperationResponse): boolean => status === reservation.status;

/**
 * Reserves a key for a request before a secret is compared.
 * @returns `repeated` when an equal request has reserved it, which has no response yet
 */
export async function reserveKey(
  db: Kysely<Tables>,
  request: KeyedRequest,
  database: Pick<Database, 'mayBeLockTimeout'>,
): Promise<'reserved' | 'repeated' | TakenBy> {
  const result = await insertResponse(db, request, reservation, false, database);
  if (result !== 'response') return result === 'stored' ? 'reserved' : result;
  const found = await findResponse(db, request);
  return found && isReservation(found) && found.fingerprint.equals(request.fingerprint) ? 'repeated' : 'response';
}

/**
 * Stores a response, unless the key has one that is not expired or is reserved for another request. Waits for a transaction that is storing one, at most
 * 0.75 × DATABASE_TIMEOUT_MS (`sessionLimits` in database/database.ts).
 */
export const storeResponse = (
  db: Kysely<Tables>,
  request: KeyedRequest,
  response: OperationResponse,
  database: Pick<Database, 'mayBeLockTimeout'>,
): Promise<'stored' | TakenBy> => insertResponse(db, request, response, true, database);

/** @param mayEndReservation whether the response takes the place of a reservation for its request */
async function insertResponse(
  db: Kysely<Tables>,
  { accountId, key, fingerprint }: KeyedRequest,
  { status, headers = {}, body }: OperationResponse,
  mayEndReservation: boolean,
  database: Pick<Database, 'mayBeLockTimeout'>,
): Promise<'stored' | TakenBy> {
  const values = {
    account_id: accountId,
    key,
    fingerprint,
    status,
    headers: JSON.stringify(headers),
    body: JSON.stringify(body),
    created_at: now,
  };
  try {
    const rows = await db
      .insertInto('idempotency_keys')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'key'])
          .doUpdateSet((eb) => ({
            fingerprint: eb.ref('excluded.fingerprint'),
            status: eb.ref('excluded.status'),
            headers: eb.ref('excluded.headers'),
            body: eb.ref('excluded.body'),
            created_at: eb.ref('excluded.created_at'),
          }))
          // The difference is immutable; Citus accepts nothing else here.
          .where((eb) => {
            const age = eb('excluded.created_at', '-', eb.ref('idempotency_keys.created_at'));
            const isExpired = eb(age, '>=', interval(`${retentionHours} hours`));
            if (!mayEndReservation) return isExpired;
            const isReserved = eb('idempotency_keys.status', '=', sql.lit(reservation.status));
            return isExpired.or(isReserved.and('idempotency_keys.fingerprint', '=', eb.ref('excluded.fingerprint')));
          }),
      )
      .returning('key')
      .execute();
    return rows.length > 0 ? 'stored' : 'response';
  } catch (error) {
    if (database.mayBeLockTimeout(error)) return 'transaction';
    throw error;
  }
}

/**
 * The columns of a response to store. JSON is text. Without a key it is not stored, but its body is needed: a group makes
 * the data of its events from it (shipments/create-group.ts).
 */
export interface ResponseColumns {
  key: string | null;
  fingerprint: Buffer | null;
  response_status: number;
  response_headers: string;
  response_body: string;
}
export const responseColumnTypes = {
  key: 'text',
  fingerprint: 'bytea',
  response_status: 'integer',
  response_headers: 'jsonb',
  response_body: 'jsonb',
};

/** A response as a row for statements that store the responses of several requests. */
export const responseColumns = (
  request: KeyedRequest | undefined,
  { status, headers = {}, body }: OperationResponse,
): ResponseColumns => ({
  key: request?.key ?? null,
  fingerprint: request?.fingerprint ?? null,
  response_status: status,
  response_headers: JSON.stringify(headers),
  response_body: JSON.stringify(body),
});

/** An expression: when the stored response of a row's key was stored; null without one. @param table has the keys */
export const selectStoredAt = (
  db: Kysely<Tables>,
  table: string,
): SelectQueryBuilder<Tables, never, { created_at: Date }> =>
  // A sub-select, not a join: a plan made while the table was empty must not read the whole table when it has grown.
  db
    .selectFrom('idempotency_keys as k')
    .select('k.created_at')
    .where('k.account_id', '=', sql.ref<string>(`${table}.account_id`))
    .where('k.key', '=', sql.ref<string>(`${table}.key`));

/** Stored responses that are older have expired. */
export const expiredBefore: RawBuilder<Date> = ago(`${retentionHours} hours`);

/**
 * Inserts the responses of the rows that have a key. All instances insert in one order, so that there is no deadlock.
 */
export const insertResponses = (
  db: Kysely<Tables>,
  table: string,
): InsertQueryBuilder<Tables, 'idempotency_keys', { account_id: string }> =>
  db
    .insertInto('idempotency_keys')
    .columns(['account_id', 'key', 'fingerprint', 'status', 'headers', 'body', 'created_at'])
    .expression(
      db
        .selectFrom(sql.table<ResponseColumns & { account_id: string }>(table).as('r'))
        .select(['account_id', 'key', 'fingerprint', 'response_status', 'response_headers', 'response_body'])
        .select((eb) => eb.fn<Date>('now').as('created_at'))
        .where('key', 'is not', null)
        .orderBy('account_id')
        .orderBy('key'),
    )
    .returning('account_id');

/**
 * The stored response of a request; undefined when there is none or it is expired.
 * @throws {Problem} idempotency_key_reused when the key was used for another request
 */
export async function findStoredResponse(
  db: Kysely<Tables>,
  request: KeyedRequest,
): Promise<OperationResponse | undefined> {
  const found = await findResponse(db, request);
  if (found && !found.fingerprint.equals(request.fingerprint)) throw keyReused();
  return found && isReservation(found) ? undefined : found;
}

function findResponse(db: Kysely<Tables>, { accountId, key }: KeyedRequest): Promise<StoredResponse | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .where('created_at', '>', expiredBefore)
    .executeTakeFirst();
}

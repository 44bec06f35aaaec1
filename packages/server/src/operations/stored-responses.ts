import type { OperationResponse } from '@waybill/http/operations';
import { Problem } from '@waybill/http/problems';
import type { Expression, ExpressionBuilder, Kysely, RawBuilder, SqlBool, Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { executeWithNextStatement, type Sendable } from '../database/driver.ts';
import { Conflict, isDuplicate } from '../database/errors.ts';
import { ago, now } from '../database/statements/expressions.ts';
import { inLockOrder, rowInsertion } from '../database/statements/row-statement.ts';
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
interface StoredResponse extends OperationResponse {
  fingerprint: Buffer;
}

/** Another request has used the key of a write, or is about to. */
export class KeyTaken extends Conflict {
  /** A response that is stored, or a transaction that is storing one and has not committed it in time. */
  readonly by: 'response' | 'transaction';
  constructor(by: KeyTaken['by']) {
    super();
    this.by = by;
  }
}

/** The form in which a problem is stored. */
export const storedProblem = ({ status, code, message, members }: Problem): OperationResponse => ({
  status,
  body: { code, detail: message, members },
});

/**
 * Returns a stored response, marked as a replay.
 * @throws {Problem} when a problem is stored
 */
export function replayOrThrow({ status, headers, body }: OperationResponse): OperationResponse {
  if (status < 400) return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body };
  const { code, detail, members } = body as Pick<Problem, 'code' | 'members'> & { detail: string };
  throw new Problem(code, detail, members, { 'Idempotent-Replayed': 'true' });
}

/**
 * What a key has from the count of an attempt at a secret until the response of its request is stored. An equal request goes on
 * with the attempt. No other response of this status is stored.
 */
const reservation = storedProblem(new Problem('unavailable'));
const isReservation = ({ status }: OperationResponse): boolean => status === reservation.status;

/**
 * A response with what its request is recognized by, as a row of its table. JSON is text. Without a key it is not stored, but
 * its body is needed: a creation makes the data of its event from it.
 */
export interface ResponseRow {
  account_id: string;
  key: string | null;
  fingerprint: Buffer | null;
  status: number;
  headers: string;
  body: string;
}
export const responseColumnTypes: Record<keyof ResponseRow, string> = {
  account_id: 'uuid',
  key: 'text',
  fingerprint: 'bytea',
  status: 'integer',
  headers: 'jsonb',
  body: 'jsonb',
};

export const responseColumns = Object.keys(responseColumnTypes) as (keyof ResponseRow)[];

export const responseRow = (
  accountId: string,
  request: KeyedRequest | undefined,
  { status, headers = {}, body }: OperationResponse,
): ResponseRow => ({
  account_id: accountId,
  key: request?.key ?? null,
  fingerprint: request?.fingerprint ?? null,
  status,
  headers: JSON.stringify(headers),
  body: JSON.stringify(body),
});

const insertResponses = rowInsertion<ResponseRow>('idempotency_keys', responseColumnTypes, { created_at: now });

/**
 * Stores the response of a transaction with one write. An expired one is replaced, and so is the reservation of the request.
 * Waits for a transaction that stores a response with the key, at most 0.75 × DATABASE_TIMEOUT_MS (`sessionLimits` in
 * database/database.ts). The statements are sent together with the next one or the commit, which throws `KeyTaken`.
 */
export async function storeResponse(trx: Transaction<Tables>, row: ResponseRow, database: Database): Promise<void> {
  if (row.key === null) return;
  const replaced = deletion(trx, row, (eb) => {
    const isReserved = eb('status', '=', reservation.status).and('fingerprint', '=', row.fingerprint);
    return eb.or([isExpired(eb), isReserved]);
  });
  await executeWithNextStatement(trx, replaced);
  await executeWithNextStatement(trx, insertResponses([row]), (error) => keyTaken(error, database));
}

/** Stores the responses of a group of writes. It is refused with `KeyTaken` when a key has a response, also an expired one. */
export async function storeResponses(
  trx: Transaction<Tables>,
  responses: ResponseRow[],
  database: Database,
  isCitus: boolean,
): Promise<void> {
  const keyed = responses.filter(({ key }) => key !== null);
  if (keyed.length === 0) return;
  const rows = inLockOrder(keyed, ({ account_id, key }) => `${account_id} ${key}`);
  await executeWithNextStatement(trx, insertResponses(rows, isCitus), (error) => keyTaken(error, database));
}

/** What a failed insertion of responses means. @returns {KeyTaken}, or the error */
const keyTaken = (error: unknown, database: Database): unknown => {
  if (isDuplicate(error, 'idempotency_keys')) return new KeyTaken('response');
  return database.mayBeLockTimeout(error) ? new KeyTaken('transaction') : error;
};

/**
 * Reserves a key for a request before a secret is compared.
 * @returns `repeated` when an equal request has reserved it, which has no response yet
 * @throws {KeyTaken}
 */
export async function reserveKey(
  trx: Transaction<Tables>,
  request: KeyedRequest,
  database: Database,
): Promise<'reserved' | 'repeated'> {
  const row = responseRow(request.accountId, request, reservation);
  await executeWithNextStatement(trx, deletion(trx, row, isExpired));
  const inserted = await trx
    .insertInto('idempotency_keys')
    .values({ ...row, key: request.key, fingerprint: request.fingerprint, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returning('key')
    .execute()
    .catch((error) => Promise.reject(keyTaken(error, database)));
  if (inserted.length > 0) return 'reserved';
  const found = await findResponse(trx, request);
  if (!found || !isReservation(found) || !found.fingerprint.equals(request.fingerprint)) throw new KeyTaken('response');
  return 'repeated';
}

type KeyCondition = (eb: ExpressionBuilder<Tables, 'idempotency_keys'>) => Expression<SqlBool>;
const isExpired: KeyCondition = (eb) => eb('created_at', '<=', expiredBefore);

/** Deletes the response with a key if a condition holds. */
const deletion = (trx: Transaction<Tables>, { account_id, key }: ResponseRow, condition: KeyCondition): Sendable =>
  trx.deleteFrom('idempotency_keys').where('account_id', '=', account_id).where('key', '=', key).where(condition);

/** Stored responses that are older have expired. */
const expiredBefore: RawBuilder<Date> = ago(`${retentionHours} hours`);

/**
 * The stored response of a request; undefined when there is none or it is expired.
 * @throws {Problem} idempotency_key_reused when the key was used for another request
 */
export async function findStoredResponse(
  db: Kysely<Tables>,
  request: KeyedRequest,
): Promise<OperationResponse | undefined> {
  const found = await findResponse(db, request);
  if (found && !found.fingerprint.equals(request.fingerprint)) {
    throw new Problem('idempotency_key_reused', 'This key was used for another request.');
  }
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

import { Problem } from '@waybill/http/problems';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { selectLast } from '../event-feed/queries.ts';
import type { EncryptedSecret } from '../webhook-signing/secrets.ts';
import type { EndpointRow } from './endpoint.ts';

type Endpoint = Selectable<Tables['webhook_endpoints']>;

/** Endpoints of an account. The contract states it. */
export const maxEndpoints = 16;
/** Attempts to get a slot that a concurrent request does not take. */
const maxAttempts = maxEndpoints + 1;

/** The columns that responses show. */
export const visibleColumns = ['id', 'url', 'description', 'types', 'status', 'disabled_reason', 'updated_at'] as const;

export const noEndpoint = (): Problem => new Problem('not_found', 'There is no such webhook endpoint.');

export type NewEndpoint = Pick<Endpoint, 'id' | 'url' | 'description' | 'types' | 'updated_at'> & {
  secret: EncryptedSecret;
};

/**
 * Inserts an endpoint whose first event is the next one of the account.
 * @returns undefined when the account has the maximum number
 */
export async function insertEndpoint(
  db: Kysely<Tables>,
  accountId: string,
  endpoint: NewEndpoint,
): Promise<EndpointRow | undefined> {
  const { id, url, description, types, updated_at, secret } = endpoint;
  const position = String((await selectLast(db, accountId))?.position ?? 0);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const slot = await freeSlot(db, accountId);
    if (slot === undefined) return undefined;
    const inserted = await db
      .insertInto('webhook_endpoints')
      .values({
        ...{ account_id: accountId, id, slot, url, description, types, updated_at, secret, position },
        status: 'enabled',
      })
      // A concurrent request has taken the slot: the next search sees it.
      .onConflict((conflict) => conflict.columns(['account_id', 'slot']).doNothing())
      .returning(visibleColumns)
      .executeTakeFirst();
    if (inserted) return inserted;
  }
  return undefined;
}

async function freeSlot(db: Kysely<Tables>, accountId: string): Promise<number | undefined> {
  const rows = await db.selectFrom('webhook_endpoints').select('slot').where('account_id', '=', accountId).execute();
  const taken = new Set(rows.map(({ slot }) => slot));
  return Array.from({ length: maxEndpoints }, (_, slot) => slot).find((slot) => !taken.has(slot));
}

/** All endpoints of an account, oldest first. */
export const selectEndpoints = (db: Kysely<Tables>, accountId: string): Promise<EndpointRow[]> =>
  db.selectFrom('webhook_endpoints').select(visibleColumns).where('account_id', '=', accountId).orderBy('id').execute();

/** @throws {Problem} not_found */
export async function getEndpointOrThrow(db: Kysely<Tables>, accountId: string, id: string): Promise<EndpointRow> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select(visibleColumns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw noEndpoint();
  return row;
}

/** Changes columns of an endpoint. @throws {Problem} not_found */
export async function updateEndpointRow(
  db: Kysely<Tables>,
  accountId: string,
  id: string,
  columns: Updateable<Tables['webhook_endpoints']>,
): Promise<EndpointRow> {
  const row = await db
    .updateTable('webhook_endpoints')
    .set(columns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(visibleColumns)
    .executeTakeFirst();
  if (!row) throw noEndpoint();
  return row;
}

/**
 * Replaces the secret. The previous one signs until it expires.
 * @throws {Problem} not_found
 */
export const replaceSecret = (
  db: Kysely<Tables>,
  accountId: string,
  id: string,
  secret: EncryptedSecret,
  { now, previousExpiresAt }: { now: Date; previousExpiresAt: Date },
): Promise<EndpointRow> =>
  updateEndpointRow(db, accountId, id, {
    secret,
    previous_secret: sql<EncryptedSecret>`secret`,
    previous_secret_expires_at: previousExpiresAt,
    updated_at: now,
  } as unknown as Updateable<Tables['webhook_endpoints']>);

/** Lets the instance that sends the events of an endpoint look for deliveries that are due. */
export async function wakeEndpoint(db: Kysely<Tables>, accountId: string, id: string): Promise<void> {
  await sql`update webhook_endpoints set woken_at = clock_timestamp()
    where account_id = ${accountId} and id = ${id}`.execute(db);
}

/** Deletes an endpoint with its deliveries. @throws {Problem} not_found */
export async function deleteEndpoint(db: Kysely<Tables>, accountId: string, id: string): Promise<void> {
  const deleted = await db
    .deleteFrom('webhook_endpoints')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!deleted) throw noEndpoint();
}

/**
 * Requests that the events of a time range are queued again. An unfinished range is extended.
 * @returns the range, or undefined when there is no such endpoint
 */
export async function requestReplay(
  db: Kysely<Tables>,
  accountId: string,
  id: string,
  from: Date,
  to: Date,
): Promise<{ replay_from: Date; replay_to: Date } | undefined> {
  const { rows } = await sql<{ replay_from: Date; replay_to: Date }>`
    update webhook_endpoints
    set replay_from = least(replay_from, ${from}), replay_to = greatest(replay_to, ${to}), replay_position = 0,
      woken_at = clock_timestamp()
    where account_id = ${accountId} and id = ${id}
    returning replay_from, replay_to`.execute(db);
  return rows[0];
}

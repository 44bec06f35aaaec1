import { maxEndpoints } from '@waybill/contract/limits';
import type { components } from '@waybill/contract/types';
import { notFound, Problem } from '@waybill/http/problems';
import { etagOf, requireMatch } from '@waybill/http/responses';
import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  type Updateable,
  type UpdateObject,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import { publicId, timeOfUuid } from '../../database/identifiers.ts';
import { now } from '../../database/statements/expressions.ts';
import type { EarlierSecret, EncryptedSecret, Replay, Tables } from '../../database/tables.ts';
import { isoText } from '../../database/times.ts';
import { selectLast } from '../../event-feed/queries.ts';
import { addToList, type EndpointRef, markChanged, removeFromList } from './endpoint-list.ts';

type Endpoint = Selectable<Tables['webhook_endpoints']>;

/** The columns that responses show. */
export const visibleColumns = ['id', 'url', 'description', 'types', 'status', 'disabled_reason', 'updated_at'] as const;
export type EndpointRow = Pick<Endpoint, (typeof visibleColumns)[number]>;

/** Returns an endpoint as callers and events see it. */
export const endpointFrom = (row: EndpointRow): components['schemas']['WebhookEndpoint'] => ({
  id: publicId('whe', row.id),
  url: row.url,
  description: row.description,
  types: row.types,
  status: row.status,
  ...(row.disabled_reason !== null && { disabled_reason: row.disabled_reason }),
  created_at: isoText(timeOfUuid(row.id)),
  updated_at: isoText(row.updated_at),
});

/** The ETag of an endpoint. */
export const endpointTag = (row: EndpointRow): string => etagOf(JSON.stringify(endpointFrom(row)));

/** The account has no such endpoint. */
export const noEndpoint = ({ endpointId }: EndpointRef): Problem =>
  notFound('webhook endpoint', publicId('whe', endpointId));

type NewEndpoint = Pick<Endpoint, 'id' | 'url' | 'description' | 'types' | 'updated_at' | 'secret'>;

/**
 * Inserts an endpoint whose first event is the next one of the account.
 * @returns undefined when the account has the maximum number
 */
export async function insertEndpoint(
  db: Kysely<Tables>,
  accountId: string,
  endpoint: NewEndpoint,
): Promise<EndpointRow | undefined> {
  const last = await selectLast(db, accountId);
  const event_number = last?.number ?? 0;
  for (let search = 0; search <= maxEndpoints; search++) {
    const slot = await freeSlot(db, accountId);
    if (slot === undefined) return undefined;
    const inserted = await db
      .insertInto('webhook_endpoints')
      .values({ ...endpoint, account_id: accountId, slot, event_number, status: 'enabled' })
      // A concurrent request has taken the slot: the next search sees it.
      .onConflict((conflict) => conflict.columns(['account_id', 'slot']).doNothing())
      .returning(visibleColumns)
      .executeTakeFirst();
    if (!inserted) continue;
    await addToList(db, { accountId, endpointId: endpoint.id });
    return inserted;
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
export async function getEndpointOrThrow(db: Kysely<Tables>, endpoint: EndpointRef): Promise<EndpointRow> {
  const row = await endpointQuery(db, endpoint).select(visibleColumns).executeTakeFirst();
  if (!row) throw noEndpoint(endpoint);
  return row;
}

const endpointQuery = (
  db: Kysely<Tables>,
  { accountId, endpointId }: EndpointRef,
): SelectQueryBuilder<Tables, 'webhook_endpoints', object> =>
  db.selectFrom('webhook_endpoints').where('account_id', '=', accountId).where('id', '=', endpointId);

/** Selects an endpoint and locks it until the end of the transaction. */
export const lockedEndpoint: typeof endpointQuery = (db, endpoint) => endpointQuery(db, endpoint).forNoKeyUpdate();

/** Updates an endpoint: `set` says which columns. */
export const endpointUpdateQuery = (
  db: Kysely<Tables>,
  { accountId, endpointId }: EndpointRef,
): UpdateQueryBuilder<Tables, 'webhook_endpoints', 'webhook_endpoints', UpdateResult> =>
  db.updateTable('webhook_endpoints').where('account_id', '=', accountId).where('id', '=', endpointId);

/**
 * Locks an endpoint for a change, if the change has an `If-Match`.
 * @throws {Problem} not_found, precondition_failed
 */
export async function requireMatchingTag(
  db: Kysely<Tables>,
  endpoint: EndpointRef,
  ifMatch: string | undefined,
): Promise<void> {
  if (ifMatch === undefined) return;
  const row = await lockedEndpoint(db, endpoint).select(visibleColumns).executeTakeFirst();
  if (!row) throw noEndpoint(endpoint);
  requireMatch(ifMatch, endpointTag(row));
}

type Changes = Pick<
  Updateable<Tables['webhook_endpoints']>,
  'url' | 'description' | 'types' | 'status' | 'disabled_reason'
>;

/**
 * Changes an endpoint. Events after the commit are sent as it says. The reason to disable it is by default a request.
 * @throws {Problem} not_found
 */
export async function updateEndpoint(
  db: Kysely<Tables>,
  endpoint: EndpointRef,
  changes: Changes,
  now: Date,
): Promise<EndpointRow> {
  const { status, url, disabled_reason = 'requested' } = changes;
  const row = await updateEndpointRow(db, endpoint, {
    ...changes,
    ...(url !== undefined && { failing_since: unlessChanged(url) }),
    ...(status === 'enabled' && { disabled_reason: null, failing_since: null }),
    ...(status === 'disabled' && { disabled_reason }),
    updated_at: now,
  });
  if (status === 'disabled') await removeFromList(db, endpoint);
  if (status === 'enabled') await addToList(db, endpoint);
  return row;
}

/** Since when the endpoint fails; null when its URL changes. */
const unlessChanged = (url: string): Expression<Date | null> => {
  const eb = expressionBuilder<Tables, 'webhook_endpoints'>();
  return eb.case().when('url', '=', url).then(eb.ref('failing_since')).end();
};

/** @throws {Problem} not_found */
async function updateEndpointRow(
  db: Kysely<Tables>,
  endpoint: EndpointRef,
  columns: UpdateObject<Tables, 'webhook_endpoints'>,
): Promise<EndpointRow> {
  const row = await endpointUpdateQuery(db, endpoint).set(columns).returning(visibleColumns).executeTakeFirst();
  if (!row) throw noEndpoint(endpoint);
  return row;
}

/** Secrets of an endpoint that sign at a time. The contract states it. */
const maxSecrets = 5;
/** Milliseconds. */
const hour = 3_600_000;

/** The columns with the secrets before the current one. */
export const earlierSecretColumns = ['previous_secret', 'previous_secret_expires_at', 'earlier_secrets'] as const;

/** The secrets before the current one that still sign, newest first. @param at by the clock of PostgreSQL */
export function earlierSecrets(row: Pick<Endpoint, (typeof earlierSecretColumns)[number]>, at: Date): EarlierSecret[] {
  const { previous_secret: secret, previous_secret_expires_at: expiresAt, earlier_secrets } = row;
  const previous = secret && expiresAt ? [{ secret, expires_at: expiresAt.toISOString() }] : [];
  return [...previous, ...(earlier_secrets ?? [])].filter(({ expires_at }) => new Date(expires_at) > at);
}

/** The columns of an endpoint with these secrets before the current one, newest first. */
export const withEarlierSecrets = ([previous, ...others]: EarlierSecret[]): UpdateObject<
  Tables,
  'webhook_endpoints'
> => ({
  previous_secret: previous?.secret ?? null,
  previous_secret_expires_at: previous ? new Date(previous.expires_at) : null,
  earlier_secrets: others.length > 0 ? JSON.stringify(others) : null,
});

/**
 * Replaces the secret. The previous one signs for some hours, and those before it until they expire; with 0 hours none of them.
 * @throws {Problem} not_found, secret_limit_reached
 */
export async function replaceSecret(
  db: Kysely<Tables>,
  endpoint: EndpointRef,
  secret: EncryptedSecret,
  previousHours: number,
): Promise<EndpointRow> {
  const query = lockedEndpoint(db, endpoint).select([...earlierSecretColumns, 'secret', now.as('now')]);
  const row = await query.executeTakeFirst();
  if (!row) throw noEndpoint(endpoint);
  const expires_at = new Date(row.now.getTime() + previousHours * hour).toISOString();
  const earlier = previousHours > 0 ? [{ secret: row.secret, expires_at }, ...earlierSecrets(row, row.now)] : [];
  if (earlier.length >= maxSecrets) {
    const firstEnd = Math.min(...earlier.map((each) => Date.parse(each.expires_at)));
    const headers = { 'Retry-After': String(Math.ceil((firstEnd - row.now.getTime()) / 1000)) };
    throw new Problem('secret_limit_reached', `${maxSecrets} secrets of the endpoint sign its events.`, {}, headers);
  }
  return updateEndpointRow(db, endpoint, { secret, ...withEarlierSecrets(earlier), updated_at: row.now });
}

/** Deletes an endpoint with its deliveries. @throws {Problem} not_found */
export async function deleteEndpoint(db: Kysely<Tables>, endpoint: EndpointRef): Promise<void> {
  const deleted = await db
    .deleteFrom('webhook_endpoints')
    .where('account_id', '=', endpoint.accountId)
    .where('id', '=', endpoint.endpointId)
    .returning('id')
    .executeTakeFirst();
  if (!deleted) throw noEndpoint(endpoint);
  await removeFromList(db, endpoint);
}

/** Unfinished replays of an endpoint. The contract states it. */
const maxReplays = 20;
/** Seconds after which a request may try again when there are so many. */
const replayRetrySeconds = 60;

export const replayColumns = ['event_number', 'replays', 'replay_from', 'replay_to', 'replay_event_number'] as const;

/** The unfinished replays of an endpoint, in the order of their requests. */
export function replaysOf(row: Pick<Endpoint, (typeof replayColumns)[number]>): Replay[] {
  const { replay_from: from, replay_to: to, replay_event_number, event_number: last } = row;
  const after = replay_event_number ?? 0;
  const former = from && to ? [{ from: from.toISOString(), to: to.toISOString(), after, last }] : [];
  return [...former, ...(row.replays ?? [])];
}

/** The columns of an endpoint with these unfinished replays. */
export const withReplays = (replays: Replay[]): UpdateObject<Tables, 'webhook_endpoints'> => ({
  replays: replays.length > 0 ? JSON.stringify(replays) : null,
  ...{ replay_from: null, replay_to: null, replay_event_number: null },
});

/**
 * Requests that the events of a time range are queued again. One that waits already is not requested twice.
 * @throws {Problem} not_found, delivery_limit_reached
 */
export async function requestReplay(db: Kysely<Tables>, endpoint: EndpointRef, from: Date, to: Date): Promise<void> {
  const row = await lockedEndpoint(db, endpoint).select(replayColumns).executeTakeFirst();
  if (!row) throw noEndpoint(endpoint);
  const replays = replaysOf(row);
  const requested = { from: from.toISOString(), to: to.toISOString(), after: 0, last: row.event_number };
  if (replays.some((each) => each.from === requested.from && each.to === requested.to && each.after === 0)) return;
  if (replays.length >= maxReplays) {
    const headers = { 'Retry-After': String(replayRetrySeconds) };
    throw new Problem('delivery_limit_reached', `The endpoint has ${maxReplays} unfinished replays.`, {}, headers);
  }
  await endpointUpdateQuery(db, endpoint)
    .set(withReplays([...replays, requested]))
    .execute();
  await markChanged(db, endpoint);
}

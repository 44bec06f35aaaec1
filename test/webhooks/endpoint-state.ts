import { randomUUID } from 'node:crypto';
import { createClient, type WaybillEvent } from '@waybill/client';
import type { components } from '@waybill/contract/types';
import type { Database } from '@waybill/server/database/database';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { secretBox } from '@waybill/server/database/secret-box';
import type { EndpointRef } from '@waybill/server/webhooks/endpoints/endpoint-list';
import { type RawBuilder, sql } from 'kysely';
import { expect, vi } from 'vitest';
import { testWithOwnService } from '../fixtures/database/own-database.ts';
import { type Service, signingKey } from '../fixtures/service/service.ts';
import type { TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import type { ReceivedWebhook } from './receiver.ts';

type Schemas = components['schemas'];
type Delivery = Schemas['WebhookDelivery'];
type Who = Pick<TestAccount, 'client'>;
type Path = { webhook_endpoint_id: string };
type Receiver = { received: ReceivedWebhook[] };

/** Tests whose file has a service with its own database: the services of other files would share its endpoints. */
export const test = testWithOwnService.concurrent;

/** An account that calls another instance. */
export const on = ({ baseUrl }: { baseUrl: string }, account: TestAccount): TestAccount => ({
  ...account,
  client: createClient({ baseUrl, apiKey: account.key }),
});

/** Creates an endpoint with the URL of a receiver. */
export async function createEndpoint({ client }: Who, url: string, types: Schemas['EventType'][] = []) {
  const { id, secret } = await client.createWebhookEndpoint({ url, types });
  return { secret, path: { webhook_endpoint_id: id } };
}

/** Stores an enabled endpoint of a new account. */
export async function insertEndpoint(db: Database): Promise<EndpointRef & { version: string }> {
  const [accountId, endpointId, version] = [randomUUID(), randomUUID(), randomUUID()];
  await sql`insert into accounts values (${accountId}, 'test', now())`.execute(db);
  await sql`
    insert into webhook_endpoints (account_id, id, slot, url, description, types, status, updated_at, event_number, secret)
    values (${accountId}, ${endpointId}, 0, 'https://shop.example.com/', '', '{}', 'enabled', now(), 0,
      ${secretBox([signingKey]).create()})`.execute(db);
  await sql`insert into enabled_webhook_endpoints (account_id, endpoint_id, version)
    values (${accountId}, ${endpointId}, ${version})`.execute(db);
  return { accountId, endpointId, version };
}

type Columns = Partial<Record<'id' | 'order_key' | 'status' | 'next_attempt_at', RawBuilder<unknown>>>;

/** Inserts deliveries with these numbers `i`, by default due and each of another shipment. */
export const insertDeliveries = (
  { accountId, endpointId }: EndpointRef,
  [first, last]: [number, number],
  { id = newId, order_key = newId, status = sql`'pending'`, next_attempt_at = sql`now()` }: Columns = {},
) => sql`
  insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, test_data, attempts,
    order_key, status, next_attempt_at)
  select ${accountId}, ${endpointId}, ${id}, i, now(), 'shipment.created', '{}', 0, ${order_key}, ${status}, ${next_attempt_at}
  from generate_series(${sql.lit(first)}, ${sql.lit(last)}) i`;
const newId = sql`gen_random_uuid()`;

export const eventOf = ({ body }: ReceivedWebhook): WaybillEvent => JSON.parse(body);
export const typesOf = ({ received }: Receiver): string[] => received.map((webhook) => eventOf(webhook).type);

/** Waits until a receiver has got so many requests. */
export const received = (receiver: Receiver, count: number): Promise<void> =>
  vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), waitTimeout);

/** Waits until the deliveries of an endpoint, newest first, are as expected, and returns them. */
export const deliveries = ({ client }: Who, path: Path, isExpected: (found: Delivery[]) => boolean) =>
  vi.waitFor(async () => {
    const { data } = await client.listWebhookDeliveries({ ...path, limit: 100 });
    expect(isExpected(data as Delivery[]), JSON.stringify(data)).toBe(true);
    return data as [Delivery, ...Delivery[]];
  }, waitTimeout);

/** Waits until an endpoint has so many deliveries, all delivered. */
export const allDelivered = (who: Who, path: Path, count: number) =>
  deliveries(who, path, (all) => all.length === count && all.every(({ status }) => status === 'delivered'));

/** Waits until the first delivery of an endpoint has had so many attempts, and returns all. */
export const attempted = (who: Who, path: Path, count: number) =>
  deliveries(who, path, (all) => all.at(-1)?.attempts === count);

/** Makes the deliveries of an account due that wait for their next attempt. */
export async function endPauses({ db }: Pick<Service, 'db'>, { id }: Pick<TestAccount, 'id'>): Promise<void> {
  await sql`update webhook_deliveries set next_attempt_at = '2020-01-01Z'
    where account_id = ${id} and next_attempt_at > now()`.execute(db);
  await sql`update enabled_webhook_endpoints set version = gen_random_uuid() where account_id = ${id}`.execute(db);
}

/** Waits until no instance sends the events of an endpoint. */
export const left = ({ db }: Pick<Service, 'db'>, path: Path): Promise<void> =>
  vi.waitFor(async () => {
    const id = uuidFromPublicId('whe', path.webhook_endpoint_id);
    expect((await sql`select from webhook_leases where endpoint_id = ${id}`.execute(db)).rows).toEqual([]);
  }, waitTimeout);

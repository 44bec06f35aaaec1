import { createClient, type WaybillEvent } from '@waybill/client';
import type { components } from '@waybill/contract/types';
import type { Database } from '@waybill/server/database/database';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import type { EncryptedSecret } from '@waybill/server/database/tables';
import type { DeliveryResult } from '@waybill/server/webhooks/attempt-result';
import type { EndpointRef } from '@waybill/server/webhooks/endpoint-list';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { testWithOwnService } from '../fixtures/own-database.ts';
import { closedUrl } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import type { TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import type { ReceivedWebhook } from './receiver.ts';

type Schemas = components['schemas'];

/**
 * Tests whose file has a service with its own database: the services of other files would share its endpoints. They run
 * together, because most of their time passes until the service looks for new endpoints.
 */
export const test = testWithOwnService.concurrent;

/** An account that calls another instance. */
export const on = ({ baseUrl }: { baseUrl: string }, account: TestAccount): TestAccount => ({
  ...account,
  client: createClient({ baseUrl, apiKey: account.key }),
});

/** Creates an endpoint with the URL of a receiver. */
export async function createEndpoint(
  { client }: Pick<TestAccount, 'client'>,
  url: string,
  types: Schemas['EventType'][] = [],
): Promise<{ secret: string; path: { webhook_endpoint_id: string } }> {
  const data = await client.createWebhookEndpoint({ url, types });
  return { secret: data.secret, path: { webhook_endpoint_id: data.id } };
}

/** Stores an account with an enabled endpoint, whose events no instance sends. */
export async function insertEndpoint(db: Database, { accountId, endpointId }: EndpointRef): Promise<void> {
  await sql`insert into accounts values (${accountId}, 'test', now())`.execute(db);
  await db
    .insertInto('webhook_endpoints')
    .values({
      account_id: accountId,
      id: endpointId,
      slot: 0,
      url: 'https://shop.example.com/',
      description: '',
      types: [],
      status: 'enabled',
      updated_at: new Date(),
      event_number: 0,
      secret: '' as unknown as EncryptedSecret,
    })
    .execute();
}

/** What the first, successful attempt of a delivery stores. */
export const firstAttempt = (id: string, order_key: string): DeliveryResult => ({
  id,
  order_key,
  attempts: 1,
  status: 'delivered',
  next_attempt_at: null,
  attempted_at: new Date(),
  attempt_url: closedUrl,
  attempt_ms: 1,
  response_status: 204,
  response_body: '',
  error: null,
});

export const eventOf = ({ body }: ReceivedWebhook): WaybillEvent => JSON.parse(body);
export const typesOf = (receiver: { received: ReceivedWebhook[] }): string[] =>
  receiver.received.map((webhook) => eventOf(webhook).type);

/** Waits until a receiver has got so many requests. */
export const received = (receiver: { received: ReceivedWebhook[] }, count: number): Promise<void> =>
  vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), waitTimeout);

/** Waits until the deliveries of an endpoint have these statuses, newest first, and returns them. */
export const deliveries = (
  { client }: Pick<TestAccount, 'client'>,
  path: { webhook_endpoint_id: string },
  isExpected: (found: Schemas['WebhookDelivery'][]) => boolean,
): Promise<Schemas['WebhookDelivery'][]> =>
  vi.waitFor(async () => {
    const { data } = await client.listWebhookDeliveries({ ...path, limit: 100 });
    expect(isExpected(data as Schemas['WebhookDelivery'][]), JSON.stringify(data)).toBe(true);
    return data as Schemas['WebhookDelivery'][];
  }, waitTimeout);

/** Waits until an endpoint has so many deliveries, all delivered. */
export const allDelivered = (who: Pick<TestAccount, 'client'>, path: { webhook_endpoint_id: string }, count: number) =>
  deliveries(who, path, (all) => all.length === count && all.every(({ status }) => status === 'delivered'));

/** Makes the deliveries of an account due that wait for their next attempt. */
export async function endPauses({ db }: Pick<Service, 'db'>, { id }: Pick<TestAccount, 'id'>): Promise<void> {
  await sql`update webhook_deliveries set next_attempt_at = '2020-01-01Z'
    where account_id = ${id} and next_attempt_at > now()`.execute(db);
  await sql`update enabled_webhook_endpoints set version = gen_random_uuid() where account_id = ${id}`.execute(db);
}

/** Waits until no instance sends the events of an endpoint. */
export const left = ({ db }: Pick<Service, 'db'>, path: { webhook_endpoint_id: string }): Promise<void> =>
  vi.waitFor(async () => {
    const id = uuidFromPublicId('whe', path.webhook_endpoint_id);
    expect((await sql`select from webhook_leases where endpoint_id = ${id}`.execute(db)).rows).toEqual([]);
  }, waitTimeout);

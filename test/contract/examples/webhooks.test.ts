import type { Params } from '@waybill/client';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type OperationId, operationOf } from '../../fixtures/contract.ts';
import { receive } from '../../fixtures/http.ts';
import type { Service } from '../../fixtures/service.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { requestExamples, responseExamples, sendExample, successOf } from './requests.ts';

interface Scenario {
  request?: string;
  /** Brings the endpoint into the state of the example. */
  prepare?: (service: Service, account: TestAccount, path: Path) => Promise<unknown>;
}
type Path = { webhook_endpoint_id: string; delivery_id?: string };

/** Operation → response example → what leads to it. */
const scenarios: Partial<Record<OperationId, Record<string, Scenario>>> = {
  createWebhookEndpoint: { WebhookEndpointCreated: { request: 'WebhookEndpointRequest' } },
  getWebhookEndpoint: {
    WebhookEndpointEnabled: {},
    WebhookEndpointDisabled: {
      prepare: ({ db }, { id }) =>
        sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'failing' where account_id = ${id}`.execute(
          db,
        ),
    },
  },
  updateWebhookEndpoint: { WebhookEndpointUpdated: { request: 'WebhookEndpointChanges' } },
  rotateWebhookSecret: { WebhookSecretRotated: { request: 'WebhookSecretRotation' } },
  replayWebhookEvents: { WebhookReplay: { request: 'WebhookReplayRequest' } },
  sendTestWebhook: { WebhookTestQueued: {} },
  resendWebhookDelivery: {
    WebhookDeliveryQueued: {
      prepare: async (_service, { client }, path) => {
        path.delivery_id = (await client.sendTestWebhook(path)).id;
      },
    },
  },
};

/** Without identifiers, timestamps and secrets, which differ, and without the event that a delivery is about. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member) => (name === 'event' ? '…' : member))
      .replace(/\b(whe|whd|evt)_[0-9a-z]{26}\b/g, '$1_…')
      .replace(/whsec_[\w+/]{43}=/g, 'whsec_…')
      .replace(/"(\w+_at)":"[^"]+Z"/g, '"$1":"…"'),
  );

const cases = Object.entries(scenarios).flatMap(([id, examples]) =>
  Object.entries(examples).map(([example, scenario]) => ({ id: id as OperationId, example, scenario })),
);

test.for(cases)('$id returns the example $example', async ({ id, example, scenario }, { service }) => {
  const account = await newAccount(service);
  const operation = operationOf(id);
  const caller = { ...account, baseUrl: service.baseUrl };
  const path: Path = { webhook_endpoint_id: '' };
  if (id !== 'createWebhookEndpoint') {
    const { WebhookEndpointRequest } = requestExamples(operationOf('createWebhookEndpoint'));
    const body = WebhookEndpointRequest as unknown as Params<'createWebhookEndpoint'>;
    const data = await account.client.createWebhookEndpoint(body);
    path.webhook_endpoint_id = data.id;
  }
  await scenario.prepare?.(service, account, path);
  const body = scenario.request === undefined ? undefined : requestExamples(operation)[scenario.request];
  const received = await receive(await sendExample(caller, operation, { path: { ...path }, ...(body && { body }) }));
  const status = successOf(operation);
  expect({ status: String(received.status), body: comparable(received.body) }).toEqual({
    status,
    body: comparable(responseExamples(operation, status)[example]),
  });
});

test('every example of a webhook is tested', () => {
  for (const [id, examples] of Object.entries(scenarios)) {
    const operation = operationOf(id as OperationId);
    expect(Object.keys(examples).sort()).toEqual(Object.keys(responseExamples(operation, successOf(operation))).sort());
  }
});

import { createClient } from '@waybill/client';
import { type Mock, startMock } from '@waybill/mock';
import { operationOf } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test as base, perFile } from '../fixtures/test.ts';

/** A started mock that a fixture ends. */
export async function disposableMock(...options: Parameters<typeof startMock>): Promise<Mock & AsyncDisposable> {
  const mock = await startMock(...options);
  return { ...mock, [Symbol.asyncDispose]: () => mock.close() };
}

/** Restores what a mock stored at its start. */
export const reset = ({ url }: Pick<Mock, 'url'>): Promise<Response> =>
  fetch(new URL('/reset', url), { method: 'POST' });

const trackingScopes = ['tracking:read', 'events:read'] as const;

/** What a front end can rely on: the same cases for the service and for the mock that stands in for it. */
export const targets = ['the service', 'the mock with state'] as const;

/** `open` returns a new account of the service, or the mock as it was at its start. */
export const test = base.extend<{
  $file: { mock: Mock };
  $test: { open: (target: (typeof targets)[number]) => Promise<ReturnType<typeof targetOf>> };
}>({
  mock: perFile(() => disposableMock({ stateful: true, streamSeconds: 1 })),
  open: async ({ service: { baseUrl }, account: { key, keyWith }, mock }, use) =>
    use(async (target) => {
      if (target === 'the service') {
        return targetOf({ baseUrl, key, trackingKey: await keyWith([...trackingScopes]), lastEvent: undefined });
      }
      await reset(mock);
      const trackingKey = `wbk_mock_${trackingScopes}`;
      return targetOf({
        baseUrl: mock.url,
        key: 'wbk_mock',
        trackingKey,
        lastEvent: 'evt_01kjtbdx4ye008000000000153',
      });
    }),
});

interface Target {
  baseUrl: string;
  key: string;
  /** A key with the scopes `tracking:read` and `events:read`. */
  trackingKey: string;
  /** The last event before the test. */
  lastEvent: string | undefined;
}

function targetOf(target: Target) {
  const { baseUrl, key, lastEvent } = target;
  const client = createClient({ baseUrl, apiKey: key, maxRetries: 0 });
  const reference = `PO-${crypto.randomUUID()}`;
  return {
    ...target,
    client,
    reference,
    create: async () => client.createShipment({ ...shipmentRequest(), reference }),
    /** Creates a shipment with a key of the request and an id of its own. */
    post: async (id: string, body: object) => {
      const headers = { 'idempotency-key': reference, 'x-request-id': id };
      return receive(await send(baseUrl, operationOf('createShipment'), { key, headers, body }));
    },
    /** The events since the start. */
    events: async () => (await client.listEvents({ after: lastEvent })).data,
  };
}

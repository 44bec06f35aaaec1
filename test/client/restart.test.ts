import { AbortError, createClient } from '@waybill/client';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { expect, vi } from 'vitest';
import { startLoad } from '../fixtures/requests/load.ts';
import { signingKey } from '../fixtures/service/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { startWaybill } from '../operate/cli/run-waybill.ts';

const callers = 4;

test('calls have one effect and events are yielded once during a restart', async ({ service, account }) => {
  const PORT = String(await freePort());
  const serve = () =>
    startWaybill(['serve'], { PORT, SIGNING_KEYS: signingKey, STORAGE_URL: `file:${service.storageFolder}` });
  /** Attempts of running calls that the stopped service refused, by operation. */
  const refused: Record<string, number> = {};
  const options = {
    apiKey: account.key,
    baseUrl: `http://127.0.0.1:${PORT}/v1`,
    onRetry: ({ operation, error }: { operation: string; error: Error }) => {
      if (error.message.includes('ECONNREFUSED')) refused[operation] = (refused[operation] ?? 0) + 1;
    },
  };
  const client = createClient(options);
  // Shorter than the restart.
  const stop = new AbortController();
  const events = createClient({ ...options, timeout: 100 }).followEvents({}, { signal: stop.signal });
  const seen: (string | undefined)[] = [];
  const see = async (count: number) => {
    while (seen.length < count) seen.push((await events.next()).value?.data.shipment?.id);
  };
  await using first = serve();
  await first.waitForOutput(/listening at/);
  await using load = startLoad(callers, () => client.createShipment(shipmentRequest()).withResponse());
  await load.sees(201);
  await see(1);
  first.signal('SIGKILL');
  await first.ended;
  const following = expect(see(Number.POSITIVE_INFINITY)).rejects.toThrow(AbortError);
  // Several times for each caller, so that a few retries at short intervals are not enough.
  await vi.waitFor(() => {
    expect(refused.createShipment).toBeGreaterThanOrEqual(3 * callers);
    expect(refused.listEvents).toBeGreaterThanOrEqual(3);
  }, waitTimeout);
  await using second = serve();
  await second.waitForOutput(/listening at/);
  await load.sees(201);
  await load[Symbol.asyncDispose]();
  expect(load.errors).toEqual([]);
  const created = await account.client.listShipments({ limit: 100 }).toArray({ limit: 100_000 });
  expect(created).toHaveLength(load.statuses.length);
  await vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(created.length), waitTimeout);
  stop.abort();
  await following;
  expect(seen.toSorted()).toEqual(created.map(({ id }) => id).sort());
});

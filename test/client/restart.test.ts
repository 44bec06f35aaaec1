import { createClient } from '@waybill/client';
import { freePort } from '@waybill/tools/free-port';
import { expect, vi } from 'vitest';
import { startWaybill } from '../cli/run.ts';
import { startLoad } from '../fixtures/load.ts';
import { signingKey } from '../fixtures/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const callers = 4;

test('a client with default options survives a killed and restarted service: no call fails or has two effects', async ({
  service,
  account,
}) => {
  const PORT = String(await freePort());
  const serve = () =>
    startWaybill(['serve'], { PORT, SIGNING_KEYS: signingKey, STORAGE_URL: `file:${service.storageFolder}` });
  /** Attempts of running calls that the stopped service refused. */
  let refused = 0;
  const client = createClient({
    apiKey: account.key,
    baseUrl: `http://127.0.0.1:${PORT}/v1`,
    onRetry: ({ error }) => {
      if (error.message.includes('ECONNREFUSED')) refused++;
    },
  });
  await using first = serve();
  await first.waitForOutput(/listening at/);
  await using load = startLoad(callers, () => client.createShipment(shipmentRequest()).withResponse());
  await load.sees(201);
  first.signal('SIGKILL');
  await first.ended;
  // Several times for each caller, so that a few retries at short intervals are not enough.
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(3 * callers), waitTimeout);
  await using second = serve();
  await second.waitForOutput(/listening at/);
  await load.sees(201);
  await load[Symbol.asyncDispose]();
  expect(load.errors).toEqual([]);
  expect(await account.client.listShipments({ limit: 100 }).toArray({ limit: 100_000 })).toHaveLength(
    load.statuses.length,
  );
});

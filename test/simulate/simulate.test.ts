import { simulate } from '@waybill/tools/simulate';
import { expect } from 'vitest';
import { test } from '../fixtures/test.ts';

test('a simulated fleet completes without errors, and the service returns what the fleet has reported', async ({
  service,
  account,
}) => {
  const { baseUrl } = service;
  const shipper = await account.keyWith(['shipments:read', 'shipments:write', 'tracking:read']);
  const carrier = await account.keyWith(['tracking:read', 'tracking:write']);
  const { statuses, errors, replays } = await simulate({
    shipper: { baseUrl, apiKey: shipper },
    carrier: { baseUrl, apiKey: carrier },
    shipments: 12,
    speed: 100_000,
    seed: 7,
  });
  expect(Object.fromEntries(errors)).toEqual({});
  expect(replays).toBeGreaterThan(0);
  const told: Record<string, number> = {};
  for await (const { status } of account.client.eachShipment()) told[status] = (told[status] ?? 0) + 1;
  expect(told).toEqual(Object.fromEntries(Object.entries(statuses).filter(([, count]) => count !== 0)));
  expect(Object.keys(told).every((status) => ['delivered', 'cancelled'].includes(status))).toBe(true);
  expect((told.delivered ?? 0) + (told.cancelled ?? 0)).toBe(12);
});

import { simulate } from '@waybill/sandbox/simulate/simulate';
import { expect } from 'vitest';
import { test } from '../fixtures/test.ts';

test('a simulated fleet completes as it reports, without errors', async ({ service: { baseUrl }, account }) => {
  const shipper = await account.keyWith(['shipments:read', 'shipments:write', 'tracking:read']);
  const carrier = await account.keyWith(['tracking:read', 'tracking:write']);
  const { statuses, errors, replays } = await simulate({
    shipper: { baseUrl, apiKey: shipper },
    carrier: { baseUrl, apiKey: carrier },
    shipments: 12,
    speed: 100_000,
    seed: 7,
  });
  expect([...errors]).toEqual([]);
  expect(replays).toBeGreaterThan(0);
  const { delivered = 0, cancelled = 0, ...others } = statuses;
  expect([delivered + cancelled, ...Object.values(others).filter((count) => count !== 0)]).toEqual([12]);
  const shipments = await account.client.listShipments().toArray({ limit: 100 });
  for (const { origin, destination, items, pickup_window } of shipments) {
    expect([origin.contact_phone, destination.contact_phone, items?.[0]?.description]).not.toContain(undefined);
    expect(Date.parse(pickup_window.end)).toBeGreaterThan(Date.now());
  }
  const ended = shipments.map(({ status }) => status).sort();
  expect(ended).toEqual([...Array(cancelled).fill('cancelled'), ...Array(delivered).fill('delivered')]);
});

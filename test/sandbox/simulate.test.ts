import { simulate } from '@waybill/sandbox/simulate/simulate';
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
  const counts: Record<string, number> = {};
  for await (const { status } of account.client.listShipments()) counts[status] = (counts[status] ?? 0) + 1;
  expect(counts).toEqual(Object.fromEntries(Object.entries(statuses).filter(([, count]) => count !== 0)));
  expect(Object.keys(counts).every((status) => ['delivered', 'cancelled'].includes(status))).toBe(true);
  expect((counts.delivered ?? 0) + (counts.cancelled ?? 0)).toBe(12);
});

test('a read that fails for a while is counted, and is no error of the fleet', async ({ service, account }) => {
  const { baseUrl } = service;
  const key = await account.keyWith(['shipments:read', 'shipments:write', 'tracking:read', 'tracking:write']);
  const unavailable = {
    type: 'about:blank',
    title: 'Unavailable',
    status: 503,
    code: 'unavailable',
    request_id: 'req_1',
  };
  const problem = { status: 503, headers: { 'Content-Type': 'application/problem+json' } };
  const failingReads = async (request: Request) =>
    request.method === 'GET' ? Response.json(unavailable, problem) : fetch(request);
  const { errors, failedAttempts } = await simulate({
    shipper: { baseUrl, apiKey: key, maxRetries: 0, fetch: failingReads },
    carrier: { baseUrl, apiKey: key },
    shipments: 12,
    speed: 100_000,
    seed: 7,
  });
  expect(Object.fromEntries(errors)).toEqual({});
  expect(failedAttempts).toBeGreaterThan(0);
});

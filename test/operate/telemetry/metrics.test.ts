import type { ServerResponse } from 'node:http';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { get } from '../../fixtures/http.ts';
import { holdFeed } from '../../fixtures/locks.ts';
import { startOwnService } from '../../fixtures/own-database.ts';
import { post } from '../../fixtures/post.ts';
import { type Settings, startService } from '../../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { increases, type Samples, samples } from './scrape.ts';

/** Starts a service with metrics. */
async function measured(settings: Settings = {}) {
  const METRICS_PORT = String(await freePort());
  const service = await startService({ METRICS_PORT, ...settings });
  return { ...service, scrape: () => samples(METRICS_PORT) };
}

test('requests are counted by operation and status, with their durations', async () => {
  await using service = await measured();
  const account = await newAccount(service);
  const { id, tracking_number } = await newShipment(account);
  const before = await service.scrape();
  for (const path of [`/tracking/${tracking_number}`, `/shipments/${id}`, '/tracking/FRT-2026-999999999']) {
    await (await get(service, account, path)).text();
  }
  for (let repeat = 0; repeat < 3; repeat++) {
    await post(service, account, { path: '/shipments', body: shipmentRequest(), key: 'one' });
  }
  await post(service, { key: 'wbk_nobody' }, { path: '/shipments', body: shipmentRequest() });
  await (await fetch(`${service.origin}/health/live`)).text();
  await vi.waitFor(async () => {
    const after = await service.scrape();
    expect(increases(before, after, 'waybill_http_requests_total')).toEqual({
      'waybill_http_requests_total{operation="getTracking",status="200"}': 1,
      'waybill_http_requests_total{operation="getShipment",status="200"}': 1,
      'waybill_http_requests_total{operation="getTracking",status="404"}': 1,
      'waybill_http_requests_total{operation="createShipment",status="201"}': 3,
      'waybill_http_requests_total{operation="createShipment",status="401"}': 1,
      'waybill_http_requests_total{operation="none",status="200"}': 1,
    });
    expect(increases(before, after, 'waybill_http_request_duration_seconds_count')).toEqual({
      'waybill_http_request_duration_seconds_count{operation="getTracking"}': 2,
      'waybill_http_request_duration_seconds_count{operation="getShipment"}': 1,
      'waybill_http_request_duration_seconds_count{operation="createShipment"}': 4,
      'waybill_http_request_duration_seconds_count{operation="none"}': 1,
    });
    expect(increases(before, after, 'waybill_idempotent_replays_total')).toEqual({
      'waybill_idempotent_replays_total{operation="createShipment"}': 2,
    });
  }, waitTimeout);
});

test('what clients send adds no series: paths, methods, keys and request ids are no labels', async () => {
  await using service = await measured();
  const account = await newAccount(service);
  const send = async (text: string) => {
    const requests = [
      fetch(`${service.baseUrl}/tracking/${text}`, { headers: { authorization: `Bearer ${account.key}` } }),
      fetch(`${service.baseUrl}/${text}`, { headers: { authorization: text, 'x-request-id': text } }),
      fetch(`${service.baseUrl}/files/${text}`),
      fetch(`${service.baseUrl}/shipments`, { method: 'DELETE', headers: { 'idempotency-key': text } }),
      post(service, account, { path: '/shipments', body: shipmentRequest(), key: text }),
    ];
    for (const response of await Promise.all(requests)) expect(response.status).toBeGreaterThan(200);
  };
  await send('first');
  const series = async () => [...(await service.scrape()).keys()].filter((name) => name.startsWith('waybill_'));
  let known: string[] = [];
  await vi.waitFor(async () => {
    known = await series();
    expect(known).toContain('waybill_http_requests_total{operation="none",status="405"}');
  }, waitTimeout);
  await send('second');
  expect(await series()).toEqual(known);
  expect(known.join()).not.toContain('first');
});

test('batches of reads and groups of writes count the requests that they served', async () => {
  await using service = await measured();
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const before = await service.scrape();
  await concurrently(20, () => account.client.getTracking({ tracking_number }));
  await concurrently(10, () => newShipment(account));
  expect(increases(before, await service.scrape(), 'waybill_batch_items_sum')).toEqual({
    'waybill_batch_items_sum{batch="read_tracking"}': 20,
    'waybill_batch_items_sum{batch="create_shipments"}': 10,
  });
});

test('connections of the pool are in use or idle, and callers wait when their account has no further one', async () => {
  await using service = await measured({ DATABASE_POOL_SIZE: '3' });
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const pool = async () => {
    const found = await service.scrape();
    const [inUse, idle] = ['in_use', 'idle'].map((state) =>
      found.get(`waybill_database_connections{state="${state}"}`),
    );
    return {
      inUse,
      idle,
      max: found.get('waybill_database_connections_max'),
      waiting: found.get('waybill_database_waiting'),
    };
  };
  // The senders of webhooks use the pool once a second, too.
  const becomes = (expected: object) => vi.waitFor(async () => expect(await pool()).toEqual(expected), waitTimeout);
  await becomes({ inUse: 0, idle: expect.any(Number), max: 3, waiting: 0 });
  await using lock = await holdFeed(service.db, account);
  const writes = ['dispatched', 'picked_up', 'in_transit', 'dispatched'].map((status) => {
    const body = { status, timestamp: new Date().toISOString() };
    return post(service, account, { path: `/tracking/${tracking_number}/events`, body, key: crypto.randomUUID() });
  });
  await becomes({ inUse: 1, idle: expect.any(Number), max: 3, waiting: 3 });
  await lock.release();
  await Promise.all(writes);
  await becomes({ inUse: 0, idle: expect.any(Number), max: 3, waiting: 0 });
});

test('requests refused by a rate limit are counted for keys and IP addresses', async () => {
  await using service = await measured({ RATE_LIMIT: '2' });
  const account = await newAccount(service);
  await concurrently(5, () => fetch(`${service.baseUrl}/shipments`));
  const headers = { authorization: `Bearer ${await account.keyWith(['shipments:read'])}` };
  await concurrently(3, () => fetch(`${service.baseUrl}/shipments`, { headers }));
  const found = await service.scrape();
  expect(found.get('waybill_rate_limited_total{subject="address"}')).toBe(6);
  expect(found.get('waybill_rate_limited_total{subject="key"}')).toBe(0);
});

test('runs of the clean-up count what they removed, and their failures', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const METRICS_PORT = String(await freePort());
  await using service = await startOwnService({ METRICS_PORT });
  const account = await newAccount(service);
  await post(service, account, { path: '/shipments', body: shipmentRequest(), key: 'old' });
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(service.db);
  const runs = async (expected: { success: number; failure: number }) => {
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () => {
      const found = await samples(METRICS_PORT);
      const count = (result: string) => found.get(`waybill_job_runs_total{name="clean_up",result="${result}"}`);
      expect({ success: count('success'), failure: count('failure') }).toEqual(expected);
    }, waitTimeout);
  };
  await runs({ success: 1, failure: 0 });
  const after = await samples(METRICS_PORT);
  const partitions = (found: Samples, name: string) =>
    ['events', 'positions'].map((table) => found.get(`waybill_${name}{table="${table}"}`));
  for (const ahead of partitions(after, 'partitions_ahead_days')) {
    expect(ahead).toBeGreaterThan(6.9);
    expect(ahead).toBeLessThanOrEqual(8);
  }
  expect(partitions(after, 'default_partition_rows')).toEqual([0, 0]);
  expect(after.get('waybill_job_removed_total{name="clean_up",kind="idempotencyKeys"}')).toBe(1);
  expect(after.get('waybill_job_duration_seconds_count{name="clean_up"}')).toBe(1);
  // A row of a day so far ahead that it has no partition.
  await sql`
    insert into events (account_id, number, created_at, type, shipment_id, data)
    select account_id, number, now() + interval '40 days', type, shipment_id, data from events limit 1`.execute(
    service.db,
  );
  await runs({ success: 2, failure: 0 });
  expect(partitions(await samples(METRICS_PORT), 'default_partition_rows')).toEqual([1, 0]);
  await sql`alter table idempotency_keys rename to gone`.execute(service.db);
  await runs({ success: 2, failure: 1 });
  for (const ahead of partitions(await samples(METRICS_PORT), 'partitions_ahead_days'))
    expect(ahead).toBeGreaterThan(6.9);
});

test('every counter has its labels from the start, and nothing waits', async () => {
  await using service = await measured();
  const found = await service.scrape();
  for (const sample of [
    'waybill_idempotent_replays_total{operation="createShipment"}',
    'waybill_idempotent_replays_total{operation="recordPositions"}',
    'waybill_job_removed_total{name="clean_up",kind="uploads"}',
    'waybill_job_duration_seconds_count{name="clean_up"}',
    'waybill_http_request_duration_seconds_count{operation="none"}',
    'waybill_webhook_pending_deliveries{receiver="responding"}',
    'waybill_webhook_pending_deliveries{receiver="failing"}',
    'waybill_webhook_oldest_pending_seconds{receiver="responding"}',
    'waybill_webhook_oldest_pending_seconds{receiver="failing"}',
  ])
    expect([sample, found.get(sample)]).toEqual([sample, 0]);
  expect(found.has('waybill_idempotent_replays_total{operation="getShipment"}')).toBe(false);
});

test('deliveries that wait are counted by whether their receiver responds, with the age of the oldest', async () => {
  const METRICS_PORT = String(await freePort());
  await using service = await startOwnService({ METRICS_PORT });
  const account = await newAccount(service);
  const held: ServerResponse[] = [];
  let status = 204;
  await using receiver = await startReceiver((response) => {
    if (status === 204) held.push(response);
    else response.writeHead(status).end();
  });
  await account.client.createWebhookEndpoint({ url: receiver.url, types: ['shipment.created'] });
  const backlog = async (receiver: 'responding' | 'failing') => {
    const found = await samples(METRICS_PORT);
    return ['pending_deliveries', 'oldest_pending_seconds'].map(
      (name) => found.get(`waybill_webhook_${name}{receiver="${receiver}"}`) ?? -1,
    ) as [number, number];
  };
  const becomes = (receiver: 'responding' | 'failing', count: number, seconds: number) =>
    vi.waitFor(async () => {
      const [pending, oldest] = await backlog(receiver);
      expect(pending).toBe(count);
      expect(oldest).toBeGreaterThan(seconds);
    }, waitTimeout);
  await concurrently(3, () => newShipment(account));
  await becomes('responding', 3, 0.5);
  expect(await backlog('failing')).toEqual([0, 0]);
  status = 500;
  for (const response of held) response.writeHead(status).end();
  await becomes('failing', 3, 0.5);
  expect(await backlog('responding')).toEqual([0, 0]);
});

test.for([
  ['the last number', 'sequence', 'event_numbers'],
  ['the newest events', 'table', 'events'],
] as const)('the lag of the feed grows while it cannot read %s, and ends', async ([, kind, name]) => {
  const METRICS_PORT = String(await freePort());
  await using service = await startOwnService({ METRICS_PORT });
  const lag = async () => (await samples(METRICS_PORT)).get('waybill_event_feed_lag_seconds') ?? -1;
  const rename = (from: string, to: string) =>
    sql`alter ${sql.raw(kind)} ${sql.id(from)} rename to ${sql.id(to)}`.execute(service.db);
  await vi.waitFor(async () => expect(await lag()).toBeLessThan(1.5), waitTimeout);
  await newShipment(await newAccount(service)); // the feed looks for its events
  await rename(name, 'gone');
  await vi.waitFor(async () => expect(await lag()).toBeGreaterThan(2), waitTimeout);
  await rename('gone', name);
  await vi.waitFor(async () => expect(await lag()).toBeLessThan(1.5), waitTimeout);
});

import { once } from 'node:events';
import { expect, vi } from 'vitest';
import { open } from '../fixtures/raw-http.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { openStream, testWithLongStreams } from './read-stream.ts';

const test = testWithLongStreams;

test('a stream sends the stored events, then new ones, as listEvents returns them', async ({ service, account }) => {
  await shipmentIn(account, 'cancelled');
  await using stream = await openStream(service, account);
  const first = await stream.events(2);
  await shipmentIn(account, 'dispatched');
  const all = [...first, ...(await stream.events(2))];
  expect(all).toEqual((await account.client.listEvents()).data);
  expect(all.map(({ type }) => type)).toEqual([
    ...['shipment.created', 'shipment.cancelled'],
    ...['shipment.created', 'tracking.status_reached'],
  ]);
});

test('a stream without events opens at once, with the time after which to reconnect', async ({ service, account }) => {
  await using stream = await openStream(service, account);
  expect(stream.response.status).toBe(200);
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const block = await stream.next();
  expect(Object.keys(block ?? {})).toEqual(['retry']);
  expect(Number(block?.retry)).toBeGreaterThanOrEqual(1000);
  expect(Number(block?.retry)).toBeLessThanOrEqual(3000);
});

test('Last-Event-ID takes precedence over after, and both exclude the event itself', async ({ service, account }) => {
  for (let count = 0; count < 3; count++) await newShipment(account);
  const [first, second, third] = (await account.client.listEvents()).data;
  await using after = await openStream(service, account, { query: `after=${first?.id}` });
  expect(await after.events(2)).toEqual([second, third]);
  await using resumed = await openStream(service, account, { query: `after=${first?.id}`, lastEventId: second?.id });
  expect(await resumed.events(1)).toEqual([third]);
});

test('types leaves out other events', async ({ service, account }) => {
  await using stream = await openStream(service, account, { query: 'types=shipment.cancelled' });
  await newShipment(account);
  await shipmentIn(account, 'cancelled');
  expect((await stream.events(1)).map(({ type }) => type)).toEqual(['shipment.cancelled']);
});

test('a stream ends after EVENT_STREAM_SECONDS, with the position after events that types leaves out', async () => {
  await using service = await startService({ EVENT_STREAM_SECONDS: '1' });
  const account = await newAccount(service);
  await newShipment(account);
  const [event] = (await account.client.listEvents()).data;
  const stream = await openStream(service, account, { query: 'types=shipment.cancelled' });
  expect((await stream.rest()).slice(1)).toEqual([{ id: event?.id }]);
  const resumed = await openStream(service, account, { lastEventId: event?.id });
  expect((await resumed.rest()).slice(1)).toEqual([]);
});

test('a connection can be used again after a stream', async () => {
  await using service = await startService({ EVENT_STREAM_SECONDS: '1' });
  const { key } = await newAccount(service);
  const { socket, received, responses } = await open(service);
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`;
  socket.write(request('/v1/events/stream'));
  await vi.waitFor(() => expect(received()).toMatch(/\r\n0\r\n\r\n$/), waitTimeout);
  socket.write(request('/v1/events'));
  await responses(2);
  expect(received()).toContain('"next_after":null');
  socket.destroy();
});

test('HEAD returns the headers of a stream and its connection is free at once', async ({ service, account }) => {
  const { socket, received, responses } = await open(service);
  const headers = `host: a\r\nauthorization: Bearer ${account.key}\r\n\r\n`;
  socket.write(`HEAD /v1/events/stream HTTP/1.1\r\n${headers}GET /v1/events HTTP/1.1\r\n${headers}`);
  await responses(2);
  expect(received()).toMatch(/content-type: text\/event-stream/);
  expect(received()).not.toContain('retry:');
  socket.end();
  await once(socket, 'close');
});

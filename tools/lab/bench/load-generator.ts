import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../cluster/daemon.ts';
import type { RequestTemplate } from './request-template.ts';

const run = promisify(execFile);

/** It takes a third of the CPU time of a client in Node, which would compete with the servers. */
export const hasWrk: boolean = findProgram('wrk') !== undefined;

export interface Load {
  requests: number;
  seconds: number;
  /** Latencies in milliseconds. */
  p50: number;
  p99: number;
  /** Responses other than 2xx, and connection errors. */
  failures: number;
}

/** Sends requests with wrk over a number of connections, one at a time on each. */
export async function runLoad(
  origin: string,
  template: RequestTemplate,
  connections: number,
  seconds: number,
  signal: AbortSignal,
): Promise<Load> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waybill-load-'));
  const parts = Object.entries({ ...httpText(origin, template), values: template.values.join('\n') });
  for (const [name, text] of parts) await writeFile(join(folder.path, name), text);
  const script = join(import.meta.dirname, 'wrk.lua');
  const options = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--timeout', '30s', '-s', script, origin];
  const { stdout } = await run('wrk', [...options, '--', folder.path, randomUUID()], { signal });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

function httpText(
  origin: string,
  { method, path, headers, body = '' }: RequestTemplate,
): { head: string; body: string } {
  const length = Buffer.byteLength(body.replaceAll('@time', '2026-01-01T00:00:00'));
  const fields = { Host: new URL(origin).host, ...headers, ...(body && { 'Content-Length': length }) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, body };
}

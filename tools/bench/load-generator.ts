import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../command-line.ts';

/**
 * Requests that differ: `@value` stands for one of `values`, `@key` for a unique key, and in the body `@time` for the
 * current time without fraction and offset.
 */
export interface RequestTemplate {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  values: string[];
}

export interface Load {
  requests: number;
  seconds: number;
  /** Latencies in milliseconds. */
  p50: number;
  p99: number;
  /** Responses other than 2xx, and connection errors. */
  failures: number;
}

/** Sends requests with wrk, which takes little CPU time from the servers. @param connections with one request at a time each */
export async function runLoad(
  origin: string,
  template: RequestTemplate,
  connections: number,
  seconds: number,
  signal: AbortSignal,
): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-load-'));
  try {
    const files = [join(folder, 'template'), join(folder, 'values')] as const;
    await writeFile(files[0], httpText(origin, template));
    await writeFile(files[1], template.values.join('\n'));
    const script = join(import.meta.dirname, 'wrk.lua');
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, origin];
    const scriptArgs = [...files, randomUUID(), String(Math.floor(Math.random() * 2 ** 31))];
    const { stdout } = await promisify(execFile)('wrk', [...options, '--', ...scriptArgs], { signal });
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new UsageError('Install wrk, the load generator: apt-get install wrk');
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function httpText(origin: string, { method, path, headers, body }: RequestTemplate): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${new URL(origin).host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) {
    const length = Buffer.byteLength(body.replaceAll('@time', '2026-01-01T00:00:00'));
    lines.push('Content-Type: application/json', `Content-Length: ${length}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

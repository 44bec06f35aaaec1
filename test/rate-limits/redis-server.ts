import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '@waybill/tools/exit-with-parent';
import { expect, onTestFinished, vi } from 'vitest';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/** Whether this machine has Redis at all. */
export const hasRedis = ((): boolean => {
  try {
    execFileSync('redis-server', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

/** Redis in a process of its own. */
export interface RedisServer {
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  kill(): Promise<void>;
}

/** Starts Redis, empty and without files. It ends with the test. */
export async function startRedis(port: number): Promise<RedisServer> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const redis = spawn('redis-server', args, { stdio: 'pipe' });
  exitWithParent(redis);
  const ended = once(redis, 'exit');
  const kill = async (): Promise<void> => {
    redis.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  let output = '';
  redis.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await vi.waitFor(() => expect(output).toContain('Ready to accept connections'), waitTimeout);
  return { signal: (name) => void redis.kill(name), kill };
}

/** Sends Redis one command and returns its whole response. */
export async function askRedis(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${command}\r\nQUIT\r\n`);
  return text(socket);
}

/** How many counts Redis has been sent since it was started. */
export async function countsIn(port: number): Promise<number> {
  const stats = await askRedis(port, 'INFO commandstats');
  return [...stats.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

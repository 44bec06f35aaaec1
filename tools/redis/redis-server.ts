import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { exitWithParent } from '../processes/exit-with-parent.ts';
import { freePort } from '../processes/free-port.ts';

/** Whether this machine has Redis at all. */
export const hasRedis = ((): boolean => {
  try {
    execFileSync('redis-server', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

export type RedisServer = Awaited<ReturnType<typeof redisServer>>;

/** A Redis without files on a port of its own. It is empty after each start. */
export async function redisServer() {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let redis: ReturnType<typeof spawn> | undefined;

  const kill = async (): Promise<void> => {
    if (redis?.kill('SIGKILL')) await once(redis, 'exit');
  };
  /** Sends Redis one command and returns its whole response. */
  const ask = async (command: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${command}\r\nQUIT\r\n`);
    return text(socket);
  };
  return {
    port,
    async start() {
      const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
      exitWithParent(child);
      redis = child;
      for await (const line of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
        if (line.includes('Ready to accept connections')) break;
      }
      child.stdout.resume();
    },
    kill,
    signal: (name: NodeJS.Signals) => redis?.kill(name),
    ask,
    /** How many counts Redis has been sent since its start. */
    async counts(): Promise<number> {
      const stats = await ask('INFO commandstats');
      return [...stats.matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm)].reduce(
        (sum, [, calls]) => sum + Number(calls),
        0,
      );
    },
    [Symbol.asyncDispose]: kill,
  };
}

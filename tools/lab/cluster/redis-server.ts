import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { type Daemon, findProgram, startDaemon } from './daemon.ts';

const program = findProgram('redis-server');

/** Whether this machine has Redis at all. */
export const hasRedis: boolean = program !== undefined;

export type RedisServer = Awaited<ReturnType<typeof redisServer>>;

/** A Redis without files on a port of its own. It is empty after each start. */
export async function redisServer() {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let redis: Daemon | undefined;

  const kill = async (): Promise<void> => redis?.end('SIGKILL');
  /** Sends Redis one command and returns its whole response. */
  const ask = async (command: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${command}\r\nQUIT\r\n`);
    return text(socket);
  };
  return {
    port,
    async start() {
      redis = await startDaemon(program ?? 'redis-server', args, port);
    },
    kill,
    signal: (name: NodeJS.Signals) => redis?.signal(name),
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

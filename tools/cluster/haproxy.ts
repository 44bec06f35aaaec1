import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { waitUntil } from '../processes/wait-until.ts';
import { acceptsConnections, findProgram, startDaemon } from './daemon.ts';
import { sampleWith } from './sample.ts';

export type HaProxy = Awaited<ReturnType<typeof startHaProxy>>;

/** The names of the instances in haproxy.cfg. */
const names = ['one', 'two'];

/**
 * Starts HAProxy on 127.0.0.1 in front of two instances, with the configuration of the guide. Disposal ends it.
 * @param ports the ports of the instances
 */
export async function startHaProxy(port: number, ports: [number, number]) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-haproxy-'));
  const [config, socket] = [join(folder, 'haproxy.cfg'), join(folder, 'admin.sock')];
  const sample = await sampleWith('haproxy.cfg', {
    '/run/haproxy/admin.sock': socket,
    'timeout check 2s': 'timeout check 30s', // the machine may be busy
    '10.0.0.10:80': `127.0.0.1:${port}`,
    '10.0.0.11:3000': `127.0.0.1:${ports[0]}`,
    '10.0.0.12:3000': `127.0.0.1:${ports[1]}`,
  });
  await writeFile(config, sample);
  const daemon = await startDaemon(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', config], port);
  // HAProxy may accept connections to its port first.
  if (!(await waitUntil(() => acceptsConnections({ path: socket }), 60_000))) throw new Error(`${socket} is missing.`);
  /** The fields of an instance in HAProxy's statistics, by their name. */
  const statistics = async (index: number): Promise<Record<string, string>> => {
    const client = connect(socket);
    client.write('show stat\n');
    const [header = '', ...lines] = (await text(client)).split('\n').map((line) => line.split(','));
    const values = lines.find(([, server]) => server === names[index]) ?? [];
    return Object.fromEntries([...header].map((name, at) => [name, values[at] ?? '']));
  };
  return {
    /** The number of requests that an instance has been sent. */
    requests: async (index: number): Promise<number> => Number((await statistics(index)).stot),
    /** Resolves when HAProxy sends requests to an instance, or no longer. @throws after a minute */
    async waitFor(index: number, isUp: boolean): Promise<void> {
      // HAProxy sometimes closes the connection without statistics.
      const status = () =>
        statistics(index).then(
          (fields) => fields.status,
          () => undefined,
        );
      const seen = await waitUntil(async () => {
        const current = await status();
        return current !== undefined && (current === 'UP') === isUp;
      }, 60_000);
      if (!seen)
        throw new Error(`HAProxy has not seen instance ${names[index]} ${isUp ? 'ready' : 'stop'} for a minute.`);
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { acceptsConnections } from '@waybill/sandbox/processes/accepts-connections';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';
import { findProgram, startDaemon } from './daemon.ts';
import { sampleWith } from './sample.ts';

/** The names of the instances in haproxy.cfg. */
const names = ['one', 'two'];

/** The lines of haproxy.cfg for TLS, which tests do not need. */
const tls = `    bind 10.0.0.10:443 ssl crt /etc/haproxy/waybill.pem alpn h2,http/1.1
    http-request redirect scheme https code 308 unless { ssl_fc }
`;

/**
 * Starts HAProxy on 127.0.0.1 in front of two instances, with the configuration of the guide but without TLS. Disposal ends it.
 * @param ports the ports of the instances
 */
export async function startHaProxy(port: number, ports: [number, number]) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-haproxy-'));
  const [config, socket] = [join(folder, 'haproxy.cfg'), join(folder, 'admin.sock')];
  const sample = await sampleWith('haproxy.cfg', {
    '/run/haproxy/admin.sock': socket,
    'timeout check 2s': 'timeout check 30s', // the machine may be busy
    '    user haproxy\n    group haproxy\n': '',
    [tls]: '',
    '10.0.0.10:80': `127.0.0.1:${port}`,
    '10.0.0.11:3000': `127.0.0.1:${ports[0]}`,
    '10.0.0.12:3000': `127.0.0.1:${ports[1]}`,
  });
  await writeFile(config, sample);
  const daemon = await startDaemon(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', config], port);
  // HAProxy may accept connections to its port first.
  if (!(await waitUntil(() => acceptsConnections({ path: socket }), 60_000))) throw new Error(`${socket} is missing.`);
  /** The status of an instance in HAProxy's statistics. */
  const statusOf = async (index: number): Promise<string | undefined> => {
    const client = connect(socket);
    client.write('show stat\n');
    const [header, ...lines] = (await text(client)).split('\n').map((line) => line.split(','));
    return lines.find(([, server]) => server === names[index])?.[header?.indexOf('status') ?? -1];
  };
  return {
    /** Resolves when HAProxy sends requests to an instance. @throws after a minute */
    async waitFor(index: number): Promise<void> {
      const isUp = () =>
        statusOf(index).then(
          (status) => status === 'UP',
          () => false, // HAProxy sometimes closes the connection without statistics
        );
      if (!(await waitUntil(isUp, 60_000)))
        throw new Error(`HAProxy has not seen instance ${names[index]} for a minute.`);
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody listens on now: who has it in its URLs must know it before it listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (typeof address !== 'object' || address === null) throw new Error('A server without a port');
  return address.port;
}

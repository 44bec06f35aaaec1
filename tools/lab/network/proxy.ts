import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type Fault, link } from './link.ts';

export type { Fault } from './link.ts';

export type NetworkProxy = Awaited<ReturnType<typeof startProxy>>;

/**
 * Starts a TCP proxy on 127.0.0.1 in front of one server, which injects network faults; at first none.
 * @param target port of the server on 127.0.0.1
 */
export async function startProxy(target: number) {
  const links = new Set<ReturnType<typeof link>>();
  let fault: Fault = { kind: 'none' };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client: Socket) => {
    const one = link(client, target, () => fault);
    links.add(one);
    one.closed.then(() => links.delete(one));
  });
  const port = await listen(server, 0);
  const stopListening = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const one of links) one.destroy();
    await closed;
  };
  return {
    port,
    /** The number of connections that lost data in a black hole, and stay silent. */
    get lost() {
      return [...links].filter((one) => one.hasLostData()).length;
    },
    /** Returns the URL with the host and port of the proxy. */
    through: (url: string): string => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    /** Changes the fault; resolves when it is in effect. */
    async set(next: Fault): Promise<void> {
      fault = next;
      if (next.kind === 'refuse' && server.listening) await stopListening();
      if (next.kind !== 'refuse' && !server.listening) await listen(server, port);
      for (const one of links) one.faultChanged();
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await stopListening();
    },
  };
}

/** How long another program may use the port while the proxy refuses connections, in milliseconds. */
const portTimeout = 30_000;

async function listen(server: Server, port: number): Promise<number> {
  for (const deadline = Date.now() + portTimeout; ; await setTimeout(20)) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || Date.now() > deadline) throw error;
    }
  }
}

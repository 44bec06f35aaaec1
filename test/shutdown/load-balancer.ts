import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy with keep-alive connections that sends each request to a server that is ready. */
export interface LoadBalancer extends AsyncDisposable {
  baseUrl: string;
  /** Requests that it could not get a response for, and why. */
  failures: string[];
  /** Resolves when a server's readiness is this. */
  sees(port: number, isReady: boolean): Promise<void>;
}

/** Milliseconds between two looks at a server's readiness. */
const interval = 50;

/** Sends a request again only where nothing of it was sent: a POST may have had its effect. */
export async function balance(ports: number[]): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const ready = new Map(ports.map((port) => [port, false]));
  const failures: string[] = [];
  let next = 0;

  const forward = async (incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> => {
    for (let attempt = 1; ; attempt++) {
      const up = ports.filter((port) => ready.get(port));
      const port = up[next++ % up.length] ?? ports[0];
      const { method, url: path, headers } = incoming;
      try {
        const request = send({ agent, host: '127.0.0.1', port, method, path, headers });
        request.end(body);
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        return response;
      } catch (error) {
        const isUnsent = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
        if (!isUnsent || attempt === 5) throw error;
      }
    }
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    try {
      const response = await forward(incoming, body);
      const { connection: _, ...headers } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, headers);
      response.pipe(outgoing);
    } catch (error) {
      failures.push(String(error));
      outgoing.writeHead(502).end();
    }
  });
  server.keepAliveTimeout = 0; // its own clients may be slow
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const look = async (): Promise<void> => {
    for (const port of ports) {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      await response?.arrayBuffer();
      ready.set(port, response?.status === 200);
    }
  };
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  })();
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    failures,
    async sees(port, isReady) {
      while (ready.get(port) !== isReady) await new Promise((resolve) => setTimeout(resolve, interval));
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await looking;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

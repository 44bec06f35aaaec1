import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseRequest } from '@waybill/http/problem-responses';
import { Problem } from '@waybill/http/problems';

/** Milliseconds in which a request must arrive, and in which its response must be read. */
const timeout = 5_000;
/** Further connections are closed. A Prometheus needs one. */
const maxConnections = 20;

interface Listener {
  host: string;
  port: number;
  text: () => Promise<string>;
}

/** Serves GET /metrics, and nothing else. */
export async function serveMetrics({ host, port, text }: Listener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer({
    connectionsCheckingInterval: timeout / 2,
    headersTimeout: timeout,
    requestTimeout: timeout,
  });
  server.maxConnections = maxConnections;
  server.timeout = 2 * timeout;
  server.on('request', async (request, response) => {
    const [path] = request.url?.split('?') ?? [];
    const refuse = (problem: Problem): void => refuseRequest(request, response, problem);
    if (path !== '/metrics') return refuse(new Problem('not_found', 'Only /metrics is here.'));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return refuse(new Problem('method_not_allowed', 'Use GET or HEAD here.'));
    }
    try {
      const body = await text();
      response.writeHead(200, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch {
      refuse(new Problem('internal_error', 'The metrics could not be collected.'));
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return { url: urlOf(server), close: () => closeServer(server) };
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

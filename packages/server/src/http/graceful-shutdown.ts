import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { trackConnections } from './connections.ts';

/** Milliseconds between two attempts to close idle connections, and between two looks at the clock. */
const closeInterval = 20;

interface Timeouts {
  /** Milliseconds for which a closing app still accepts connections and requests. */
  drain: number;
  /** Milliseconds after that in which running and half-sent requests can finish. */
  timeout: number;
}

/**
 * Delays the close of an app so that no request is lost. While it drains, /health/ready fails, load balancers stop
 * sending requests, and each response closes its connection. Idle connections are closed only after that, because a
 * client may be about to send a request on one.
 * @returns a function that returns whether the app is closing
 */
export function drainOnClose(app: FastifyInstance, { drain, timeout }: Timeouts): () => boolean {
  let isClosing = false;
  const connections = trackConnections(app.server);
  app.addHook('preClose', async () => {
    isClosing = true;
    if (!app.server.listening) return; // the server would never emit `close`, and the timers would keep the process running
    // Not only while connections are open: a load balancer may be about to open one.
    const end = performance.now() + drain;
    while (performance.now() < end) await wait(Math.min(closeInterval, drain));
    const timers = [
      setInterval(() => connections.closeIdle(), closeInterval),
      setTimeout(() => {
        const count = connections.closeAll();
        if (count > 0) app.log.warn({ count }, 'closed connections with unfinished requests');
      }, timeout),
    ];
    app.server.once('close', () => timers.forEach(clearTimeout));
    await setImmediate(); // connections in the accept queue are accepted first, and not refused
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  return () => isClosing;
}

import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { trackConnections } from './connections.ts';

/** Milliseconds between two looks for connections that have become idle. */
const interval = 20;

interface Times {
  /** Milliseconds in which a closing app still takes connections and requests. */
  drain: number;
  /** Milliseconds after that for the requests that are under way, or only half sent. */
  timeout: number;
}

/**
 * Lets a closing app go on for a while, so that no request is lost: a load balancer learns from /health/ready that it
 * must turn elsewhere, and every response takes its connection along. A connection that is closed while it is idle may
 * just be chosen for the next request, so the idle ones are closed last.
 * @returns whether the app is closing
 */
export function stopGracefully(app: FastifyInstance, { drain, timeout }: Times): () => boolean {
  let isClosing = false;
  const connections = trackConnections(app.server);
  app.addHook('preClose', async () => {
    isClosing = true;
    if (!app.server.listening) return; // it would never close, and the timers would keep the process
    await connections.empty(drain);
    const timers = [
      setInterval(() => connections.closeIdle(), interval),
      setTimeout(() => {
        const count = connections.closeAll();
        if (count > 0) app.log.warn({ count }, 'closed connections whose requests had not ended');
      }, timeout),
    ];
    app.server.once('close', () => timers.forEach(clearTimeout));
    await setImmediate(); // what waited to be accepted has been accepted now, and is not refused
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  return () => isClosing;
}

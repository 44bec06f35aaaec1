import type { FastifyInstance } from 'fastify';
import { Problem } from './problems.ts';

/** Milliseconds between two looks for connections that have become idle. */
const interval = 100;

/**
 * Lets a closing app finish what is under way and nothing else. Its answers take their connections along; those that
 * had promised to keep theirs are followed until it is idle, because Node closes only what is idle at the start.
 */
export function stopGracefully(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    const timer = setInterval(() => app.server.closeIdleConnections(), interval);
    app.server.once('close', () => clearInterval(timer));
  });
  app.addHook('onRequest', async () => {
    if (closing) throw new Problem('unavailable', 'The service is stopping.');
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}

import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { listenError } from './listen-error.ts';
import { checkStart } from './start-checks.ts';

/** How long closing may take beside the requests, in milliseconds. */
const closeTimeout = 15_000;

/**
 * Listens until SIGINT or SIGTERM; then it drains, and finishes the requests under way.
 * @throws {ConfigError} when it cannot work with these settings
 */
export async function serve(config: Config): Promise<FastifyInstance> {
  await checkStart(config);
  const app = await buildApp(config);
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    await app.close(); // its timers would keep the process
    throw listenError(error, config);
  }
  const delay = config.DRAIN_MS + config.SHUTDOWN_TIMEOUT_MS + closeTimeout;
  closeWithGrace({ delay, logger: false }, async ({ err, signal }) => {
    if (err) app.log.fatal({ err }, 'stopping because of an error');
    else app.log.info(`stopping because of ${signal}`);
    await app.close();
  });
  return app;
}

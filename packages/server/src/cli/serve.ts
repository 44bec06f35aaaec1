import { setDefaultHighWaterMark } from 'node:stream';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import { buildApp, closeTimeoutOf } from '../app.ts';
import { checkDocsFolder, checkStorage } from '../config/checks.ts';
import { checkDatabaseForStart } from '../config/database-checks.ts';
import { type Config, settingError, settingErrors } from '../config.ts';
import { openLog } from './log.ts';

/** Bytes that each stream may buffer. With Node's 64 KiB, 64 transfers of files take 20 MB more (decision 0033). */
const maxBuffered = 16 * 1024;

/**
 * Connections that wait to be accepted. Beyond Node's 511, a client that connects while another one opens thousands of
 * connections would try again after a second.
 */
const backlog = 4096;

/**
 * Starts the service. On SIGINT or SIGTERM it drains connections, finishes running requests and stops.
 * @throws {ConfigError} when it cannot start with these settings
 */
export async function serve(config: Config): Promise<FastifyInstance> {
  setDefaultHighWaterMark(false, maxBuffered);
  await runStartChecks(config);
  const log = openLog(process.stdout.fd, (message) => void process.stderr.write(`${message}\n`));
  const app = await buildApp(config, log).catch((error: unknown) => {
    throw explainListenError(error, config, 'METRICS_PORT');
  });
  const close = (): Promise<void> => app.close().finally(() => log[Symbol.asyncDispose]());
  try {
    await app.listen({ host: config.HOST, port: config.PORT, backlog });
  } catch (error) {
    await close(); // its timers would keep the process running
    throw explainListenError(error, config);
  }
  closeWithGrace({ delay: closeTimeoutOf(config), logger: false }, async ({ err, signal }) => {
    if (err) app.log.fatal({ err }, 'stopping after an unexpected error');
    else app.log.info(`stopping after ${signal}`);
    await close();
  });
  return app;
}

/** Turns an error of listening into one that names the setting to change. Returns any other error unchanged. */
export function explainListenError(
  error: unknown,
  config: Pick<Config, 'HOST' | 'PORT' | 'METRICS_PORT'>,
  name: 'PORT' | 'METRICS_PORT' = 'PORT',
): unknown {
  const { HOST, [name]: port } = config;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return settingError(name, `${port} is used by another program on ${HOST}`);
    case 'EACCES':
      return settingError(name, `${port} is not allowed for this user`);
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return settingError('HOST', `${HOST} is not an address of this machine (${code})`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return settingError('HOST', `${HOST} cannot be resolved to an IP address (${code})`);
    default:
      return error;
  }
}

/**
 * Checks the folders and the database that the settings name, so that the service starts only if it can work. A schema of
 * a later release is accepted: an upgrade migrates before it replaces the instances.
 * @throws {ConfigError} naming every setting that is wrong, what is wrong, what to do, and an example
 */
export async function runStartChecks(config: Config): Promise<void> {
  const findings = await Promise.all([
    checkDocsFolder(config.DOCS_DIR),
    checkStorage(config),
    checkDatabaseForStart(config),
  ]);
  const wrong = findings.flat().filter(({ ok }) => !ok);
  if (wrong.length === 0) return;
  throw settingErrors(
    wrong.map(({ name, message, fix = '' }) => ({
      name: name as keyof Config,
      error: `${message}. ${fix.replace(/\.$/, '')}`,
    })),
  );
}

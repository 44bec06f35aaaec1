import { buildApp } from '@waybill/server/app';
import { runCommand } from '@waybill/server/cli/run';
import { explainListenError, runStartChecks } from '@waybill/server/cli/serve';
import { readConfig } from '@waybill/server/config';

/** Settings of the server. */
export type Environment = Record<string, string | undefined>;

/** Settings of a service that only this machine uses. */
export const localSettings: Environment = {
  DRAIN_MS: '0', // no load balancer watches
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};

/**
 * Starts the service in this process. Disposal completes its requests and stops it.
 * @throws {ConfigError} naming every setting with which it cannot start
 */
export async function startService(env: Environment): Promise<AsyncDisposable> {
  const config = readConfig(env, ['DATABASE_URL', 'SIGNING_KEYS']);
  await runStartChecks(config);
  const app = await buildApp(config);
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    await app.close();
    throw explainListenError(error, config);
  }
  return { [Symbol.asyncDispose]: () => app.close() };
}

/**
 * Runs a `waybill` command in this process.
 * @returns its JSON
 * @throws its message
 */
export async function waybill<Result>(env: Environment, ...args: string[]): Promise<Result> {
  const [output, errors]: [string[], string[]] = [[], []];
  const context = { env, out: (text: string) => void output.push(text), err: (text: string) => void errors.push(text) };
  const code = await runCommand([...args, '--json'], context);
  if (code !== 0) throw new Error(JSON.parse(errors.join('')).error.message);
  return JSON.parse(output.join(''));
}

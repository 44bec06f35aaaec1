import { buildApp } from '@waybill/server/app';
import { runCommand } from '@waybill/server/cli/run';
import { explainListenError, runStartChecks } from '@waybill/server/cli/serve';
import { type Config, readConfig } from '@waybill/server/config';
import type { Environment } from './environment.ts';

/** Reads the settings, and checks the database and the folders. @throws {ConfigError} naming every setting that is wrong */
export async function checkedConfig(env: Environment): Promise<Config> {
  const config = readConfig(env, ['DATABASE_URL', 'SIGNING_KEYS']);
  await runStartChecks(config);
  return config;
}

/** Starts the service in this process. Disposal completes its requests and stops it. */
export async function startService(config: Config): Promise<AsyncDisposable> {
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

import { resolve } from 'node:path';
import { defaultBaseUrl } from '@waybill/contract/operations';

/** The root folder of the repository. */
export const root: string = resolve(import.meta.dirname, '../..');

/** The settings of `start`; the server reads and checks the others. */
export type Settings = ReturnType<typeof readSettings>;

/** A setting is invalid; the message names it and a valid value. */
export class SettingsError extends Error {}

/** @throws {SettingsError} when a variable is invalid */
export function readSettings(env: NodeJS.ProcessEnv) {
  const defaults = new URL(defaultBaseUrl);
  const host = env.HOST || '127.0.0.1';
  const port = portFrom(env, 'PORT', Number(defaults.port));
  const mockPort = portFrom(env, 'MOCK_PORT', 4010);
  if (port === mockPort) {
    throw new SettingsError(
      `PORT and MOCK_PORT are both ${port}. Use different ports, for example MOCK_PORT=${port + 1}`,
    );
  }
  const urlOf = (port: number) => `http://${clientHost(host)}:${port}`;
  return {
    host,
    port,
    mockPort,
    /** Absolute; a relative WAYBILL_DATA_DIR is relative to the repository. */
    dataDir: resolve(root, env.WAYBILL_DATA_DIR || '.waybill'),
    /** The user's database; undefined for the embedded one. */
    databaseUrl: env.DATABASE_URL || undefined,
    /** Base URLs of the API and the mock, with the major version. */
    baseUrl: env.BASE_URL || urlOf(port) + defaults.pathname,
    mockUrl: urlOf(mockPort) + defaults.pathname,
    /** URL of the service on this machine. */
    localUrl: urlOf(port),
  };
}

function portFrom(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name] || String(fallback);
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new SettingsError(`${name} must be a port from 1 to 65535, not '${text}', for example ${name}=${fallback}`);
}

/** The host name by which a client on this machine reaches the service. */
export function clientHost(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

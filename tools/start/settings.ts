import { resolve } from 'node:path';
import { defaultBaseUrl } from '@waybill/contract/operations';

/** The folder of the repository. */
export const root: string = resolve(import.meta.dirname, '../..');

/** What `start` itself takes from the environment; the server reads and checks the rest. */
export interface Settings {
  host: string;
  port: number;
  mockPort: number;
  /** Absolute; the environment's is relative to the repository. */
  dataDir: string;
  /** The deployer's own database; undefined for the embedded one. */
  databaseUrl: string | undefined;
  /** Where clients reach the API and the mock, with the major version. */
  baseUrl: string;
  mockUrl: string;
  /** The service as this machine reaches it. */
  localUrl: string;
}

/** The environment or the command line is not good; the message says what to write instead. */
export class SettingsError extends Error {}

/** @throws {SettingsError} naming the variable, what is wrong with it, and an example */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const usual = new URL(defaultBaseUrl);
  const host = env.HOST || '127.0.0.1';
  const port = portFrom(env, 'PORT', Number(usual.port));
  const mockPort = portFrom(env, 'MOCK_PORT', 4010);
  if (port === mockPort) {
    throw new SettingsError(
      `PORT and MOCK_PORT are both ${port}; give each its own, for example MOCK_PORT=${port + 1}`,
    );
  }
  const at = (on: number) => `http://${nameOf(host)}:${on}`;
  return {
    host,
    port,
    mockPort,
    dataDir: resolve(root, env.WAYBILL_DATA_DIR || '.waybill'),
    databaseUrl: env.DATABASE_URL || undefined,
    baseUrl: env.BASE_URL || at(port) + usual.pathname,
    mockUrl: at(mockPort) + usual.pathname,
    localUrl: at(port),
  };
}

function portFrom(env: NodeJS.ProcessEnv, name: string, usual: number): number {
  const text = env[name] || String(usual);
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new SettingsError(`${name} must be a port from 1 to 65535, not '${text}'; for example ${name}=${usual}`);
}

/** What a client on this machine calls the address that the service listens on. */
function nameOf(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

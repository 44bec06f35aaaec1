import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, localSettings } from '../environment.ts';
import { signingKeys } from './private-files.ts';
import type { Settings } from './settings.ts';

/** The environment of the server and of `waybill` commands beside it: the user's variables, with defaults for a demo. */
export async function serverEnvironment(settings: Settings, databaseUrl: string): Promise<Environment> {
  const { host, port, baseUrl, dataDir, env } = settings;
  return {
    ...localSettings,
    CHECK_RESPONSES: 'true',
    SIGNING_KEYS: await signingKeys(dataDir),
    STORAGE_URL: pathToFileURL(join(dataDir, 'files')).href,
    // The server, too, treats an empty variable as unset.
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrl,
    HOST: host,
    PORT: String(port),
  };
}

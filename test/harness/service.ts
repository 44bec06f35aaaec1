import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '@waybill/server/app';
import { type Config, readConfig } from '@waybill/server/config';
import { connect, type Database } from '@waybill/server/database/connect';
import { freePort } from '@waybill/tools/free-port';
import { inject } from 'vitest';

/** What the tests' services sign URLs with. */
export const signingKey = 'for-the-tests-only-for-the-tests-only';

/** A real server on a free port, on the run's real database. */
export interface Service extends AsyncDisposable {
  /** With the major version: `http://127.0.0.1:1234/v1`. */
  baseUrl: string;
  /** Without it. */
  origin: string;
  /** For looking at what a request left behind; requests themselves have the service's own pool. */
  db: Database;
  /** Where its files are. */
  storageFolder: string;
}

/** @param log gets every line of the log that LOG_LEVEL lets through, parsed */
export async function startService(
  settings: Partial<Record<keyof Config, string>> = {},
  log: Record<string, unknown>[] = [],
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-files-'));
  const port = await freePort();
  const config = readConfig(
    {
      CHECK_RESPONSES: 'true',
      DATABASE_POOL_SIZE: '5',
      DATABASE_TIMEOUT_MS: '60000', // the machine may be busy
      IDEMPOTENCY_WAIT_MS: '60000',
      DATABASE_URL: inject('databaseUrl'),
      DRAIN_MS: '0', // nothing comes any more
      LOG_LEVEL: 'silent',
      OVERLOAD_DELAY_MS: '600000', // the event loop is the tests' own
      PORT: String(port),
      RATE_LIMIT: '1000000', // loads and races are about other things
      SIGNING_KEYS: signingKey,
      STORAGE_URL: `file:${folder}`,
      ...settings,
    },
    ['DATABASE_URL', 'SIGNING_KEYS'],
  );
  const db = connect({ url: config.DATABASE_URL, poolSize: 2, prepared: false });
  const app = await buildApp(config, { write: (line) => void log.push(JSON.parse(line)) });
  await app.listen({ host: config.HOST, port });
  return {
    baseUrl: config.BASE_URL,
    origin: new URL(config.BASE_URL).origin,
    db,
    storageFolder: folder,
    async [Symbol.asyncDispose]() {
      await app.close();
      await db.destroy();
      await rm(folder, { recursive: true });
    },
  };
}

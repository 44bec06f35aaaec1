import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freePort } from '@waybill/tools/free-port';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { startProgram } from '../fixtures/process.ts';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { read } from './site.ts';

test('the built bundle serves the docs without node_modules: the type of a problem resolves', async () => {
  const built = fileURLToPath(new URL('../../packages/server/dist', import.meta.url));
  expect(existsSync(join(built, 'waybill.js')), '`pnpm test` builds it before the tests').toBe(true);
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(built, join(folder, 'app'), { recursive: true });
  const bundle = pathToFileURL(join(folder, 'app/waybill.js'));
  const port = String(await freePort());
  const settings = {
    DATABASE_URL: inject('databaseUrl'),
    SIGNING_KEYS: signingKey,
    PORT: port,
    STORAGE_URL: `file:${folder}/files`,
  };
  await using _server = startProgram(bundle, ['serve'], { ...settings, LOG_LEVEL: 'silent' });
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${origin}/health/ready`)).ok).toBe(true), waitTimeout);
  const { type } = await problemOf(await fetch(`${origin}/v1/shipments`));
  expect(await read(new URL(type, origin).href)).toContain('Not authenticated');
});

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@waybill/tools/free-port';
import { test as base, expect, inject, vi } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { run, startProgram } from '../fixtures/process.ts';
import { open, responsesOf, summaryOf } from '../fixtures/raw-http.ts';
import { refusesConnections } from '../fixtures/refuses-connections.ts';
import { signingKey } from '../fixtures/service.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import { perFile } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { execute, packServer } from './release.ts';

const test = base.extend<{ $file: { release: Awaited<ReturnType<typeof packServer>> } }>({
  release: perFile(packServer),
});

test('the tarball has a version and installs offline without any other package', async ({ release }) => {
  expect(basename(release.tarball)).toMatch(/^waybill-server-[1-9]\d*\.\d+\.\d+\.tgz$/);
  await writeFile(join(release.folder, 'package.json'), '{}');
  const npm = ['--offline', '--no-audit', '--no-fund', '--cache', join(release.folder, 'cache')];
  await execute('npm', ['install', release.tarball, ...npm], { cwd: release.folder });
  const installed = await readdir(join(release.folder, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@waybill']);
  const { stdout } = await execute('npx', ['--offline', 'waybill', '--version'], { cwd: release.folder });
  expect(basename(release.tarball)).toBe(`waybill-server-${stdout.trim()}.tgz`);
});

test('the unpacked tarball creates an account, serves it with its docs, and finishes a request after SIGTERM', async ({
  release,
}) => {
  expect(await readFile(release.file('LICENSE'), 'utf8')).toMatch(/^MIT License/);
  const command = pathToFileURL(release.file('dist/waybill.js'));
  const database = { DATABASE_URL: inject('databaseUrl') };
  const json = async (...args: string[]) => JSON.parse((await run(command, [...args, '--json'], database)).stdout);
  const { account_id } = await json('accounts', 'create', 'Acme');
  const { key } = await json('keys', 'create', account_id, '--scopes', 'shipments:read,shipments:write');

  const port = String(await freePort());
  const files = { STORAGE_URL: `file:${join(release.folder, 'files')}` };
  await using server = startProgram(command, ['serve'], {
    ...{ ...database, ...files, SIGNING_KEYS: signingKey, PORT: port, LOG_LEVEL: 'silent' },
    ...{ DRAIN_MS: '100', DATABASE_TIMEOUT_MS: '60000', OVERLOAD_DELAY_MS: '600000' },
  });
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${origin}/health/ready`)).ok).toBe(true), waitTimeout);
  const { code } = await problemOf(await fetch(`${origin}/v1/shipments`));
  const page = await fetch(`${origin}/docs/errors/${code}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Not authenticated')]);

  const body = JSON.stringify(shipmentRequest());
  const { socket, closed, responses } = await open({ origin });
  socket.write(
    `POST /v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  await responses(1);
  server.signal('SIGTERM');
  await refusesConnections(origin);
  socket.write(body);
  expect(responsesOf(await closed).map(summaryOf)).toEqual(['100', '201']);
  expect(await server.ended).toEqual({ code: 0, stdout: '', stderr: '' });
});

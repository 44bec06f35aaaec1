import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@waybill/client';
import { freePort } from '@waybill/tools/free-port';
import { expect, vi } from 'vitest';
import { startWaybill } from '../cli/run.ts';
import { signingKey } from '../fixtures/service.ts';
import { inTransit, newShipment, proofFor } from '../fixtures/shipments.ts';
import { test as base, type TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { connectTo, putHead } from './connection.ts';
import { declare, delivered, incomingFiles, largePng, put } from './environment.ts';

const size = 300_000;

/** A service whose log can be read. */
async function startLogged() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-aborted-'));
  const program = startWaybill(['serve'], {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    PORT: String(await freePort()),
    SIGNING_KEYS: signingKey,
    STORAGE_URL: `file:${folder}`,
  });
  const [, origin] = await program.waitForOutput(/listening at (http:[^"]+)"/);
  return {
    folder,
    program,
    baseUrl: `${origin}/v1`,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
type Program = Awaited<ReturnType<typeof startLogged>>;

/** `who` is the test's account at the logged service, `warnings` the lines of its log above info in this test. */
const test = base.extend<{ $file: { logged: Program }; $test: { who: TestAccount; warnings: () => string[] } }>({
  logged: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      await using program = await startLogged();
      await use(program);
    },
    { scope: 'file' },
  ],
  who: async ({ account, logged }, use) =>
    use({ ...account, client: createClient({ baseUrl: logged.baseUrl, apiKey: account.key }) }),
  warnings: async ({ logged }, use) => {
    const start = logged.program.output().length;
    const lines = () => logged.program.output().slice(start).split('\n');
    await use(() => lines().filter((line) => line.startsWith('{') && JSON.parse(line).level > 30));
  },
});

test('an aborted upload leaves no file and logs no warning', async ({ logged, who, warnings }) => {
  const { tracking_number } = await newShipment(who);
  const bytes = largePng(size);
  const { upload_url } = await declare(who, tracking_number, bytes);
  const head = putHead(upload_url, { 'content-length': size });
  // Before the first byte, after some, and after the last; the connection is closed in order or reset.
  const sizes = [0, 0, 1, 1000, 70_000, size / 2, size - 1, size - 1, size, size];
  const aborted = Array.from({ length: 50 }, async (_, index) => {
    const { socket } = await connectTo(upload_url);
    socket.write(head);
    const sent = sizes[index % sizes.length] ?? 0;
    if (sent > 0) await new Promise((resolve) => socket.write(bytes.subarray(0, sent), resolve));
    const closed = once(socket, 'close');
    if (index % 3 === 0) socket.resetAndDestroy();
    else socket.destroy();
    await closed.catch(() => {});
  });
  await Promise.all(aborted);
  // A request that was reset before the service has read its head is none; every other has a line.
  const lines = () => logged.program.output().split('"route":"/v1/uploads/:upload_token"').length - 1;
  await vi.waitFor(() => expect(lines()).toBeGreaterThanOrEqual(33), waitTimeout);
  await vi.waitFor(async () => expect(await incomingFiles(logged.folder)).toEqual([]), waitTimeout);
  expect((await put(upload_url, bytes)).status).toBe(204);
  expect(await incomingFiles(logged.folder)).toEqual([]);
  expect(warnings()).toEqual([]);
});

test('an aborted JSON request or download logs no warning', async ({ logged, who, warnings }) => {
  const { tracking_number } = await inTransit(who);
  const bytes = largePng(8_000_000);
  const signature = await who.client.uploadProofFile({
    tracking_number,
    kind: 'signature',
    file: bytes,
    content_type: 'image/png',
  });
  const body = { ...(await proofFor(who, tracking_number)), signature };
  const { data: proof } = await who.client.submitProofOfDelivery({ path: { tracking_number }, body });

  const file = new URL(proof.signature_url);
  const download = await connectTo(file.href);
  download.socket.write(`GET ${file.pathname} HTTP/1.1\r\nhost: ${file.host}\r\n\r\n`);
  await download.responses(1);
  download.socket.destroy();

  const request = await connectTo(logged.baseUrl);
  request.socket.write(
    `POST /v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${who.key}\r\n` +
      'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"type":',
    () => request.socket.destroy(),
  );
  await request.closed;
  await logged.program.waitForOutput(/"route":"\/v1\/files\/:file_token","status":200,[^\n]*closed early/);
  await logged.program.waitForOutput(/"route":"\/v1\/shipments","status":499,[^\n]*closed early/);
  expect(warnings()).toEqual([]);
});

test('a truncated file is logged with its account and upload', async ({ logged, who, warnings }) => {
  const { proof } = await delivered(who, largePng(12_345));
  const folder = join(logged.folder, who.id);
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  const uploadId = names[sizes.indexOf(12_345)] ?? '';
  await truncate(join(folder, uploadId), 5);
  expect((await fetch(proof.signature_url)).status).toBe(500);
  await logged.program.waitForOutput(/"status":500/);
  const [line = '{}', ...others] = warnings();
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ level: 50, err: { accountId: who.id, uploadId } });
});

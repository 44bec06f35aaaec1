import { once } from 'node:events';
import { expect, vi } from 'vitest';
import { problemOf } from '../../fixtures/http.ts';
import { largePng } from '../../fixtures/images.ts';
import { open } from '../../fixtures/raw-http.ts';
import { delivered, newUploadUrl, put } from '../../fixtures/requests.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { type StoredFile, storedFile } from '../../fixtures/stored-files.ts';
import { test as base, perFile } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { putHead } from './environment.ts';

type Line = Record<string, unknown>;

const lines: Line[] = [];

/** `service` writes to `log`, which begins empty for each test. */
const test = base.extend<{ $file: { service: Service }; $test: { log: Line[] } }>({
  service: perFile(() => startService({ LOG_LEVEL: 'info' }, lines)),
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  async log({}, use) {
    lines.length = 0;
    await use(lines);
  },
});

const warnings = (log: Line[]): Line[] => log.filter(({ level }) => Number(level) > 30);

test('an aborted upload leaves no file and logs no warning', async ({ service, account, log }) => {
  const size = 300_000;
  const bytes = largePng(size);
  const url = await newUploadUrl(account, bytes);
  // Before the first byte, after some, and after the last; the connection is closed in order or reset.
  const sizes = [0, 0, 1, 1000, 70_000, size / 2, size - 1, size - 1, size, size];
  const aborted = Array.from({ length: 50 }, async (_, index) => {
    const { socket } = await open({ origin: url });
    socket.write(putHead(url, { 'content-length': size }));
    const sent = sizes[index % sizes.length] ?? 0;
    if (sent > 0) await new Promise((resolve) => socket.write(bytes.subarray(0, sent), resolve));
    const closed = once(socket, 'close');
    if (index % 3 === 0) socket.resetAndDestroy();
    else socket.destroy();
    await closed.catch(() => {});
  });
  await Promise.all(aborted);
  // A request that was reset before the service has read its head is none; every other has a line.
  const uploads = () => log.filter(({ route }) => route === '/v1/uploads/:upload_token');
  await vi.waitFor(() => expect(uploads().length).toBeGreaterThanOrEqual(33), waitTimeout);
  expect((await put(url, bytes)).status).toBe(204);
  // The last of the aborted requests may begin after the others have ended.
  await vi.waitFor(async () => {
    expect(await service.files.incoming()).toEqual([]);
    expect(await service.files.open()).toEqual([]);
  }, waitTimeout);
  expect(warnings(log)).toEqual([]);
});

test('an aborted JSON request or download logs no warning', async ({ service, account, log }) => {
  const { proof } = await delivered(account, largePng(8_000_000));
  const file = new URL(proof.signature_url);
  const download = await open(file);
  // At the first bytes, before the whole file is in the buffers of the network.
  download.socket.once('data', () => download.socket.destroy());
  download.socket.write(`GET ${file.pathname} HTTP/1.1\r\nhost: ${file.host}\r\n\r\n`);
  await download.closed;

  const request = await open(service);
  request.socket.write(
    `POST /v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${account.key}\r\n` +
      'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"type":',
    () => request.socket.destroy(),
  );
  await request.closed;
  const closedEarly = [
    { route: '/v1/files/:file_token', status: 200, msg: 'connection closed early' },
    { route: '/v1/shipments', status: 499, msg: 'connection closed early' },
  ];
  const expected = expect.arrayContaining(closedEarly.map((line) => expect.objectContaining(line)));
  await vi.waitFor(() => expect(log).toEqual(expected), waitTimeout);
  await vi.waitFor(async () => expect(await service.files.open()).toEqual([]), waitTimeout);
  expect(warnings(log)).toEqual([]);
});

test.for([
  ['missing', (file: StoredFile) => file.remove()],
  ['truncated', (file: StoredFile) => file.truncate(5)],
] as const)(
  'getProofFile returns 500 for a %s file and logs its upload',
  async ([, damage], { service, account, log }) => {
    const { proof } = await delivered(account, largePng(12_345));
    const file = await storedFile(service.files, account, 12_345);
    await damage(file);
    const response = await fetch(proof.signature_url);
    expect(response.headers.get('cache-control')).toBeNull();
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal_error' });
    const err = expect.objectContaining({ accountId: account.id, uploadId: file.name });
    expect(warnings(log)).toEqual([expect.objectContaining({ level: 50, err })]);
  },
);

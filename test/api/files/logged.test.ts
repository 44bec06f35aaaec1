import { once } from 'node:events';
import { beforeEach, expect, vi } from 'vitest';
import { largePng } from '../../fixtures/images.ts';
import { open } from '../../fixtures/requests/raw-http.ts';
import { problemOf } from '../../fixtures/requests/send.ts';
import { delivered, newUploadUrl, put } from '../../fixtures/requests/valid-requests.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { storedFile } from '../../fixtures/service/stored-files.ts';
import { test as base, perFile } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { putHead } from './environment.ts';

const log: Record<string, unknown>[] = [];
beforeEach(() => void log.splice(0));
const test = base.extend<{ $file: { service: Service } }>({
  service: perFile(() => startService({ LOG_LEVEL: 'info' }, log)),
});

const warnings = () => log.filter(({ level }) => Number(level) > 30);

test('an aborted upload leaves no file and logs no warning', async ({ service, account }) => {
  const size = 300_000;
  const bytes = largePng(size);
  const url = await newUploadUrl(account, bytes);
  // Before the first byte, after some, and after the last; the connection is closed in order or reset.
  const sizes = [0, 1, 70_000, size / 2, size - 1, size];
  const aborted = Array.from({ length: 24 }, async (_, index) => {
    const { socket, closed } = await open({ origin: url });
    socket.write(putHead(url, { 'content-length': size }));
    await new Promise((resolve) => socket.write(bytes.subarray(0, sizes[index % sizes.length]), resolve));
    if (index < 6) socket.resetAndDestroy();
    else socket.destroy();
    await closed;
  });
  await Promise.all(aborted);
  // A request that was reset before the service has read its head is none; every other has a line.
  const uploads = () => log.filter(({ route }) => route === '/v1/uploads/:upload_token');
  await vi.waitFor(() => expect(uploads().length).toBeGreaterThanOrEqual(18), waitTimeout);
  expect((await put(url, bytes)).status).toBe(204);
  // The last of the aborted requests may begin after the others have ended.
  await vi.waitFor(async () => {
    expect([await service.files.incoming(), await service.files.open()]).toEqual([[], []]);
  }, waitTimeout);
  expect(warnings()).toEqual([]);
});

test('an aborted JSON request or download logs no warning', async ({ service, account }) => {
  const file = new URL((await delivered(account, largePng(8_000_000))).proof.signature_url);
  const download = await open(file);
  download.socket.write(`GET ${file.pathname} HTTP/1.1\r\nhost: ${file.host}\r\n\r\n`);
  // At the first bytes, before the whole file is in the buffers of the network.
  await once(download.socket, 'data');
  download.socket.destroy();
  const { socket } = await open(service);
  const head = `POST /v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${account.key}\r\n`;
  const json = 'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"type":';
  socket.write(head + json, () => socket.destroy());
  const early = { msg: 'connection closed early' };
  const closedEarly = [
    expect.objectContaining({ ...early, route: '/v1/files/:file_token', status: 200 }),
    expect.objectContaining({ ...early, route: '/v1/shipments', status: 499 }),
  ];
  await vi.waitFor(() => expect(log).toEqual(expect.arrayContaining(closedEarly)), waitTimeout);
  await vi.waitFor(async () => expect(await service.files.open()).toEqual([]), waitTimeout);
  expect(warnings()).toEqual([]);
});

test.for(['missing', 'truncated'])(
  'getProofFile returns 500 for a %s file and logs its upload',
  async (damage, { service, account }) => {
    const { proof } = await delivered(account, largePng(12_345));
    const file = await storedFile(service.files, account, 12_345);
    await (damage === 'missing' ? file.remove() : file.truncate(5));
    const response = await fetch(proof.signature_url);
    for (const name of ['cache-control', 'content-disposition']) expect(response.headers.has(name)).toBe(false);
    expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal_error' });
    const err = expect.objectContaining({ accountId: account.id, uploadId: file.name });
    expect(warnings()).toEqual([expect.objectContaining({ level: 50, err })]);
  },
);

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { openStorage } from '@waybill/server/storage/open';
import { type Fault, startProxy } from '@waybill/tools/lab/network/proxy';
import { expect, onTestFinished, test, vi } from 'vitest';
import { largePng } from '../../fixtures/images.ts';
import { s3Files, s3Url } from '../../fixtures/programs/s3.ts';
import { problemOf } from '../../fixtures/requests/send.ts';
import { delivered, newUploadUrl, put, sha256 } from '../../fixtures/requests/valid-requests.ts';
import { startService } from '../../fixtures/service/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

test.concurrent.for<Fault>([{ kind: 'refuse' }, { kind: 'cut' }, { kind: 'black hole' }])(
  'only files return 503 during the network fault $kind to S3, and none of them afterwards',
  async (fault) => {
    await using files = await s3Files();
    await using proxy = await startProxy(files.port);
    const STORAGE_TIMEOUT_MS = fault.kind === 'black hole' ? '5000' : '60000';
    await using service = await startService({ STORAGE_URL: s3Url(proxy.port), STORAGE_TIMEOUT_MS });
    const account = await newAccount(service);
    const { proof } = await delivered(account, largePng(1000));
    const before = await files.list(account.id);
    const [small, large] = [largePng(1000), largePng(3_000_000)];
    const urls = [await newUploadUrl(account, small), await newUploadUrl(account, large)] as const;
    const send = () => Promise.all([fetch(proof.signature_url), put(urls[0], small), put(urls[1], large)]);
    await proxy.set(fault);
    const failing = send();
    await newShipment(account);
    for (const response of await failing) {
      expect(response.headers.get('retry-after')).toBe('2');
      expect(response.headers.get('cache-control')).toBeNull();
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
    }
    expect(await files.list(account.id)).toHaveLength(before.length);
    await proxy.set({ kind: 'none' });
    const statuses = async () => (await send()).map(({ status }) => status);
    await vi.waitFor(async () => expect(await statuses()).toEqual([200, 204, 204]), waitTimeout);
  },
);

test.concurrent('two instances share files, and each waits for the rest of one until STORAGE_TIMEOUT_MS is over', async () => {
  await using files = await s3Files();
  await using patient = await startService({ STORAGE_URL: files.url, STORAGE_TIMEOUT_MS: '60000' });
  await using impatient = await startService({ STORAGE_URL: files.url, STORAGE_TIMEOUT_MS: '1000' });
  const bytes = largePng(300_000);
  const { signature_url } = (await delivered(await newAccount(patient), bytes)).proof;
  const ofOther = signature_url.replace(patient.origin, impatient.origin);
  const hashOfOther = async () => sha256(await (await fetch(ofOther)).bytes());
  await vi.waitFor(async () => expect(await hashOfOther()).toBe(sha256(bytes)), waitTimeout); // a slow S3 is a 503
  const sendRest = files.stallAfter(1000);
  // It is read first: a timeout that is the same for both would end it first.
  const waiting = (await fetch(signature_url)).bytes();
  // On a busy machine the timeout may be over before the head of the response.
  const ended = await fetch(ofOther);
  if (ended.status === 200) await expect(ended.bytes()).rejects.toThrow();
  else expect(await problemOf(ended)).toMatchObject({ status: 503, code: 'unavailable' });
  await vi.waitFor(async () => expect(await files.open()).toHaveLength(1), waitTimeout);
  sendRest();
  expect(sha256(await waiting)).toBe(sha256(bytes));
});

test('the time in which a client is slow does not count as time of S3', async () => {
  await using files = await s3Files();
  const storage = await openStorage(files.url, 60_000);
  const bytes = Buffer.from(largePng(1_000_000));
  const digest = { size: bytes.length, sha256: Buffer.from(sha256(bytes), 'hex') };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await storage.store('key', slowly(bytes), digest);
  const body = (await storage.open('key'))?.read() ?? Readable.from([]);
  body.read(0);
  while (body.readableLength < body.readableHighWaterMark) await setImmediate();
  vi.advanceTimersByTime(120_000);
  expect((await buffer(body)).equals(bytes)).toBe(true);
});

/** Yields chunks two minutes apart. */
async function* slowly(bytes: Buffer): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) {
    vi.advanceTimersByTime(120_000);
    yield bytes.subarray(at, at + 100_000);
  }
}

test('checkWritable writes, reads and removes an object, and names an endpoint that it cannot reach', async () => {
  await using files = await s3Files();
  await (await openStorage(files.url, 10_000)).checkWritable();
  const requests = files.received.map(({ method, url }) => `${method} ${url?.replace(/-[\da-f-]{36}.*/, '')}`);
  expect(requests).toEqual(['PUT', 'GET', 'DELETE'].map((method) => `${method} /waybill/tests/files/write-test`));
  const storage = await openStorage(s3Url(await freePort()), 10_000);
  await expect(storage.checkWritable()).rejects.toThrow(/ECONNREFUSED.*\. Check the endpoint and the network$/);
});

test('an invalid secret returns 503, and the log says what to do without credentials or signatures', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hush-secret').stubEnv('AWS_SESSION_TOKEN', 'hush-token');
  const log: Record<string, unknown>[] = [];
  await using files = await s3Files();
  await using service = await startService({ LOG_LEVEL: 'trace', STORAGE_URL: files.url }, log);
  const bytes = largePng(3_000_000);
  expect((await put(await newUploadUrl(await newAccount(service), bytes), bytes)).status).toBe(503);
  expect(JSON.stringify(log)).toContain('Correct AWS_SECRET_ACCESS_KEY');
  expect(JSON.stringify(log)).not.toMatch(/hush|AWS4-HMAC|x-amz-/i);
  expect(files.received[0]?.headers).toMatchObject({ 'x-amz-security-token': 'hush-token' });
  // S3 refuses the upload before its end, so that its connection cannot be used again.
  await vi.waitFor(async () => expect(await files.connections()).toBe(0), waitTimeout);
});

import { type FileHandle, open } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { largePng } from '../fixtures/images.ts';
import { delivered, newUploadUrl, put } from '../fixtures/requests.ts';
import { startService } from '../fixtures/service.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/** The prototype of all open files of this process, so that a test can make a disk fail. */
async function fileHandles(): Promise<FileHandle> {
  await using file = await open(import.meta.filename);
  return Object.getPrototypeOf(file);
}

test('getProofFile closes the connection when a file ends early', async ({ account }) => {
  const { proof } = await delivered(account, largePng(300_011));
  const handles = await fileHandles();
  using _ = vi
    .spyOn(handles, 'read')
    .mockResolvedValueOnce({ bytesRead: 999, buffer: Buffer.alloc(999) })
    .mockResolvedValueOnce({ bytesRead: 0, buffer: Buffer.alloc(0) });
  const response = await fetch(proof.signature_url);
  expect(response.status).toBe(200);
  await expect(response.bytes()).rejects.toThrow();
});

test('getProofFile closes the file when its size cannot be read', async ({ service, account }) => {
  const { proof } = await delivered(account, largePng(1000));
  using _ = vi.spyOn(await fileHandles(), 'stat').mockRejectedValueOnce(new Error('EIO: i/o error, fstat'));
  expect((await fetch(proof.signature_url)).status).toBe(500);
  expect(await service.files.open()).toEqual([]);
});

test.for(['writeFile', 'sync'] as const)(
  'putProofFile leaves no file when the disk is full at %s',
  async (method, { service, account }) => {
    const bytes = largePng(100_003);
    const url = await newUploadUrl(account, bytes);
    {
      const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      using _ = vi.spyOn(await fileHandles(), method).mockRejectedValueOnce(full);
      const response = await put(url, bytes);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
    }
    expect(await service.files.incoming()).toEqual([]);
    expect((await put(url, bytes)).status).toBe(204);
  },
);

test('getProofFile waits STORAGE_TIMEOUT_MS for the file system, and not longer', async ({
  service: patient,
  account,
}) => {
  const STORAGE_URL = `file:${patient.storageFolder}`;
  await using impatient = await startService({ STORAGE_URL, STORAGE_TIMEOUT_MS: '200' });
  const bytes = largePng(1000);
  const { proof } = await delivered(account, bytes);
  const handles = await fileHandles();
  const { stat } = handles;
  const responding = Promise.withResolvers<void>();
  using hanging = vi.spyOn(handles, 'stat').mockImplementation(async function (this: FileHandle) {
    await responding.promise;
    return stat.call(this);
  } as typeof stat);
  // It is sent first: a timeout that is the same for both would end it first.
  const waiting = fetch(proof.signature_url);
  await vi.waitFor(() => expect(hanging).toHaveBeenCalledTimes(1), waitTimeout);
  const ended = await fetch(proof.signature_url.replace(patient.origin, impatient.origin));
  expect(await problemOf(ended)).toMatchObject({ status: 503, code: 'unavailable' });
  responding.resolve();
  const response = await waiting;
  expect([response.status, await response.bytes()]).toEqual([200, bytes]);
});

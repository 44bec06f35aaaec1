import { type FileHandle, open } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { problemOf } from '../fixtures/http.ts';
import { largePng } from '../fixtures/images.ts';
import { delivered, newUploadUrl, put } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';

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
  'putProofFile returns 503 and leaves no file when the disk is full at %s',
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

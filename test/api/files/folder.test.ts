import { type FileHandle, open } from 'node:fs/promises';
import { boundedCalls } from '@waybill/server/storage/folder';
import { expect, vi } from 'vitest';
import { largePng } from '../../fixtures/images.ts';
import { problemOf } from '../../fixtures/requests/send.ts';
import { newUploadUrl, put } from '../../fixtures/requests/valid-requests.ts';
import { test } from '../../fixtures/test.ts';

const file = await open(import.meta.filename);
await file.close();
/** The prototype of all open files of this process, so that a test can make a disk fail. */
const handles: FileHandle = Object.getPrototypeOf(file);
const errorOf = (code: string) => Object.assign(new Error(code), { code });

test.for(['writeFile', 'sync'] as const)(
  'putProofFile leaves no file when the disk is full at %s',
  async (method, { service, account }) => {
    const bytes = largePng(100_003);
    const url = await newUploadUrl(account, bytes);
    using _ = vi.spyOn(handles, method).mockRejectedValueOnce(errorOf('ENOSPC'));
    const response = await put(url, bytes);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(await service.files.incoming()).toEqual([]);
    expect((await put(url, bytes)).status).toBe(204);
  },
);

test('calls of a file system that hangs fail after the timeout, and leave a thread for others', async () => {
  const run = boundedCalls(100);
  const { promise, resolve } = Promise.withResolvers<string>();
  const hanging = vi.fn(() => promise);
  const discard = vi.fn();
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => run(hanging, discard)));
  const rejected = { status: 'rejected', reason: { code: 'STORAGE_UNAVAILABLE' } };
  expect(results).toMatchObject(results.map(() => rejected));
  expect(hanging).toHaveBeenCalledTimes(3);
  resolve('late');
  expect(await run(async () => 'next')).toBe('next');
  expect(discard.mock.calls).toEqual([['late'], ['late'], ['late']]);
});

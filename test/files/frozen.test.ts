import { rm } from 'node:fs/promises';
import { boundedCalls } from '@waybill/server/storage/folder';
import { expect, test } from 'vitest';

/** A call that ends when the test wants it. */
function hangingCall() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let isStarted = false;
  const call = (): Promise<string> => {
    isStarted = true;
    return promise;
  };
  return { call, resolve, reject, isStarted: () => isStarted };
}

test('calls of a file system that hangs fail after the timeout, and leave a thread for others', async () => {
  const run = boundedCalls(100);
  const calls = Array.from({ length: 5 }, hangingCall);
  const discarded: string[] = [];
  const results = await Promise.allSettled(calls.map(({ call }) => run(call, (late) => discarded.push(late))));
  for (const result of results)
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'STORAGE_UNAVAILABLE' } });
  expect(calls.map(({ isStarted }) => isStarted())).toEqual([true, true, true, false, false]);
  for (const { resolve } of calls) resolve('late');
  expect(await run(async () => 'next')).toBe('next');
  expect(discarded).toEqual(['late', 'late', 'late']);
});

test('errors of the file system are errors of the storage, except for a missing file', async () => {
  const run = boundedCalls(60_000);
  const fail = (code: string) => run(() => Promise.reject(Object.assign(new Error(code), { code })));
  for (const code of ['EROFS', 'EACCES', 'EIO', 'ENOSPC', 'ESTALE'])
    await expect(fail(code)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', message: code });
  await expect(run(() => rm('/nothing/here'))).rejects.toMatchObject({ code: 'ENOENT' });
});

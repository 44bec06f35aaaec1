import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { boundedCalls, type RunCall, TimeoutError } from './bounded-calls.ts';
import type { Storage } from './storage.ts';

/** Bytes of a read. */
const chunkSize = 65_536;

/**
 * Opens the storage in a folder. A file appears under its key complete and synced, by a rename, and is never written again:
 * a reader that has opened it can always read all of it.
 * @param timeout milliseconds that the file system may take for each call
 */
export function openFolder(root: string, timeout: number): Storage {
  const run = boundedCalls(timeout);
  const incoming = join(root, 'incoming');
  const pathOf = (key: string): string => join(root, key);
  const openFile = (path: string, flags?: string, mode?: number): Promise<FileHandle> =>
    run(
      () => open(path, flags, mode),
      (late) => void late.close(),
    );
  const makeFolder = (path: string): Promise<string | undefined> =>
    run(() => mkdir(path, { recursive: true, mode: 0o700 }));

  return {
    async store(key, bytes) {
      const temporary = join(incoming, randomUUID());
      let file: FileHandle | undefined;
      try {
        await makeFolder(incoming);
        const opened = await openFile(temporary, 'wx', 0o600);
        file = opened;
        for await (const chunk of bytes) await run(() => opened.writeFile(chunk));
        await run(() => opened.sync());
        file = undefined;
        await run(() => opened.close());
        const folder = dirname(pathOf(key));
        const created = await makeFolder(folder);
        await run(() => rename(temporary, pathOf(key)));
        await syncFolder(folder, run);
        if (created) await syncFolder(dirname(folder), run);
      } catch (error) {
        // The file is removed only after it is closed, because a pending `open` would create it again.
        const closed = file ? file.close() : Promise.resolve();
        const removed = closed.then(() => run(() => rm(temporary, { force: true }))).catch(() => {});
        if (!(error instanceof TimeoutError)) await removed;
        throw error;
      }
    },
    async open(key) {
      const file = await openFile(pathOf(key)).catch(ifMissing(undefined));
      if (!file) return undefined;
      try {
        const { size } = await run(() => file.stat());
        return { size, read: () => streamOf(file, run), close: () => run(() => file.close()) };
      } catch (error) {
        file.close().catch(() => {}); // it ends when the pending call ends
        throw error;
      }
    },
    async delete(keys) {
      for (const key of keys) await run(() => rm(pathOf(key), { force: true }));
    },
    async removeUnfinished(before, maximum) {
      const names = await run(() => readdir(incoming)).catch(ifMissing([]));
      const paths = names.map(async (name) => {
        const path = join(incoming, name);
        const found = await run(() => stat(path)).catch(ifMissing(undefined));
        return found?.isFile() && found.mtime <= before ? [path] : [];
      });
      const abandoned = (await Promise.all(paths)).flat().slice(0, maximum);
      for (const path of abandoned) await run(() => rm(path, { force: true }));
      return abandoned.length;
    },
    /** Writes a file, because permissions do not show that a file system is read-only or full. */
    async checkWritable() {
      const path = join(root, `write-test-${randomUUID()}`);
      await makeFolder(root);
      await run(() => writeFile(path, Buffer.alloc(4096), { flush: true }));
      await run(() => rm(path));
    },
  };
}

/** Makes a rename durable. Windows does so by itself and cannot open a folder. */
async function syncFolder(path: string, run: RunCall): Promise<void> {
  if (process.platform === 'win32') return;
  await run(async () => {
    const folder = await open(path);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  });
}

/** Streams a file and closes it at the end. */
const streamOf = (file: FileHandle, run: RunCall): Readable =>
  new Readable({
    highWaterMark: chunkSize,
    read(size) {
      run(() => file.read(Buffer.allocUnsafe(size), 0, size)).then(
        ({ buffer, bytesRead }) => this.push(bytesRead > 0 ? buffer.subarray(0, bytesRead) : null),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      file.close().then(() => done(error), done);
    },
  });

/** Makes a `catch` handler that returns `value` when there is no such file, and throws any other error again. */
const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

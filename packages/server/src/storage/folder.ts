import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { type Storage, StorageError } from './storage.ts';

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

/** Runs one call. @param discard gets the result of a call that has ended after its timeout */
type RunCall = <Result>(call: () => Promise<Result>, discard?: (result: Result) => void) => Promise<Result>;

/** A call that has not ended in time, and may still have its effect. */
class TimeoutError extends StorageError {}

/**
 * Calls of the file system that may run at a time: fewer than the 4 threads of Node. A call that hangs cannot be aborted and
 * occupies its thread, and new connections to the database need threads, too.
 */
const maxRunning = 3;

/**
 * Limits the number of concurrent calls and the duration of each, including its wait for others.
 * @param timeout in milliseconds
 * @returns a function that runs a call; it throws a StorageError after the timeout and for every error of the system but
 * ENOENT
 */
export function boundedCalls(timeout: number): RunCall {
  let running = 0;
  const waiting = new Set<() => void>();
  const startNext = (): void => {
    const [next] = waiting;
    if (!next || running >= maxRunning) return;
    waiting.delete(next);
    next();
  };
  return (call, discard) =>
    new Promise((resolve, reject) => {
      let isLate = false;
      const start = async (): Promise<void> => {
        running++;
        try {
          const result = await call();
          if (isLate) discard?.(result);
          else resolve(result);
        } catch (error) {
          reject(storageErrorFrom(error));
        } finally {
          clearTimeout(timer);
          running--;
          startNext();
        }
      };
      const timer = setTimeout(() => {
        isLate = true;
        waiting.delete(start);
        reject(new TimeoutError(`The file system did not respond within ${timeout} ms.`));
      }, timeout);
      waiting.add(start);
      startNext();
    });
}

/** The caller handles a missing file, and errors that are not of the system. */
function storageErrorFrom(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code === 'ENOENT') return error;
  return new StorageError(error.message, { cause: error });
}

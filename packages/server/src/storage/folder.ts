import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Storage } from './storage.ts';

/**
 * Opens the storage in a folder. A file appears under its key complete and synced, by a rename, and is never written again:
 * a reader that has opened it can always read all of it.
 */
export function openFolder(root: string): Storage {
  const incoming = join(root, 'incoming');
  const pathOf = (key: string): string => join(root, key);

  return {
    async store(key, bytes) {
      const temporary = join(incoming, randomUUID());
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      // The file is removed only after it is closed, because a pending `open` would create it again.
      const file = await open(temporary, 'wx', 0o600);
      try {
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        const folder = dirname(pathOf(key));
        const created = await mkdir(folder, { recursive: true, mode: 0o700 });
        await rename(temporary, pathOf(key));
        await syncFolder(folder);
        if (created) await syncFolder(dirname(folder));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async open(key) {
      const file = await open(pathOf(key)).catch(ifMissing(undefined));
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        return { size, read: () => file.createReadStream(), close: () => file.close() };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    async removeUnfinished(before, maximum) {
      const names = await readdir(incoming).catch(ifMissing([]));
      const paths = names.map(async (name) => {
        const path = join(incoming, name);
        const found = await stat(path).catch(ifMissing(undefined));
        return found?.isFile() && found.mtime <= before ? [path] : [];
      });
      const abandoned = (await Promise.all(paths)).flat().slice(0, maximum);
      for (const path of abandoned) await rm(path, { force: true });
      return abandoned.length;
    },
    /** Writes a file, because permissions do not show that a file system is read-only. */
    async checkWritable() {
      const path = join(root, `write-test-${randomUUID()}`);
      await mkdir(root, { recursive: true, mode: 0o700 });
      await writeFile(path, '');
      await rm(path);
    },
  };
}

/** Makes a rename durable. Windows does so by itself and cannot open a folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes a `catch` handler that returns `value` when there is no such file, and throws any other error again. */
const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

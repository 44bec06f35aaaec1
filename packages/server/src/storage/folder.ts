import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderOf } from './folder-url.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the storage in a folder. A file appears under its key complete and synced, by a rename, and is never written again:
 * a reader that has opened it can always read all of it.
 * @param url `file:` and a folder, absolute or relative to the working folder
 */
export function openStorage(url: string): Storage {
  const root = folderOf(url);
  const incoming = join(root, 'incoming');
  const incomingPath = (name: string): string => join(incoming, name);
  const pathOf = (key: string): string => join(root, key);
  const discard = (name: string): Promise<void> => rm(incomingPath(name), { force: true });

  return {
    async receive(bytes) {
      const name = randomUUID();
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      // The file is removed only after it is closed, because a pending `open` would create it again.
      const file = await open(incomingPath(name), 'wx', 0o600);
      try {
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        return name;
      } catch (error) {
        await discard(name);
        throw error;
      }
    },
    async commit(name, key) {
      const folder = dirname(pathOf(key));
      try {
        const created = await mkdir(folder, { recursive: true, mode: 0o700 });
        await rename(incomingPath(name), pathOf(key));
        await syncFolder(folder);
        if (created) await syncFolder(dirname(folder));
      } catch (error) {
        await discard(name);
        throw error;
      }
    },
    discard,
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
    delete: (key) => rm(pathOf(key), { force: true }),
    async listIncoming() {
      const names = await readdir(incoming).catch(ifMissing([]));
      const files = names.map(async (name) => {
        const found = await stat(incomingPath(name)).catch(ifMissing(undefined));
        return found?.isFile() ? [{ name, changedAt: found.mtime }] : [];
      });
      return (await Promise.all(files)).flat();
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

import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../fixtures/service.ts';
import type { TestAccount } from '../fixtures/test.ts';

/** The head of a PUT request. */
export const putHead = (url: string, headers: Record<string, string | number>): string => {
  const { host, pathname } = new URL(url);
  const fields = Object.entries({ host, 'content-type': 'image/png', ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return `PUT ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

/** The names of files that were not received to the end. */
export const incomingFiles = ({ storageFolder }: Service): Promise<string[]> =>
  readdir(join(storageFolder, 'incoming')).catch(() => []);

/** The path of the account's stored file of this size. */
export async function storedFile({ storageFolder }: Service, { id }: TestAccount, size: number): Promise<string> {
  const folder = join(storageFolder, id);
  for (const name of await readdir(folder)) {
    if ((await stat(join(folder, name))).size === size) return join(folder, name);
  }
  throw new Error(`No stored file has ${size} bytes`);
}

/** The open files below a service's folder. Only Linux lists them. */
export async function openFiles({ storageFolder }: Service): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(storageFolder));
}

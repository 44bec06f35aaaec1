import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

export type Storage = Disk;

/** Opens the place where files are kept. @param url `file:` and a folder, absolute or relative to the working folder */
export function openStorage(url: string): Storage {
  const location = url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
  return new Disk(new FSDriver({ location, visibility: 'private' }));
}

/** Where bytes lie until they are verified. */
export const incoming = 'incoming';

/** Where an upload's verified bytes lie. */
export const storageKey = (account: string, uploadId: string): string => `${account}/${uploadId}`;

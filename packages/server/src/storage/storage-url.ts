import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { s3UrlError } from './s3-url.ts';

export const isS3 = (url: string): boolean => url.startsWith('s3:');

/** Returns the folder of a `file:` URL, absolute or relative to the working folder. @throws when the URL is malformed */
export const folderOf = (url: string): string =>
  url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));

/** Returns what is wrong with the URL of a storage, as a clause; undefined when it is valid. */
export function storageUrlError(url: string): string | undefined {
  if (isS3(url)) return s3UrlError(url);
  if (!/^file:./.test(url)) return 'must be file: and a folder, or s3:// and a bucket';
  try {
    folderOf(url);
    return undefined;
  } catch (error) {
    return `is not valid (${error instanceof Error ? error.message : error})`;
  }
}

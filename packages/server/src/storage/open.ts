import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFolder } from './folder.ts';
import { s3Location, s3UrlError } from './s3-url.ts';
import type { Storage } from './storage.ts';

/**
 * Opens the folder or bucket that a valid URL names.
 * @param timeout milliseconds that the storage may take to respond, or to accept or send the next bytes
 */
export async function openStorage(url: string, timeout: number): Promise<Storage> {
  if (!isS3(url)) return openFolder(folderOf(url), timeout);
  // Imported here, so that a service with a folder does not load the S3 client.
  const { openBucket } = await import('./s3.ts');
  return openBucket(s3Location(url), timeout);
}

const isS3 = (url: string): boolean => url.startsWith('s3:');

/** Returns the folder of a `file:` URL, absolute or relative to the working folder. @throws when the URL is malformed */
const folderOf = (url: string): string =>
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

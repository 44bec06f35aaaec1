import { openFolder } from './folder.ts';
import { s3Location } from './s3-url.ts';
import type { Storage } from './storage.ts';
import { folderOf, isS3 } from './storage-url.ts';

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

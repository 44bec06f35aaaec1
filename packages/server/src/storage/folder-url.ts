import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of a `file:` URL, absolute or relative to the working folder. @throws when the URL is malformed */
export const folderOf = (url: string): string =>
  url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));

/** Returns what is wrong with the URL of a folder, as a clause; undefined when it is valid. */
export function folderUrlError(url: string): string | undefined {
  if (!/^file:./.test(url)) return 'must be file: and a folder';
  try {
    folderOf(url);
    return undefined;
  } catch (error) {
    return `is not valid (${error instanceof Error ? error.message : error})`;
  }
}

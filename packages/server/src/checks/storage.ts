import type { Config } from '../config.ts';
import { openStorage } from '../storage/open.ts';
import { type Finding, failed, messageOf, passed } from './finding.ts';

type Settings = Pick<Config, 'STORAGE_URL' | 'STORAGE_TIMEOUT_MS'>;

/** Stores a file, because permissions do not show that a file system is read-only or full. */
export async function checkStorage({ STORAGE_URL, STORAGE_TIMEOUT_MS }: Settings): Promise<Finding> {
  try {
    const storage = await openStorage(STORAGE_URL, STORAGE_TIMEOUT_MS);
    await storage.checkWritable();
    return passed('STORAGE_URL', 'is writable');
  } catch (error) {
    const fix = 'Let the service write there, or name another place.';
    return failed('STORAGE_URL', `is not writable (${messageOf(error)})`, fix);
  }
}

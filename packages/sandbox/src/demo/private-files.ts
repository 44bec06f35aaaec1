import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file that only its owner can read, atomically. */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, file);
}

/** SIGNING_KEYS of this data folder, created at the first start so that signed URLs stay valid across starts. */
export async function signingKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, 'signing-keys');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const created = randomBytes(32).toString('hex');
    await writePrivateFile(file, `${created}\n`);
    return created;
  }
}

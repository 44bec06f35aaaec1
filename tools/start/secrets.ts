import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file that only its owner may read, whole or not at all. */
export async function keep(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, file);
}

/** The SIGNING_KEYS of this data folder, made at the first start: links of earlier starts stay good. */
export async function signingKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, 'signing-keys');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const made = randomBytes(32).toString('hex');
    await keep(file, `${made}\n`);
    return made;
  }
}

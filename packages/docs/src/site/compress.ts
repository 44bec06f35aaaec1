import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Smaller files fit into one or two packets. */
const minBytes = 1024;

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }; // the highest quality takes ten times as long

/** Writes `.br` and `.gz` files next to each file of a folder, so that the server need not compress. Fonts are compressed. */
export async function compress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.woff2'))) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (bytes.length < minBytes) continue;
    await writeFile(`${path}.br`, brotliCompressSync(bytes, brotli));
    await writeFile(`${path}.gz`, gzipSync(bytes));
  }
}

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

interface Generated {
  /** The folder relative to the repository. */
  name: string;
  /** What the files are made from. */
  source: string;
}

/**
 * Makes a folder of generated files: writes those that differ and removes others. With `--check` on the command line it
 * changes nothing, and sets exit code 1 when the committed files differ.
 * @param files name → content
 */
export async function writeGenerated(
  folder: URL,
  files: Record<string, string>,
  { name, source }: Generated,
): Promise<void> {
  const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
  const stale = (await readdir(folder)).filter((file) => !(file in files));
  if (!check) await Promise.all(stale.map((file) => rm(new URL(file, folder))));
  for (const [file, content] of Object.entries(files)) {
    const url = new URL(file, folder);
    if ((await readFile(url, 'utf8').catch(() => '')) === content) continue;
    stale.push(file);
    if (!check) await writeFile(url, content);
  }
  if (check && stale.length > 0) {
    console.error(`${name} is behind ${source} (${stale.join(', ')}).`);
    console.error('Run `npx -y pnpm@12 generate` and commit the result; never edit these files by hand.');
    process.exitCode = 1;
  } else {
    console.log(stale.length > 0 ? `Updated ${stale.join(', ')}.` : `The files in ${name} match ${source}.`);
  }
}

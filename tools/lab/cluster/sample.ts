import { readFile } from 'node:fs/promises';

const folder = new URL('../../../deploy/cluster/', import.meta.url);

/**
 * Reads a configuration file of `deploy/cluster/`, and replaces its addresses and paths, so that what runs is what the
 * guide names.
 * @param replacements text of the file → text that replaces it
 * @throws when the file does not contain such a text
 */
export async function sampleWith(file: string, replacements: Record<string, string>): Promise<string> {
  let text = await readFile(new URL(file, folder), 'utf8');
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${file} has no '${from}'.`);
    text = text.replaceAll(from, to);
  }
  return text;
}

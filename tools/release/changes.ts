import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Change } from './change.ts';
import type { Document } from './document.ts';
import { type Difference, isProse, isWord, sentences } from './sentences.ts';
import { wordChanges } from './words.ts';

/** The linter of the contract is the contract's own dependency. */
const redocly = fileURLToPath(new URL('../../spec/node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

export const readDocument = async (file: URL): Promise<Document> => JSON.parse(await readFile(file, 'utf8'));

/** Every change from a released document to a revision of it; what is shared counts once, not at each of its uses. */
export async function changesBetween(releasedFile: URL, revisionFile: URL): Promise<Change[]> {
  const files = [releasedFile, revisionFile].map((file) => fileURLToPath(file));
  const args = [redocly, 'diff', ...files, '--config', config, '--format', 'json', '--fail-on', 'none'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  const differences: Difference[] = JSON.parse(stdout).changes;
  const [released, revision] = [await readDocument(releasedFile), await readDocument(revisionFile)];

  const seen = differences.flatMap((difference) => rated(difference, released, revision));
  return [...seen, ...wordChanges(released, revision)];
}

function rated(difference: Difference, released: Document, revision: Document): Change[] {
  const { verdicts, base } = difference;
  const pointer = (difference.revision ?? base)?.pointer ?? '';
  const verdict = verdicts.find(({ impact }) => impact === 'major');
  if (verdict && !isRoomier(difference)) {
    const why = `${verdict.ruleId.replace('house/', '')}: ${verdict.message}`;
    return sentences(difference, released, revision).map((one) => ({ ...one, impact: 'major', pointer, why }));
  }
  if (isProse(difference) || isWord(difference)) return [];
  return sentences(difference, released, revision).map((one) => ({ ...one, impact: 'minor', pointer, why: '' }));
}

/**
 * Room for longer texts and lists: Redocly calls it breaking in answers. But what may be sent comes back in answers, so
 * that no limit could ever be widened; clients hold what they are sent.
 */
function isRoomier({ property = '', base, revision }: Difference): boolean {
  if (!['maxLength', 'maxItems'].includes(property)) return false;
  return Number(revision?.value ?? Number.POSITIVE_INFINITY) > Number(base?.value);
}

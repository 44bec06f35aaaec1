import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Change } from './change.ts';
import type { Document } from './document.ts';
import { type Difference, entriesOf, isExtension, isProse } from './entries.ts';
import { extensionChanges } from './extensions.ts';

const redocly = fileURLToPath(new URL('../../spec/node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

export const readDocument = async (file: URL): Promise<Document> => JSON.parse(await readFile(file, 'utf8'));

/** Every change from the released document to its revision. A change of a shared component counts once. */
export async function changesBetween(releasedFile: URL, revisionFile: URL): Promise<Change[]> {
  const files = [releasedFile, revisionFile].map((file) => fileURLToPath(file));
  const args = [redocly, 'diff', ...files, '--config', config, '--format', 'json', '--fail-on', 'none'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  const differences: Difference[] = JSON.parse(stdout).changes;
  const [released, revision] = [await readDocument(releasedFile), await readDocument(revisionFile)];

  const reported = differences.flatMap((difference) => rated(difference, released, revision));
  return [...reported, ...extensionChanges(released, revision)];
}

function rated(difference: Difference, released: Document, revision: Document): Change[] {
  const { verdicts, base } = difference;
  const pointer = (difference.revision ?? base)?.pointer ?? '';
  const verdict = verdicts.find(({ impact }) => impact === 'major');
  if (verdict && !isWiderLimit(difference)) {
    const why = `${verdict.ruleId.replace('waybill/', '')}: ${verdict.message}`;
    return entriesOf(difference, released, revision).map((entry) => ({ ...entry, impact: 'major', pointer, why }));
  }
  if (isProse(difference) || isExtension(difference)) return [];
  return entriesOf(difference, released, revision).map((entry) => ({ ...entry, impact: 'minor', pointer, why: '' }));
}

/**
 * Longer texts and lists. Redocly rates them as breaking in responses. But responses return what requests contain, so no
 * limit could ever be raised. Clients must accept any length.
 */
function isWiderLimit({ property = '', base, revision }: Difference): boolean {
  if (!['maxLength', 'maxItems'].includes(property)) return false;
  return Number(revision?.value ?? Number.POSITIVE_INFINITY) > Number(base?.value);
}

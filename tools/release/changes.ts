import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { at, type Deprecation, type Document, deprecationOf, keysOf } from './document.ts';
import { type Difference, type Entry, entriesOf, isProse } from './entries.ts';
import { withComparableExtensions } from './extensions.ts';

const redocly = fileURLToPath(new URL('../../spec/node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

export interface Change extends Entry {
  isBreaking: boolean;
  /** JSON pointer into the document that contains the changed part. */
  pointer: string;
  /** For a breaking change: the rule and its reason. Otherwise empty. */
  why: string;
  /** Whether it is an operation, parameter, header, field or value that leaves: first, each must be deprecated. */
  isLeaving: boolean;
  /** Of what becomes deprecated, or of what leaves in the released contract. */
  deprecation: Deprecation | undefined;
}

/** Every change from the released document to its revision. A change of a shared component counts once. */
export async function changesBetween(released: Document, revision: Document): Promise<Change[]> {
  const documents = [withComparableExtensions(released), withComparableExtensions(revision)] as const;
  const differences = await differencesBetween(...documents);
  return differences.flatMap((difference) => {
    const { ruleId = '', message } = difference.verdicts.find(({ impact }) => impact === 'major') ?? {};
    const isCompatible = isWiderLimit(difference) || isNewVariant(difference, documents[0]);
    const isBreaking = message !== undefined && !isCompatible;
    if (!isBreaking && isProse(difference)) return [];
    const why = isBreaking ? `${ruleId.replace('waybill/', '')}: ${message}` : '';
    const { pointer = '' } = difference.revision ?? difference.base ?? {};
    return entriesOf(difference, ...documents).map((entry) => {
      const { section, part = '' } = entry;
      const [document, keys] =
        section === 'Removed' ? [released, keysOf(difference.base?.pointer ?? '')] : [revision, keysOf(pointer)];
      return {
        ...entry,
        isBreaking,
        pointer: withoutRow(pointer),
        why,
        isLeaving: section === 'Removed' && (part !== '' || namedParts.includes(keys.at(-2) ?? '')),
        deprecation: deprecationOf(document, [...keys, part], part),
      };
    });
  });
}

/** What contains parts that can be deprecated. */
const namedParts = ['parameters', 'headers', 'properties'];

/** The rows of tables in specification extensions have keys that extensions.ts defines. */
const withoutRow = (pointer: string): string => pointer.replace(/(?<=\/x-[\w-]+)\/.+/, '');

/** Runs `redocly diff` with the rules of redocly.yaml. */
async function differencesBetween(released: Document, revision: Document): Promise<Difference[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waybill-release-'));
  const files = [join(folder.path, 'released.json'), join(folder.path, 'revision.json')] as const;
  await writeFile(files[0], JSON.stringify(released));
  await writeFile(files[1], JSON.stringify(revision));
  const args = [redocly, 'diff', ...files, '--config', config, '--format', 'json', '--fail-on', 'none'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout).changes;
}

/** A variant of a union with a discriminator. Redocly does not know that responses may have new ones. */
function isNewVariant({ kind, revision }: Difference, released: Document): boolean {
  const keys = keysOf(revision?.pointer ?? '');
  if (kind !== 'added' || keys.at(-2) !== 'oneOf') return false;
  return (at(released, keys.slice(0, -2)) as Record<string, unknown> | undefined)?.discriminator !== undefined;
}

/**
 * Longer texts and lists. Redocly rates them as breaking in responses. But responses return what requests contain, so no
 * limit could ever be raised. Clients must accept any length.
 */
function isWiderLimit({ property = '', base, revision }: Difference): boolean {
  if (!['maxLength', 'maxItems'].includes(property)) return false;
  return Number(revision?.value ?? Number.POSITIVE_INFINITY) > Number(base?.value);
}

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Ended, run } from '../fixtures/process.ts';

/** A change at a place of the contract, such as `paths /shipments post`; `undefined` removes it. */
export type Edit = [place: string, newValue: (value: never) => unknown];

/** A copy of the files of the release command. Both contracts are the last release, with edits. */
export interface RepositoryCopy extends AsyncDisposable {
  /** Writes the last release with edits, as the released or the current contract. */
  write(which: 'released' | 'revision', ...edits: Edit[]): Promise<void>;
  release(...args: string[]): Promise<Ended>;
  read(path: string): Promise<string>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = { released: 'spec/released/openapi.json', revision: 'packages/contract/generated/openapi.json' };

/** The contract has no closed enumerations in responses, so the copies get two. */
const closedEnumerations: Edit[] = [
  ['components schemas ProofUpload properties kind', () => ({ type: 'string', enum: ['signature', 'photo'] })],
  ['components schemas ProofUpload properties speed', () => ({ type: 'string', enum: ['slow', 'fast'] })],
];

export async function newRepositoryCopy(): Promise<RepositoryCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-release-'));
  const parts = ['tools/package.json', 'tools/release', 'tools/command-line.ts', ...Object.values(files)];
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, 'spec/node_modules'), join(folder, 'spec/node_modules'));
  const contract = await readFile(join(root, files.released), 'utf8');
  const copy: RepositoryCopy = {
    write: (which, ...edits) =>
      writeFile(join(folder, files[which]), edited(contract, [...closedEnumerations, ...edits])),
    release: (...args) => run(pathToFileURL(join(folder, 'tools/release/main.ts')), args),
    read: (path) => readFile(join(folder, path), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
  await copy.write('released');
  await copy.write('revision');
  return copy;
}

function edited(contract: string, edits: Edit[]): string {
  const document: unknown = JSON.parse(contract);
  for (const [place, newValue] of edits) {
    const keys = place.split(' ');
    const key = keys.pop() ?? '';
    const parent = keys.reduce((node, key) => (node as Record<string, unknown>)[key], document) as Record<
      string,
      never
    >;
    if (!parent || typeof parent !== 'object') throw new Error(`The contract has nothing at ${place}.`);
    const value = newValue(parent[key] as never);
    if (value === undefined && !(key in parent)) throw new Error(`The contract has nothing at ${place}.`);
    parent[key] = value as never; // JSON leaves out what is undefined
  }
  return JSON.stringify(document, null, 2);
}

export const removed = (): undefined => undefined;
export const changedTo = (value: unknown) => (): unknown => value;
/** A list with more values. */
export const withAdded =
  (...values: unknown[]) =>
  (list: unknown[]): unknown[] => [...list, ...values];
/** A list without a value. */
export const without =
  (value: unknown) =>
  (list: unknown[]): unknown[] =>
    list.filter((item) => item !== value);
/** Renames a key in place. */
export const renamedKey =
  (from: string, to: string) =>
  (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key === from ? to : key, value]));
export const version = (text: string): Edit => ['info version', changedTo(text)];

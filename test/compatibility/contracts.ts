import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { release } from '@waybill/tools/release';

type Node = Record<string, unknown>;

/** Changes the document of a contract. */
export type Edit = (document: Node) => void;

/** A folder with two contracts. Both are the last release, with edits. */
export interface Contracts extends AsyncDisposable {
  /** The URL of the folder. */
  root: URL;
  /** Writes the released or the current contract. */
  write(which: keyof typeof files, ...edits: Edit[]): Promise<void>;
  /** Runs the release command. */
  release(isCheck?: boolean): ReturnType<typeof release>;
  read(path: string): Promise<string>;
}

const files = { released: 'spec/released/openapi.json', revision: 'packages/contract/generated/openapi.json' };
const lastRelease = await readFile(new URL(`../../${files.released}`, import.meta.url), 'utf8');

export async function newContracts(...edits: Edit[]): Promise<Contracts> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-contracts-'));
  for (const file of Object.values(files)) await mkdir(join(folder, file, '..'), { recursive: true });
  const root = pathToFileURL(`${folder}/`);
  const contracts: Contracts = {
    root,
    write(which, ...changes) {
      const document: Node = JSON.parse(lastRelease);
      for (const edit of [...closedEnumerations, ...changes]) edit(document);
      return writeFile(join(folder, files[which]), JSON.stringify(document, null, 2));
    },
    release: (isCheck = false) => release(root, isCheck),
    read: (path) => readFile(join(folder, path), 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
  await contracts.write('released');
  await contracts.write('revision', ...edits);
  return contracts;
}

/**
 * Replaces the value at a place: keys from the root or from `components schemas`, separated by spaces. Without a value it
 * is removed.
 */
export const update =
  (place: string, newValue: (value: never) => unknown): Edit =>
  (document) => {
    const keys = place.split(' ');
    const key = keys.pop() ?? '';
    const schemas = (document.components as Node).schemas as Node;
    const root = (keys[0] ?? key) in schemas ? schemas : document;
    const parent = keys.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], root) as Node | undefined;
    const value = newValue(parent?.[key] as never);
    if (!parent || (value === undefined && !(key in parent))) throw new Error(`The contract has nothing at ${place}.`);
    parent[key] = value; // JSON leaves out what is undefined
  };

export const remove = (place: string): Edit => update(place, () => undefined);
export const set = (place: string, value: unknown): Edit => update(place, () => structuredClone(value));
/** Adds a value to a list. */
export const add = (place: string, value: unknown): Edit => update(place, (list: unknown[]) => [...list, value]);
/** Removes a value from a list. */
export const drop = (place: string, value: unknown): Edit =>
  update(place, (list: unknown[]) => list.filter((item) => item !== value));
/** Renames a key in place. */
export const rename = (place: string, from: string, to: string): Edit =>
  update(place, (node: Node) =>
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key === from ? to : key, value])),
  );

/** The contract has no closed enumerations in responses. */
const closedEnumerations: Edit[] = [
  set('ProofUpload properties kind', { type: 'string', enum: ['signature', 'photo'] }),
  set('ProofUpload properties speed', { type: 'string', enum: ['slow', 'fast'] }),
];

import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { release } from '@waybill/tools/release/release';

type Node = Record<string, unknown>;

export type Edit = (document: Node) => void;

const files = { released: 'spec/released/openapi.json', revision: 'packages/contract/generated/openapi.json' };
const lastRelease = await readFile(new URL(`../../../${files.released}`, import.meta.url), 'utf8');

/** A folder with two contracts. Both are the last release, the current one with edits. */
export async function newContracts(...edits: Edit[]) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'waybill-contracts-'));
  for (const file of Object.values(files)) await mkdir(join(folder.path, file, '..'), { recursive: true });
  const root = pathToFileURL(`${folder.path}/`);
  const write = (which: keyof typeof files, ...changes: Edit[]): Promise<void> => {
    const document: Node = JSON.parse(lastRelease);
    for (const edit of [...ofBoth, ...changes]) edit(document);
    return writeFile(join(folder.path, files[which]), JSON.stringify(document, null, 2));
  };
  await write('released');
  await write('revision', ...edits);
  return {
    root,
    write,
    release: (isCheck = false) => release(root, isCheck),
    read: (path: string) => readFile(join(folder.path, path), 'utf8'),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

/** Replaces or removes the value at a place: keys from the root, `components` or a schema, and fields of schemas. */
export const update =
  (place: string, newValue: (value: never) => unknown): Edit =>
  (document) => {
    const keys = place.split(' ');
    const key = keys.pop() ?? '';
    const components = document.components as Node & { schemas: Node };
    const roots: Node[] = [document, components, components.schemas];
    const root = roots.find((node) => (keys[0] ?? key) in node);
    const parent = keys.reduce(child, root);
    const value = newValue(parent?.[key] as never);
    if (!parent || (value === undefined && !(key in parent))) throw new Error(`The contract has nothing at ${place}.`);
    parent[key] = value; // JSON leaves out what is undefined
  };

const child = (node: Node | undefined, key: string): Node | undefined =>
  (node?.[key] ?? (node?.properties as Node | undefined)?.[key]) as Node | undefined;

export const remove = (place: string): Edit => update(place, () => undefined);
export const set = (place: string, value: unknown): Edit => update(place, () => structuredClone(value));
export const add = (place: string, value: unknown): Edit => update(place, (list: unknown[]) => [...list, value]);
export const drop = (place: string, value: unknown): Edit =>
  update(place, (list: unknown[]) => list.filter((item) => item !== value));
export const rename = (place: string, from: string, to: string): Edit =>
  update(place, (node: Node) =>
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key === from ? to : key, value])),
  );

/** What `x-deprecation` says. */
export const until = (sunset: string, since = '2999-01-31') => ({ since, sunset, instead: 'Use `x`.' });

export const deprecate = (place: string, sunset: string): Edit[] => [
  set(`${place} deprecated`, true),
  set(`${place} x-deprecation`, until(sunset)),
];

/** The contract has no closed enumerations in responses, and nothing deprecated. */
const ofBoth: Edit[] = [
  ...deprecate('Shipment properties tracking_number', '3001-01-31'),
  set('ProofUpload properties kind', { type: 'string', enum: ['signature', 'photo'] }),
  set('ProofUpload properties speed', { type: 'string', enum: ['slow', 'fast'] }),
];

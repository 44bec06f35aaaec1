/** Makes the clients with `redocly generate-client`, corrects what `amendments/` names, and writes each into its package. */
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import type { Amendment } from './amendments/amendment.ts';
import { go } from './amendments/go.ts';
import { java } from './amendments/java.ts';
import { php } from './amendments/php.ts';
import { python } from './amendments/python.ts';

/** Where the generated file of each language stands in the folder of the clients, and what is corrected in it. */
const languages: Record<string, { file: string; target: string; amendments: Amendment[] }> = {
  python: { file: 'client.py', target: 'python/waybill/client.py', amendments: python },
  java: { file: 'Client.java', target: 'java/src/main/java/waybill/Client.java', amendments: java },
  go: { file: 'client.go', target: 'go/client.go', amendments: go },
  php: { file: 'client.php', target: 'php/src/client.php', amendments: php },
};

await using made = await mkdtempDisposable(join(tmpdir(), 'waybill-clients-'));
const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const contract = join(made.path, 'openapi.json');
await writeFile(contract, JSON.stringify(withNamedObjects(document)));
const config = join(import.meta.dirname, 'redocly.yaml');
const args = ['generate-client', contract, '--config', config, '--go-package', 'waybill'];
await promisify(execFile)(process.execPath, [redocly, ...args, '--output', join(made.path, 'client.ts')]);
for (const [language, { file, target, amendments }] of Object.entries(languages)) {
  const generated = await readFile(join(made.path, file), 'utf8');
  const client = amendments.reduce((text, each) => amended(text, each, language), generated);
  await writeFile(join(import.meta.dirname, target), client);
}

/**
 * The contract with a reference where the bundle repeats a component with another description, and with `anyOf` where an object may
 * be null: the generator makes no class of an object without a name, and none of one whose type says that it may be null.
 */
function withNamedObjects({ components, ...others }: typeof document): object {
  const schemas: Record<string, { type?: unknown }> = { ...(components.schemas as object) };
  const refs: string[] = [];
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [shapeOf(schema), name]));
  for (const [name, schema] of Object.entries(schemas)) {
    if (!Array.isArray(schema.type) || !schema.type.includes('object')) continue;
    schemas[name] = { ...schema, type: 'object' };
    refs.push(`#/components/schemas/${name}`);
  }
  return JSON.parse(JSON.stringify({ ...others, components: { ...components, schemas } }), (key, value) => {
    if (refs.includes(value?.$ref)) return { anyOf: [value, { type: 'null' }] };
    const name = value?.properties && !(key in schemas) && names.get(shapeOf(value));
    return name ? { $ref: `#/components/schemas/${name}` } : value;
  });
}

/** A schema without its descriptions, as text. */
function shapeOf(schema: object): string {
  return JSON.stringify(schema, (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
}

/** @throws when the amendment no longer fits what the generator wrote */
function amended(source: string, { why, find, replace }: Amendment, language: string): string {
  if (source.search(find) < 0) throw new Error(`The ${language} client has nothing to amend any more: ${why}`);
  return source.replaceAll(find, replace as string);
}

import { readFile } from 'node:fs/promises';
import { type Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../packages/server/dist/${path}`, import.meta.url), 'utf8');

test.for(['', 'docs/'])('%ssbom.cdx.json is valid CycloneDX', async (folder) => {
  const text = await read(`${folder}sbom.cdx.json`);
  const validator = new Validation.JsonStrictValidator(JSON.parse(text).specVersion as Spec.Version);
  expect(await validator.validate(text)).toBeNull();
});

test('sbom.cdx.json lists every library with code in the bundle, and no other', async () => {
  const components: Record<string, string>[] = JSON.parse(await read('sbom.cdx.json')).components;
  const listed = components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`).sort();
  // Another plugin writes it, from the code in the bundle.
  const bundled = [...(await read('LICENSES.txt')).matchAll(/^Name: (.+)\nVersion: (.+)$/gm)];
  const libraries = bundled.filter(([, name]) => !name?.startsWith('@waybill/'));
  expect(listed).toEqual(libraries.map(([, name, version]) => `${name} ${version}`).sort());
  expect(listed.join()).toMatch(/(^|,)fastify 5\..*,pg 8\./);
  for (const { name, licenses } of components) expect(licenses, name).not.toEqual([]);
});

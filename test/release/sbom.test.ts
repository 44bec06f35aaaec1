import { readFile } from 'node:fs/promises';
import { type Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';

const built = new URL('../../packages/server/dist/', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, built), 'utf8');

interface Sbom {
  specVersion: `${Spec.Version}`;
  metadata: { component: { version: string } };
  components: { group?: string; name: string; version: string; licenses: unknown[] }[];
}

test.for(['', 'docs/'])('%ssbom.cdx.json is valid CycloneDX', async (folder) => {
  const text = await read(`${folder}sbom.cdx.json`);
  const { specVersion } = JSON.parse(text) as Sbom;
  expect(await new Validation.JsonStrictValidator(specVersion as Spec.Version).validate(text)).toBeNull();
});

test('sbom.cdx.json lists every library with code in the bundle, and no other', async () => {
  const { components } = JSON.parse(await read('sbom.cdx.json')) as Sbom;
  const listed = components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`).sort();
  // Another plugin writes it, from the code in the bundle.
  const licenses = await read('LICENSES.txt');
  const bundled = [...licenses.matchAll(/^Name: (.+)\nVersion: (.+)$/gm)].map(
    ([, name, version]) => `${name} ${version}`,
  );
  expect(listed).toEqual(bundled.sort());
  expect(listed.join()).toMatch(/(^|,)fastify 5\..*,pg 8\./);
  for (const { name, licenses } of components) expect(licenses, name).not.toEqual([]);
});

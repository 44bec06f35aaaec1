import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runTypeScript } from '../fixtures/typescript.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
}

/** The module with the type and the validation of a manifest. */
const modelOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`;

let manifests: Manifest[];
beforeAll(async () => {
  const source = await readFile(new URL('../../deploy/kubernetes/waybill.yaml', import.meta.url), 'utf8');
  manifests = parseAllDocuments(source).map((document) => document.toJS({ merge: true }));
});

test('the Kubernetes manifests have valid values', async () => {
  expect(manifests.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget']);
  for (const manifest of manifests) {
    const { [manifest.kind]: Model } = await import(/* @vite-ignore */ modelOf(manifest));
    new Model(manifest).validate(); // throws
  }
});

test('the Kubernetes manifests have only known fields', async () => {
  // Validation accepts unknown fields; the compiler does not.
  const source = manifests.map(({ apiVersion, kind, ...fields }, index) => {
    const type = `import('${modelOf({ apiVersion, kind })}').I${kind}`;
    return `export const manifest${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...fields })};`;
  });
  await runTypeScript(source.join('\n'), []); // throws
});

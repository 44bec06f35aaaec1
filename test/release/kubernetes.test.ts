import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runTypeScript } from '../fixtures/programs/typescript.ts';

test('the Kubernetes manifests have valid values and only known fields', async () => {
  const source = await readFile(new URL('../../deploy/kubernetes/waybill.yaml', import.meta.url), 'utf8');
  const manifests = parseAllDocuments(source).map((document) => document.toJS({ merge: true }));
  expect(manifests.map(({ kind }) => kind)).toEqual([
    ...['ConfigMap', 'Deployment', 'Service', 'PodDisruptionBudget'],
    ...['HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy'],
  ]);
  const lines: string[] = [];
  for (const { apiVersion, kind, ...fields } of manifests) {
    const model = `kubernetes-models/${apiVersion}/${kind}`;
    const { [kind]: Model } = await import(/* @vite-ignore */ model);
    new Model({ apiVersion, kind, ...fields }).validate(); // throws
    lines.push(
      `export const a${kind}: import('${model}').I${kind} = ${JSON.stringify({ apiVersion, kind, ...fields })};`,
    );
  }
  // Validation accepts unknown fields; the compiler does not.
  await runTypeScript(lines.join('\n'), []); // throws
});

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

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

test('the Kubernetes manifests have only known fields', () => {
  // Validation accepts unknown fields; the compiler does not.
  const file = fileURLToPath(new URL('manifests.ts', import.meta.url));
  const source = manifests
    .map(({ apiVersion, kind, ...fields }, index) => {
      const type = `import('${modelOf({ apiVersion, kind })}').I${kind}`;
      return `export const manifest${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...fields })};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
    module: ts.ModuleKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map((error) => ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  expect(messages).toEqual([]);
});

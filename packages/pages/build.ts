/** Builds the pages, unless they are newer than their sources. Node runs the modules in `dist/`, because it runs no JSX. */
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
/** What pages are made from. A folder is newer when a file in it was added or removed. */
const sources = [
  ...['*.ts', 'generate/**', 'package.json', 'src/**', '../../pnpm-lock.yaml'],
  ...['../client/src/**', '../contract/generated/**', '../contract/src/**'],
];
/** One of the files that the build writes last. */
const lastFile = join(folder, 'dist/tracking/page.js');

const modifiedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

async function buildPages(): Promise<void> {
  const { files } = await import('./generate.ts');
  mkdirSync(join(folder, 'generated'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'generated', name), content);
  await build({
    absWorkingDir: folder,
    entryPoints: ['src/**/*.ts', 'src/**/*.tsx'],
    outbase: 'src',
    outdir: 'dist',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    bundle: true, // so that the plugin sees the imports
    packages: 'external',
    plugins: [
      {
        name: 'a file for each module',
        setup({ onResolve }) {
          onResolve({ filter: /^[.]/ }, ({ path, kind }) => {
            if (kind === 'entry-point') return undefined;
            return { path: path.includes('/generated/') ? path : path.replace(/[.]tsx?$/, '.js'), external: true };
          });
        },
      },
    ],
  });
}

const newest = Math.max(...globSync(sources, { cwd: folder }).map((path) => modifiedAt(join(folder, path))));
if (modifiedAt(lastFile) < newest) await buildPages();

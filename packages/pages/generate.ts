/** The files that the sources import: the bundled style and scripts, the lists of places and of land. `build.ts` writes them. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { cityCredit, places } from './generate/cities.ts';
import { atlas, boardLand, licence } from './generate/geography.ts';
import { languageNames } from './src/messages/languages.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Removes the other exports of a language. esbuild cannot: a page chooses the language when it runs. */
const onlyTexts = (names: string[]): Plugin => ({
  name: 'only-texts',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/messages\/[a-z]{2}\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^export (?=const (\w+))/gm, (found, name: string) =>
        names.includes(name) ? found : '',
      ),
      loader: 'ts',
    })),
});

/** @param texts what it imports of a language */
async function bundle(
  entry: string,
  format: 'iife' | 'esm' = 'iife',
  texts: string[] = [],
): Promise<{ text: string; licenses: string }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    metafile: true,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format,
    conditions: ['waybill-source'],
    target: ['chrome109', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    plugins: [onlyTexts(texts)],
  });
  return { text: (outputFiles[0]?.text ?? '').trim(), licenses: licensesOf(Object.keys(metafile.inputs)) };
}

/** The licenses of the libraries that files belong to, which require to be passed on. */
function licensesOf(files: string[]): string {
  const libraries = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  const texts = [...new Set(libraries)].map((library) => {
    const name = library.replace(/.*node_modules\//, '');
    const license = readdirSync(join(folder, library)).find((file) => /^license/i.test(file));
    if (!license) throw new Error(`${name} has no license file.`);
    return `${name}\n\n${readFileSync(join(folder, library, license), 'utf8').trim()}\n`;
  });
  return texts.sort().join('\n---\n\n');
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const { text: style } = await bundle('src/tracking/tracking.css');
const { text: script } = await bundle('src/tracking/script.ts');

const assets = `export const style: string = ${JSON.stringify(style)};

export const script: string = ${JSON.stringify(script)};

/** Of both texts, for the content security policy. */
export const hashes: { style: string; script: string } = ${JSON.stringify({ style: sourceOf(style), script: sourceOf(script) })};
`;

const driver = await bundle('src/driver/main.tsx', 'esm', ['locale', 'driver']);
const driverStyle = await bundle('src/driver/driver.css');
const driverWorker = await bundle('src/driver/worker.js');

const driverAssets = `export const style: string = ${JSON.stringify(driverStyle.text)};

export const script: string = ${JSON.stringify(driver.text)};

export const worker: string = ${JSON.stringify(driverWorker.text)};

/** Of the libraries in the script. */
export const licenses: string = ${JSON.stringify(driver.licenses)};
`;

const board = await bundle('src/board/main.tsx', 'esm', ['name', 'locale']);
const boardStyle = await bundle('src/board/board.css');
const boardTexts = await Promise.all(
  languageNames.map(async (language) => {
    const { text } = await bundle(`src/messages/${language}.ts`, 'esm', ['board']);
    return [language, text];
  }),
);

const boardAssets = `export const style: string = ${JSON.stringify(boardStyle.text)};

export const script: string = ${JSON.stringify(board.text)};

/** The script with the texts of each language. */
export const texts: Record<string, string> = ${JSON.stringify(Object.fromEntries(boardTexts))};

/** The land of the map, as JSON. */
export const land: string = ${JSON.stringify(boardLand)};

/** Of the libraries in the script, of the land, and of the cities that the service knows. */
export const licenses: string = ${JSON.stringify(`${board.licenses}\n---\n\nus-atlas and world-atlas\n\n${licence}\n\n---\n\n${cityCredit}\n`)};
`;

/** Name → content. */
export const files: Record<string, string> = {
  ...{ 'assets.ts': assets, 'driver.ts': driverAssets, 'board.ts': boardAssets },
  ...{ 'places.json': places, 'atlas.json': atlas },
};

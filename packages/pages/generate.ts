/** Bundles the style and the script of the pages, and makes the lists of places and of land. `--check` fails when a committed file differs. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeGenerated } from '@waybill/contract/write-generated';
import { geoArea } from 'd3-geo';
import { build, type Plugin } from 'esbuild';
import type { Position } from 'geojson';
import iso3166 from 'iso-3166-2';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { type City, readRegions, regionCode, zoneOfCity } from './regions.ts';
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

const { text: style } = await bundle('src/browser/tracking.css');
const { text: script } = await bundle('src/browser/tracking.ts');

const assets = `// Made from src/browser/ by \`npx -y pnpm@12 generate\`. Do not edit.

export const style: string = ${JSON.stringify(style)};

export const script: string = ${JSON.stringify(script)};

/** Of both texts, for the content security policy. */
export const hashes: { style: string; script: string } = ${JSON.stringify({ style: sourceOf(style), script: sourceOf(script) })};
`;

const driver = await bundle('src/driver/main.ts', 'esm', ['locale', 'driver']);
const driverStyle = await bundle('src/driver/driver.css');
const driverWorker = await bundle('src/driver/worker.js');

const driverAssets = `// Made from src/driver/ by \`npx -y pnpm@12 generate\`. Do not edit.

export const style: string = ${JSON.stringify(driverStyle.text)};

export const script: string = ${JSON.stringify(driver.text)};

export const worker: string = ${JSON.stringify(driverWorker.text)};

/** Of the libraries in the script. */
export const licenses: string = ${JSON.stringify(driver.licenses)};
`;

const board = await bundle('src/board/main.ts', 'esm', ['name', 'locale']);
const boardStyle = await bundle('src/board/board.css');
const boardTexts = await Promise.all(
  languageNames.map(async (language) => {
    const { text } = await bundle(`src/messages/${language}.ts`, 'esm', ['board']);
    return [language, text];
  }),
);

/** Two decimals are about a kilometre. */
const round = (degrees: number): number => Math.round(degrees * 100) / 100;

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(import.meta.resolve(name)), 'utf8'));

const regionsOf = readRegions(readJson, iso3166.data);
const cities = readJson('city-timezones/data/cityMap.json') as City[];
const usable = cities.filter(({ iso2, timezone }) => iso2 && timezone);
const zones = [...new Set(usable.map(zoneOfCity))].sort();
const rows = usable
  .sort((a, b) => b.pop - a.pop || (a.city < b.city ? -1 : 1))
  .map((city) => {
    const { iso2, lat, lng, province, state_ansi } = city;
    const name = city.city.replace(/, D\.C\.$/, '');
    const code = regionCode(regionsOf[iso2 ?? ''], iso2, state_ansi || province || '');
    const region = iso2 === 'US' ? code : province || '';
    return JSON.stringify([name, region, iso2, round(lat), round(lng), zones.indexOf(zoneOfCity(city)), code]);
  });
const countries = new Set(usable.map(({ iso2 }) => iso2));
const regions = Object.entries(regionsOf)
  .filter(([country]) => countries.has(country))
  .map(([country, all]) => `${JSON.stringify(country)}:${JSON.stringify(all)}`);
const sources = 'city-timezones, MIT; iso-3166-2, MIT; cldr-core and cldr-subdivisions-full, Unicode-3.0';
const places = `{"source":"${sources}","zones":${JSON.stringify(zones)},"regions":{\n${regions.join(',\n')}\n},"places":[\n${rows.join(',\n')}\n]}\n`;

/** Parts of a degree: 0.2 km, and 5 km for the map of the board, which browsers load. */
const precision = 500;
const boardPrecision = 20;
const usa = '840'; // ISO 3166-1 numeric

const states = polygonsOf('us-atlas/states-10m.json', 'states');
/** The states of the US and all other countries, as polygons. */
const land = [...polygonsOf('world-atlas/countries-50m.json', 'countries'), ...states];
const boardLand = [...polygonsOf('world-atlas/countries-110m.json', 'countries'), ...states];

function polygonsOf(file: string, name: string): Position[][][] {
  const topology = readJson(file) as Topology;
  const { features } = feature(topology, topology.objects[name] as GeometryCollection);
  return features.flatMap(({ id, geometry }) => {
    if (name === 'countries' && id === usa) return [];
    if (geometry.type === 'MultiPolygon') return geometry.coordinates;
    return geometry.type === 'Polygon' ? [geometry.coordinates] : [];
  });
}

/** Longitude and latitude of each point, as the difference from the point before. @param parts of a degree */
function stepsOf(ring: Position[], parts: number): number[] {
  let last = { x: 0, y: 0 };
  return ring.flatMap(([lng = 0, lat = 0], index) => {
    const point = { x: Math.round(lng * parts), y: Math.round(lat * parts) };
    const step = [point.x - last.x, point.y - last.y];
    last = point;
    return index > 0 && step.every((part) => part === 0) ? [] : step;
  });
}

const rounded = (ring: Position[]): Position[] =>
  ring.map((point) => point.map((degrees) => Math.round(degrees * boardPrecision) / boardPrecision));

/** Without islands that are a line or a point at this precision: their polygons would be all the rest of the earth. */
const boardRings = boardLand.flatMap((polygon) => {
  const area = geoArea({ type: 'Polygon', coordinates: polygon.map(rounded) });
  return area > 0 && area < 2 * Math.PI ? [polygon.map((ring) => stepsOf(ring, boardPrecision))] : [];
});

// The licence requires its text in every copy.
const licence = readFileSync(new URL(import.meta.resolve('us-atlas/LICENSE')), 'utf8').trim();

const atlas = `{"source":"us-atlas and world-atlas","licence":${JSON.stringify(licence)},"precision":${precision},"land":[\n${land.map((rings) => JSON.stringify(rings.map((ring) => stepsOf(ring, precision)))).join(',\n')}\n]}\n`;

const boardAssets = `// Made from src/board/ by \`npx -y pnpm@12 generate\`. Do not edit.

export const style: string = ${JSON.stringify(boardStyle.text)};

export const script: string = ${JSON.stringify(board.text)};

/** The script with the texts of each language. */
export const texts: Record<string, string> = ${JSON.stringify(Object.fromEntries(boardTexts))};

/** The land of the map, as JSON. */
export const land: string = ${JSON.stringify(JSON.stringify({ precision: boardPrecision, land: boardRings }))};

/** Of the libraries in the script, and of the land. */
export const licenses: string = ${JSON.stringify(`${board.licenses}\n---\n\nus-atlas and world-atlas\n\n${licence}\n`)};
`;

await writeGenerated(
  new URL('generated/', import.meta.url),
  {
    ...{ 'assets.ts': assets, 'driver.ts': driverAssets, 'board.ts': boardAssets },
    ...{ 'places.json': places, 'atlas.json': atlas },
  },
  { name: 'packages/pages/generated', source: 'packages/pages/src and the packages of geographic data' },
);

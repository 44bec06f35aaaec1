import { describe, expect, test } from 'vitest';
import { arrows, type Package, packages, undeclared, wrongDependencies, wrongWays } from './packages.ts';
import { sourceOf, sourcesIn } from './sources.ts';

const all = await packages();
const sources = await sourcesIn('spec', 'packages', 'tools', 'test');

/** What is only built: the bundler takes what it imports into what is published. */
const bundled = ['packages/client', 'packages/docs'];

test('every package has its place in the arrows', () => {
  const places = Object.keys(arrows).sort();
  expect(all.map(({ folder }) => folder).sort(), 'Name it in test/architecture/packages.ts.').toEqual(places);
});

test('arrows go one way: spec → contract → server, client, mock, docs → test', () => {
  expect(sources.length).toBeGreaterThan(200);
  const mend =
    'Move what both need to the contract, or do the work where both may be known: in test/ or tools/. ' +
    'Other packages are imported by their name, through their exports.';
  expect(wrongWays(sources, all), mend).toEqual([]);
  expect(wrongDependencies(all), mend).toEqual([]);
});

test('what is imported is declared, and what runs needs no development dependency', () => {
  const mend = 'Declare it in package.json of the package that imports it, with `catalog:`.';
  expect(undeclared(sources, all, bundled), mend).toEqual([]);
});

describe('the finder sees', () => {
  const from = (path: string, text: string): string[] => wrongWays([sourceOf(path, text)], all);

  test.for<[string, string]>([
    ['packages/server/src/a.ts', "import { createClient } from '@waybill/client';"],
    ['packages/server/src/a.ts', "import type { Client } from '@waybill/client';"],
    ['packages/server/src/a.ts', "export * from '@waybill/mock';"],
    ['packages/server/src/a.ts', "export { x } from '@waybill/docs/x.ts';"],
    ['packages/mock/src/a.ts', "const server = await import('@waybill/server/app');"],
    ['packages/mock/src/a.ts', "let app: import('@waybill/server/app').App;"],
    ['packages/mock/src/a.ts', "const path = import.meta.resolve('@waybill/server/app');"],
    ['packages/mock/src/a.ts', "const x = require('@waybill/server/app');"],
    ['packages/client/src/a.ts', "import '@waybill/tools/postgres';"],
    ['packages/docs/src/a.ts', "import { createClient } from '@waybill/client';"],
    ['packages/contract/tables.ts', "import { app } from '@waybill/server/app';"],
    ['tools/bench/a.ts', "import { test } from '@waybill/test/fixtures/test.ts';"],
    ['tools/bench/a.ts', "import { test } from '../../test/fixtures/test.ts';"],
    ['packages/server/src/a.ts', "import { x } from '../../client/src/client.ts';"],
    ['packages/server/src/a.ts', "const file = new URL('../../docs/dist/index.html', import.meta.url);"],
    ['test/contract-driven/a.ts', "import { x } from '../../packages/server/src/app.ts';"],
    ['packages/server/src/a.ts', 'const x = await import(name);'],
    ['packages/docs/samples/a.ts', "import { app } from '@waybill/server/app';"],
  ])('%s: %s', ([path, text]) => {
    expect(from(path, text)).toHaveLength(1);
  });

  test.for<[string, string]>([
    ['packages/docs/samples/a.ts', "import { createClient } from '@waybill/client';"],
    ['packages/server/src/a.ts', "import { x } from './b.ts'; // import '@waybill/client'"],
    ['packages/server/src/a.ts', 'const text = "import { x } from \'@waybill/client\'";'],
    ['tools/start/a.ts', "const root = new URL('../../', import.meta.url);"],
  ])('nothing wrong in %s: %s', ([path, text]) => {
    expect(from(path, text)).toEqual([]);
  });

  test('a dependency against the arrows, and one that is missing', () => {
    const server = all.find(({ folder }) => folder === 'packages/server') as Package;
    const others = all.filter((each) => each !== server);
    const planted = { ...server, devDependencies: [...server.devDependencies, '@waybill/client'] };
    expect(wrongDependencies([...others, planted])).toEqual([
      'packages/server/package.json depends on @waybill/client',
    ]);
    const bare = { ...server, dependencies: [], devDependencies: ['fastify'] };
    const source = sourceOf('packages/server/src/a.ts', "import fastify from 'fastify'; import type { A } from 'pg';");
    expect(undeclared([source], [...others, bare], bundled)).toHaveLength(2);
    expect(undeclared([source], all, bundled)).toEqual([]);
  });
});

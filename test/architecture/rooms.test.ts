import { expect, test } from 'vitest';
import { circles, roomsOf, server } from './rooms.ts';
import { sourceOf, sourcesIn } from './sources.ts';

const sources = await sourcesIn(server);

/** Library → the one room that knows it, so that another can take its place there. */
const homes: Record<string, string> = {
  'fastify-openapi-glue': 'contract',
  canonicalize: 'contract',
  pg: 'database',
  dataloader: 'database',
  'rate-limiter-flexible': 'rate-limit',
  ioredis: 'rate-limit',
  'ipaddr.js': 'rate-limit',
  'image-dimensions': 'files',
  commander: 'command',
  'env-schema': 'config.ts',
  'typeid-js': 'identifiers.ts',
};

test.for(Object.entries(homes))('only one room knows %s', ([library, room]) => {
  const mend = `Ask ${server}${room} for what is needed; it is the only place that imports ${library}.`;
  expect(roomsOf(library, sources), mend).toEqual([room]);
});

test('the rooms of the server do not go round in circles', () => {
  const mend = 'Move what both rooms need into one of its own, or to the room that the other already needs.';
  expect(circles(sources), mend).toEqual([]);
});

test('the finder sees a circle, but not one of types, and a library in a second room', () => {
  const file = (path: string, text: string) => sourceOf(`${server}${path}`, text);
  const a = file('a/one.ts', "import { two } from '../b/two.ts';");
  const b = file('b/two.ts', "import { three } from '../c/three.ts';");
  const c = file('c/three.ts', "import { one } from '../a/one.ts'; import pg from 'pg';");
  expect(circles([a, b, c])).toHaveLength(3);
  expect(circles([a, b, c])[0]).toBe(
    `a: ${server}a/one.ts imports ../b/two.ts, ${server}b/two.ts imports ../c/three.ts, ${server}c/three.ts imports ../a/one.ts`,
  );
  expect(circles([a, b, file('c/three.ts', "import type { one } from '../a/one.ts';")])).toEqual([]);
  expect(roomsOf('pg', [a, c, file('d.ts', "import { Pool } from 'pg/lib';")])).toEqual(['c', 'd.ts']);
});

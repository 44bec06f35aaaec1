import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { saidOf } from '../quality/readme.ts';
import { planted } from './defect.ts';
import { defects } from './list/all.ts';

const root = new URL('../../', import.meta.url);
const tests: string[] = [];
for await (const path of glob('**/*.test.ts', { cwd: new URL('test', root) })) tests.push(path);

test.each(defects)('there is a place for: $name', (defect) => {
  const text = readFileSync(new URL(defect.file, root), 'utf8');
  expect(planted(defect, text)).not.toBe(text);
});

test.each(defects)('there are tests that should notice: $name', ({ seenBy }) => {
  for (const filter of seenBy.split(' ')) expect(tests.some((path) => path.includes(filter))).toBe(true);
});

test('no two defects have one name', () => {
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
  expect(defects.length).toBeGreaterThanOrEqual(30);
});

test('the README says that each of them was noticed', () => {
  const all = `${defects.length} of ${defects.length}`;
  expect(saidOf('small defects planted, each noticed'), 'Run `npx -y pnpm@12 test:defects`.').toBe(all);
});

test('a defect that does not fit is told', () => {
  const edits: [string, string][] = [['a', 'b']];
  const defect = { name: 'a as b', file: 'some.ts', edits, seenBy: '' };
  for (const text of ['', 'a a']) expect(() => planted(defect, text)).toThrow("'a as b' no longer fits some.ts");
});

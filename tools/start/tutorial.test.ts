import { execFileSync } from 'node:child_process';
import { json, quoted } from '@waybill/sandbox/demo/shell';
import { expect, test, vi } from 'vitest';
import { tutorial } from './tutorial.ts';

const sh = (script: string) => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
const account = { account_id: 'a', api_key: 'wbk_shipper', carrier_api_key: 'wbk_carrier' };

test('quoted and json survive the shell unchanged, and json expands variables and commands', () => {
  const text = `it's "$HOME" \`x\` !! \\n`;
  expect(sh(`printf %s ${quoted(text)}`)).toBe(text);
  const value = { text, long: 'x'.repeat(100), list: ['$ONE'], at: '$(now)' };
  const printed = sh(`ONE='a b'; now() { echo noon; }; printf %s ${json(value)}`);
  expect(JSON.parse(printed)).toEqual({ ...value, list: ['a b'], at: 'noon' });
});

test('the tutorial plans from the time when it runs, not when it was written', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-01'), toFake: ['Date'] });
  const text = await tutorial('http://localhost:1/v1', account, '/tmp');
  vi.useRealTimers();
  expect(text).not.toContain('"20');
  const start = Date.now();
  const [one = 0, day = 0] = sh(`${text.split('\n').find((line) => line.startsWith('later()'))}; later 1; later 24`)
    .trim()
    .split('\n')
    .map((time) => Date.parse(time) - start);
  expect(one).toBeGreaterThan(0);
  expect(day - one).toBe(23 * 3_600_000);
});

test('the tutorial can be pasted into a shell: no comments, tabs or history expansion', async () => {
  const text = await tutorial('http://localhost:1/v1', account, "/tmp/it's here");
  sh(`sh -n <<'END'\n${text}END`);
  expect(text).not.toMatch(/^\s*#|\t|!/m);
  expect(text.split('\n').filter((line) => line.length > 200)).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { json, quoted } from './shell.ts';
import { walk } from './walk.ts';

const sh = (script: string) => execFileSync('sh', ['-c', script], { encoding: 'utf8' });
const account = { account_id: 'a', api_key: 'wbk_shipper', carrier_api_key: 'wbk_carrier' };

test('the shell reads text and JSON as they were meant', () => {
  const text = `it's "$HOME" \`x\` !! \\n`;
  expect(sh(`printf %s ${quoted(text)}`)).toBe(text);
  const value = { text, long: 'x'.repeat(100), list: ['$ONE'], at: '$(now)' };
  const printed = sh(`ONE='a b'; now() { echo noon; }; printf %s ${json(value)}`);
  expect(JSON.parse(printed)).toEqual({ ...value, list: ['a b'], at: 'noon' });
});

test('the walk can be pasted: no comments, no tabs, no history expansion', async () => {
  const text = await walk({ baseUrl: 'http://localhost:1/v1', account, folder: "/tmp/it's here" });
  sh(`sh -n <<'END'\n${text}END`);
  expect(text).not.toMatch(/^\s*#|\t|!/m);
  expect(text.split('\n').filter((line) => line.length > 200)).toEqual([]);
});

test('the walk uses the key that may do what it asks for', async () => {
  const text = await walk({ baseUrl: 'http://localhost:1/v1', account, folder: '/tmp' });
  expect(text).toMatch(/shipments" -H "\$SHIPPER"/);
  expect(text).toMatch(/events" -H "\$CARRIER"/);
  expect(text).toMatch(/pod\/uploads" -H "\$CARRIER"/);
});

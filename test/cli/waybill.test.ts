import { variables } from '@waybill/server/config';
import { expect, test } from 'vitest';
import { runHere, waybill } from './run.ts';

test.for([
  '',
  'fly',
  'serve --fast',
  'accounts',
  'accounts create',
  'keys create an-account',
  'keys create an-account --scopes shipments:burn',
  'keys create an-account --scopes shipments:read --expires yesterday',
  'keys rotate an-account a-key --overlap soon',
])('`waybill %s` prints the usage and exits with 2', async (command) => {
  const { code, stdout, stderr } = await runHere(command.split(' ').filter(Boolean));
  expect(code).toBe(2);
  expect(stderr).toContain('Usage: waybill');
  expect(stdout).toBe('');
});

test('the process of `waybill fly` exits with 2', async () => {
  expect(await waybill(['fly'])).toEqual(await runHere(['fly']));
});

test.for(['--help', 'serve --help', 'keys create --help'])('`waybill %s` prints the help', async (command) => {
  const { code, stdout } = await runHere(command.split(' '));
  expect(code).toBe(0);
  expect(stdout).toContain('Usage: waybill');
});

test('`waybill check --help` lists every setting', async () => {
  const { code, stdout } = await runHere(['check', '--help']);
  expect(code).toBe(0);
  for (const name of Object.keys(variables)) expect(stdout).toMatch(new RegExp(`^ +${name} .+\\(.+\\)$`, 'm'));
});

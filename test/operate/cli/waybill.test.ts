import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { variables } from '@waybill/server/config';
import { expect, test } from 'vitest';
import { runHere, waybill } from './run.ts';

test.for([
  '',
  'fly',
  'serve --fast',
  'accounts',
  'accounts create',
  'accounts rename an-account',
  'keys create an-account',
  'keys create an-account --for driver',
  'keys create an-account --for reader --scopes shipments:read',
  'keys create an-account --scopes shipments:burn',
  'keys create an-account --scopes shipments:read --expires yesterday',
  'keys rotate an-account a-key --overlap soon',
  ...['0', '91', '1.5', 'x'].map((days) => `board an-account --days ${days}`),
  ...['0', '101', '1.5', 'all'].map((percent) => `accounts share an-account ${percent}`),
  ...['0', '10001', '1.5', 'all'].map((limit) => `audit --limit ${limit}`),
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

test('`waybill --version` prints the version, which is that of the contract', async () => {
  expect(await runHere(['--version'])).toEqual({ code: 0, stdout: `${contract.info.version}\n`, stderr: '' });
});

test.for(['', '  ', '\u200b', '\u3164', 'x'.repeat(201), 'a\nb', 'a\u202eb'])(
  '`waybill accounts create` refuses the name %j',
  async (name) => {
    expect(await runHere(['accounts', 'create', name])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give a name of 1 to 200 printable characters.'),
    });
  },
);

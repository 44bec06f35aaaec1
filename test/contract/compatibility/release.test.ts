import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Edit, newContracts, remove, set } from './contracts.ts';

const extended = set('ShipmentRequest properties weight', { type: 'number' });
const broken = remove('Shipment properties notes');
const reworded = set('Shipment description', 'Better said.');
/** A version, under the path of a major version. */
const version = (text: string, major = 'v1'): Edit[] => [
  set('info version', text),
  set('servers 0 url', `http://localhost:3000/${major}`),
];
const main = fileURLToPath(new URL('../../../tools/release/main.ts', import.meta.url));
const today = (): string => new Date().toISOString().slice(0, 10);

test.concurrent('release is refused without a change', async () => {
  await using contracts = await newContracts();
  const { code, output } = await contracts.release();
  expect(code).toBe(1);
  expect(output).toContain('There is nothing to release');
});

test.concurrent('release requires a fitting version, then writes the changelog and stores the contract', async () => {
  await using contracts = await newContracts();
  const before = today();
  await contracts.write('released', ...version('1.0.0'));
  await contracts.write('revision', extended, ...version('1.0.1'));
  const refused = await contracts.release();
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('info.version is 1.0.1, but the changes since 1.0.0 need at least 1.1.0');
  await expect(contracts.read('CHANGELOG.md')).rejects.toThrow();

  await contracts.write('revision', extended, ...version('1.1.0'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const [released, revision] = ['spec/released', 'packages/contract/generated'].map((folder) =>
    contracts.read(`${folder}/openapi.json`),
  );
  expect(await released).toBe(await revision);

  await contracts.write('revision', extended, reworded, ...version('1.1.1'));
  expect((await contracts.release()).code).toBe(0);
  const changelog = await contracts.read('CHANGELOG.md');
  const dates = changelog.match(/(?<= — ).*/g) ?? [];
  for (const date of dates) expect([before, today()]).toContain(date); // midnight may come between the two
  const [head, latest, first] = changelog.split(/\n(?=## )/);
  expect(head).toMatch(/^# Changelog\n/);
  expect(latest).toBe(`## Contract 1.1.1 — ${dates[0]}\n\nOnly texts and examples changed.\n`);
  expect(first).toBe(`## Contract 1.1.0 — ${dates[1]}\n\n### Added\n\n- \`ShipmentRequest.weight\`.\n`);
});

test.concurrent('release accepts breaking changes in a new major version with a new path', async () => {
  await using contracts = await newContracts();
  await contracts.write('released', ...version('1.4.2'));
  await contracts.write('revision', broken, extended, ...version('2.0.0'));
  const refused = await contracts.release();
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('The server http://localhost:3000/v1 does not contain the major version of 2.0.0.');

  await contracts.write('revision', broken, extended, ...version('2.0.0', 'v2'));
  expect((await contracts.release(true)).code).toBe(0);
  expect((await contracts.release()).code).toBe(0);
  expect(await contracts.read('CHANGELOG.md')).toContain('### Removed\n\n- **Breaking:** `Shipment.notes`.\n');
});

test.concurrent.for([
  ['1.4.1', '1.4.2'],
  ['1.9.3', '1.10.0'],
] as const)('release is refused for version %s after release %s', async ([next, released]) => {
  await using contracts = await newContracts();
  await contracts.write('released', ...version(released));
  await contracts.write('revision', reworded, ...version(next));
  const { code, output } = await contracts.release(true);
  expect(code).toBe(1);
  expect(output).toContain(`${released} is released, but info.version is ${next}.`);
});

test.concurrent.for([
  ['--check', 1, /^spec\/released\/openapi.json is missing. Restore the last release.$/m],
  ['--dry', 2, /^Unknown option '--dry'[\s\S]*Usage: npx -y pnpm@12 release \[--check \| --publish\]/],
] as const)('the release command with %s exits with %i and prints: %s', async ([option, code, message]) => {
  await using contracts = await newContracts();
  await rm(new URL('spec/released/', contracts.root), { recursive: true });
  const command = promisify(execFile)(process.execPath, [main, option], { cwd: contracts.root });
  await expect(command).rejects.toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { changedTo, type Edit, newRepositoryCopy, type RepositoryCopy, removed, version } from './repository-copy.ts';

const extended: Edit = ['components schemas ShipmentRequest properties weight', changedTo({ type: 'number' })];
const broken: Edit = ['components schemas Shipment properties notes', removed];
const reworded: Edit = ['components schemas Shipment description', changedTo('Better said.')];
/** A version, under the path of a major version. */
const versionAndPath = (text: string, major: string): Edit[] => [
  version(text),
  ['servers 0 url', changedTo(`http://localhost:3000/${major}`)],
];
const today = (): string => new Date().toISOString().slice(0, 10);

let copy: RepositoryCopy;
beforeEach(async () => {
  copy = await newRepositoryCopy();
});
afterEach(() => copy[Symbol.asyncDispose]());

test('release is refused without a change', async () => {
  const { code, stderr } = await copy.release();
  expect(code).toBe(1);
  expect(stderr).toContain('There is nothing to release');
});

test('release requires a fitting version, then writes the changelog and stores the contract', async () => {
  const before = today();
  await copy.write('released', ...versionAndPath('1.0.0', 'v1'));
  await copy.write('revision', extended, ...versionAndPath('1.0.1', 'v1'));
  const refused = await copy.release();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('info.version is 1.0.1, but the changes since 1.0.0 need at least 1.1.0');
  await expect(copy.read('CHANGELOG.md')).rejects.toThrow();

  await copy.write('revision', extended, ...versionAndPath('1.1.0', 'v1'));
  const released = await copy.release();
  expect(released.stderr).toBe('');
  expect(await copy.read('spec/released/openapi.json')).toBe(
    await copy.read('packages/contract/generated/openapi.json'),
  );

  await copy.write('revision', extended, reworded, ...versionAndPath('1.1.1', 'v1'));
  expect((await copy.release()).code).toBe(0);
  const changelog = await copy.read('CHANGELOG.md');
  const dates = changelog.match(/(?<= — ).*/g) ?? [];
  for (const date of dates) expect([before, today()]).toContain(date); // midnight may come between the two
  const [head, latest, first] = changelog.split(/\n(?=## )/);
  expect(head).toMatch(/^# Changelog\n/);
  expect(latest).toBe(`## Contract 1.1.1 — ${dates[0]}\n\nOnly texts and examples changed.\n`);
  expect(first).toBe(`## Contract 1.1.0 — ${dates[1]}\n\n### Added\n\n- \`ShipmentRequest.weight\`.\n`);
});

test('release accepts breaking changes in a new major version with a new path', async () => {
  await copy.write('released', ...versionAndPath('1.4.2', 'v1'));
  await copy.write('revision', broken, extended, ...versionAndPath('2.0.0', 'v1'));
  const refused = await copy.release();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('The server http://localhost:3000/v1 does not contain the major version of 2.0.0.');

  await copy.write('revision', broken, extended, ...versionAndPath('2.0.0', 'v2'));
  expect((await copy.release('--check')).code).toBe(0);
  expect((await copy.release()).code).toBe(0);
  expect(await copy.read('CHANGELOG.md')).toContain('### Removed\n\n- **Breaking:** `Shipment.notes`.\n');
});

test('release is refused for a version below the last release', async () => {
  await copy.write('released', ...versionAndPath('1.4.2', 'v1'));
  await copy.write('revision', reworded, ...versionAndPath('1.4.1', 'v1'));
  const { code, stderr } = await copy.release('--check');
  expect(code).toBe(1);
  expect(stderr).toContain('1.4.2 is released, but info.version is 1.4.1.');
});

test('release with an unknown option prints the usage', async () => {
  const { code, stderr } = await copy.release('--dry');
  expect(code).toBe(2);
  expect(stderr).toContain("Unknown option '--dry'");
  expect(stderr).toContain('Usage: npx -y pnpm@12 release [--check]');
});

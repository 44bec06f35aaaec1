import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Edit, gone, type House, is, newHouse, version } from './house.ts';

const grown: Edit = ['components schemas ShipmentRequest properties weight', is({ type: 'number' })];
const broken: Edit = ['components schemas Shipment properties notes', gone];
const reworded: Edit = ['components schemas Shipment description', is('Better said.')];
/** A version, under the path of a major version. */
const at = (text: string, major: string): Edit[] => [
  version(text),
  ['servers 0 url', is(`http://localhost:3000/${major}`)],
];
const today = (): string => new Date().toISOString().slice(0, 10);

let house: House;
beforeEach(async () => {
  house = await newHouse();
});
afterEach(() => house[Symbol.asyncDispose]());

describe('a release', () => {
  test('is refused while nothing has changed', async () => {
    const { code, stderr } = await house.release();
    expect(code).toBe(1);
    expect(stderr).toContain('There is nothing to release');
  });

  test('is refused until the version fits, then written on top of the changelog and kept as the last one', async () => {
    await house.write('released', ...at('1.0.0', 'v1'));
    await house.write('revision', grown, ...at('1.0.1', 'v1'));
    const refused = await house.release();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('info.version is 1.0.1, and what changed since 1.0.0 makes it at least 1.1.0');
    await expect(house.read('CHANGELOG.md')).rejects.toThrow();

    await house.write('revision', grown, ...at('1.1.0', 'v1'));
    const released = await house.release();
    expect(released.stderr).toBe('');
    expect(await house.read('spec/released/openapi.json')).toBe(
      await house.read('packages/contract/generated/openapi.json'),
    );

    await house.write('revision', grown, reworded, ...at('1.1.1', 'v1'));
    expect((await house.release()).code).toBe(0);
    const [head, latest, first] = (await house.read('CHANGELOG.md')).split(/\n(?=## )/);
    expect(head).toMatch(/^# Changelog\n/);
    expect(latest).toBe(`## Contract 1.1.1 — ${today()}\n\nWords and examples only; nothing changes for programs.\n`);
    expect(first).toBe(`## Contract 1.1.0 — ${today()}\n\n### Added\n\n- \`ShipmentRequest.weight\`.\n`);
  });

  test('may break clients as another major version, under another path', async () => {
    await house.write('released', ...at('1.4.2', 'v1'));
    await house.write('revision', broken, grown, ...at('2.0.0', 'v1'));
    const refused = await house.release();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('The server http://localhost:3000/v1 does not carry the major version of 2.0.0.');

    await house.write('revision', broken, grown, ...at('2.0.0', 'v2'));
    expect((await house.release('--check')).code).toBe(0);
    expect((await house.release()).code).toBe(0);
    expect(await house.read('CHANGELOG.md')).toContain('### Removed\n\n- **Breaking:** `Shipment.notes`.\n');
  });

  test('never goes back', async () => {
    await house.write('released', ...at('1.4.2', 'v1'));
    await house.write('revision', reworded, ...at('1.4.1', 'v1'));
    const { code, stderr } = await house.release('--check');
    expect(code).toBe(1);
    expect(stderr).toContain('1.4.2 is released, and info.version says 1.4.1.');
  });
});

test('a mistake in the command line is told with the usage', async () => {
  const { code, stderr } = await house.release('--dry');
  expect(code).toBe(2);
  expect(stderr).toContain("Unknown option '--dry'");
  expect(stderr).toContain('Usage: npx -y pnpm@12 release [--check]');
});

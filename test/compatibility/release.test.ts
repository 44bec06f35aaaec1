import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Edit, gone, is, newScratch, type Scratch, version } from './scratch.ts';

const grown: Edit = ['components schemas ShipmentRequest properties weight', is({ type: 'number' })];
const broken: Edit = ['components schemas Shipment properties notes', gone];
const reworded: Edit = ['components schemas Shipment description', is('Better said.')];
/** A version, under the path of a major version. */
const at = (text: string, major: string): Edit[] => [
  version(text),
  ['servers 0 url', is(`http://localhost:3000/${major}`)],
];
const today = (): string => new Date().toISOString().slice(0, 10);

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newScratch();
});
afterEach(() => scratch[Symbol.asyncDispose]());

describe('a release', () => {
  test('is refused while nothing has changed', async () => {
    const { code, stderr } = await scratch.release();
    expect(code).toBe(1);
    expect(stderr).toContain('There is nothing to release');
  });

  test('is refused until the version fits, then written on top of the changelog and kept as the last one', async () => {
    const before = today();
    await scratch.write('released', ...at('1.0.0', 'v1'));
    await scratch.write('revision', grown, ...at('1.0.1', 'v1'));
    const refused = await scratch.release();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('info.version is 1.0.1, but the changes since 1.0.0 need at least 1.1.0');
    await expect(scratch.read('CHANGELOG.md')).rejects.toThrow();

    await scratch.write('revision', grown, ...at('1.1.0', 'v1'));
    const released = await scratch.release();
    expect(released.stderr).toBe('');
    expect(await scratch.read('spec/released/openapi.json')).toBe(
      await scratch.read('packages/contract/generated/openapi.json'),
    );

    await scratch.write('revision', grown, reworded, ...at('1.1.1', 'v1'));
    expect((await scratch.release()).code).toBe(0);
    const changelog = await scratch.read('CHANGELOG.md');
    const dates = changelog.match(/(?<= — ).*/g) ?? [];
    for (const date of dates) expect([before, today()]).toContain(date); // midnight may come between the two
    const [head, latest, first] = changelog.split(/\n(?=## )/);
    expect(head).toMatch(/^# Changelog\n/);
    expect(latest).toBe(`## Contract 1.1.1 — ${dates[0]}\n\nOnly texts and examples changed.\n`);
    expect(first).toBe(`## Contract 1.1.0 — ${dates[1]}\n\n### Added\n\n- \`ShipmentRequest.weight\`.\n`);
  });

  test('may break clients as another major version, under another path', async () => {
    await scratch.write('released', ...at('1.4.2', 'v1'));
    await scratch.write('revision', broken, grown, ...at('2.0.0', 'v1'));
    const refused = await scratch.release();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'The server http://localhost:3000/v1 does not contain the major version of 2.0.0.',
    );

    await scratch.write('revision', broken, grown, ...at('2.0.0', 'v2'));
    expect((await scratch.release('--check')).code).toBe(0);
    expect((await scratch.release()).code).toBe(0);
    expect(await scratch.read('CHANGELOG.md')).toContain('### Removed\n\n- **Breaking:** `Shipment.notes`.\n');
  });

  test('never goes back', async () => {
    await scratch.write('released', ...at('1.4.2', 'v1'));
    await scratch.write('revision', reworded, ...at('1.4.1', 'v1'));
    const { code, stderr } = await scratch.release('--check');
    expect(code).toBe(1);
    expect(stderr).toContain('1.4.2 is released, but info.version is 1.4.1.');
  });
});

test('a mistake in the command line is told with the usage', async () => {
  const { code, stderr } = await scratch.release('--dry');
  expect(code).toBe(2);
  expect(stderr).toContain("Unknown option '--dry'");
  expect(stderr).toContain('Usage: npx -y pnpm@12 release [--check]');
});

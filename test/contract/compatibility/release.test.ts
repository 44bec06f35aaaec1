import { expect, test } from 'vitest';
import { deprecate, drop, type Edit, newContracts, remove, set, until, update } from './contracts.ts';

const extended = set('ShipmentRequest properties weight', { type: 'number' });
const reworded = set('Shipment description', 'Better said.');
/** A version, under the path of a major version. */
const version = (text: string, major = 'v1'): Edit[] => [
  set('info version', text),
  set('servers 0 url', `http://localhost:3000/${major}`),
];
const refused = (output: string) => ({ code: 1, output: expect.stringContaining(output) });

test.concurrent('release requires a change and a fitting version, then writes the changelog and stores the contract', async () => {
  await using contracts = await newContracts();
  expect(await contracts.release()).toEqual(refused('There is nothing to release'));
  await contracts.write('released', ...version('1.0.0'));
  await contracts.write('revision', extended, ...version('1.0.1'));
  const needed = 'info.version is 1.0.1, but the changes since 1.0.0 need at least 1.1.0';
  expect(await contracts.release()).toEqual(refused(needed));
  await expect(contracts.read('CHANGELOG.md')).rejects.toThrow();

  await contracts.write('revision', extended, ...version('1.1.0'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const revision = await contracts.read('packages/contract/generated/openapi.json');
  expect(await contracts.read('spec/released/openapi.json')).toBe(revision);

  await contracts.write('revision', extended, reworded, ...version('1.1.1'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const changelog = (await contracts.read('CHANGELOG.md')).replace(/\d{4}-\d\d-\d\d/g, 'today');
  const [head, latest, first] = changelog.split(/\n(?=## )/);
  expect(head).toMatch(/^# Changelog\n/);
  expect(latest).toBe(`## Contract 1.1.1 — today\n\nOnly texts and examples changed.\n`);
  expect(first).toBe(`## Contract 1.1.0 — today\n\n### Added\n\n- \`ShipmentRequest.weight\`.\n`);
});

/** Parts that leave: their line of the changelog → what deprecates them, and what removes them. */
const leaving: Record<string, (sunset: string) => [Edit[], Edit]> = {
  '`Shipment.notes`.': (sunset) => [deprecate('Shipment notes', sunset), remove('Shipment properties notes')],
  '`getProofFile`, `GET /files/{file_token}`: Download a file.': (sunset) => [
    deprecate('paths /files/{file_token} get', sunset),
    remove('paths /files/{file_token}'),
  ],
  'The query parameter `cursor` of `listShipments`.': (sunset) => [
    deprecate('parameters CursorParameter', sunset),
    update('paths /shipments get parameters', (all: unknown[]) => all.slice(0, -1)),
  ],
  'The value `duplicate` of `FieldErrorCode`.': (sunset) => [
    [set('FieldErrorCode x-enumDeprecations', { duplicate: until(sunset) })],
    drop('FieldErrorCode x-extensible-enum', 'duplicate'),
  ],
};

test.concurrent('release removes what a release has deprecated, after its sunset, in a new major version with a new path', async () => {
  await using contracts = await newContracts();
  const released = (sunset: string) => Object.values(leaving).flatMap((edits) => edits(sunset)[0]);
  const removals = Object.values(leaving).map((edits) => edits('')[1]);
  const lines = (reason: string) => Object.keys(leaving).map((text) => `  ${text}\n    ${reason}\n`);
  await contracts.write('released', ...version('1.4.2'));
  await contracts.write('revision', ...removals, ...version('2.0.0'));
  const needed = 'The server http://localhost:3000/v1 does not contain the major version of 2.0.0.';
  expect(await contracts.release()).toEqual(refused(needed));
  await contracts.write('revision', ...removals, ...version('2.0.0', 'v2'));
  const { output } = await contracts.release(true);
  for (const line of lines('not deprecated in contract 1.4.2')) expect(output).toContain(line);
  await contracts.write('released', ...released('2999-01-31'), ...version('1.4.2'));
  const later = await contracts.release();
  for (const line of lines('works until 2999-01-31')) expect(later.output).toContain(line);
  await contracts.write('released', ...released('2026-01-31'), ...version('1.4.2'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const removed = Object.keys(leaving).map((text) => `- **Breaking:** ${text}\n`);
  expect((await contracts.read('CHANGELOG.md')).split('### Removed\n\n')[1]?.match(/.+\n/g)?.sort()).toEqual(
    removed.sort(),
  );
});

test.concurrent('release announces a deprecation before its date', async () => {
  await using contracts = await newContracts();
  const deprecated = deprecate('Shipment notes', '3000-01-31');
  const past = set('Shipment notes x-deprecation since', '2026-01-31');
  await contracts.write('revision', ...deprecated, past, set('info version', '1.1.0'));
  expect(await contracts.release()).toEqual(refused('Set `since` to the date of this release or a later one'));
  await contracts.write('revision', ...deprecated, set('info version', '1.1.0'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const line = '### Deprecated\n\n- `Shipment.notes`, until 3000-01-31. Use `x`.\n';
  expect(await contracts.read('CHANGELOG.md')).toContain(line);
});

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

  const notes = deprecate('Shipment notes', '3000-01-31');
  const past = set('Shipment notes x-deprecation since', '2026-01-31');
  await contracts.write('revision', extended, ...notes, past, ...version('1.1.0'));
  expect(await contracts.release()).toEqual(refused('Set `since` to the date of this release or a later one'));
  await contracts.write('revision', extended, ...notes, ...version('1.1.0'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const revision = await contracts.read('packages/contract/generated/openapi.json');
  expect(await contracts.read('spec/released/openapi.json')).toBe(revision);

  await contracts.write('revision', extended, ...notes, reworded, ...version('1.1.1'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const changelog = (await contracts.read('CHANGELOG.md')).replace(/(?<=— )[\d-]+/g, 'today');
  const [head, latest, first] = changelog.split(/\n(?=## )/);
  expect(head).toMatch(/^# Changelog\n/);
  expect(latest).toBe(`## Contract 1.1.1 — today\n\nOnly texts and examples changed.\n`);
  expect(first).toBe(
    '## Contract 1.1.0 — today\n\n### Added\n\n- `ShipmentRequest.weight`.\n\n' +
      '### Deprecated\n\n- `Shipment.notes`, until 3000-01-31. Use `x`.\n',
  );
});

/** Parts that leave, as the changelog names them. */
const parts = [
  '`getProofFile`, `GET /files/{file_token}`: Download a file.',
  'The query parameter `cursor` of `listShipments`.',
  'The value `duplicate` of `FieldErrorCode`.',
  '`Shipment.notes`.',
];
const deprecated = (sunset: string): Edit[] => [
  ...['paths /files/{file_token} get', 'parameters CursorParameter', 'Shipment notes'].flatMap((place) =>
    deprecate(place, sunset),
  ),
  set('FieldErrorCode x-enumDeprecations', { duplicate: until(sunset) }),
];
const leaving: Edit[] = [
  remove('paths /files/{file_token}'),
  update('paths /shipments get parameters', (all: unknown[]) => all.slice(0, -1)),
  drop('FieldErrorCode x-extensible-enum', 'duplicate'),
  remove('Shipment properties notes'),
];

test.concurrent('release removes what is deprecated and past its sunset, in a new major version with a new path', async () => {
  await using contracts = await newContracts();
  await contracts.write('revision', ...leaving, ...version('2.0.0'));
  const needed = 'The server http://localhost:3000/v1 does not contain the major version of 2.0.0.';
  expect(await contracts.release()).toEqual(refused(needed));
  await contracts.write('revision', ...leaving, ...version('2.0.0', 'v2'));
  const early = async () => (await contracts.release(true)).output.match(/(?<=^ {2})\S.+\n.+/gm)?.sort();
  const reasons = (reason: string) => parts.map((part) => `${part}\n    ${reason}`).sort();
  expect(await early()).toEqual(reasons('not deprecated in contract 1.0.0'));
  await contracts.write('released', ...deprecated('2999-01-31'));
  expect(await early()).toEqual(reasons('works until 2999-01-31'));
  await contracts.write('released', ...deprecated('2026-01-31'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  const [, removed = ''] = (await contracts.read('CHANGELOG.md')).split('### Removed\n\n');
  expect(removed.trim().split('\n').sort()).toEqual(parts.map((part) => `- **Breaking:** ${part}`).sort());
});

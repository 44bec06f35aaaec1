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

test.concurrent('release accepts breaking changes in a new major version with a new path', async () => {
  await using contracts = await newContracts();
  await contracts.write('released', ...version('1.4.2'));
  await contracts.write('revision', broken, extended, ...version('2.0.0'));
  const needed = 'The server http://localhost:3000/v1 does not contain the major version of 2.0.0.';
  expect(await contracts.release()).toEqual(refused(needed));
  await contracts.write('revision', broken, extended, ...version('2.0.0', 'v2'));
  expect(await contracts.release()).toMatchObject({ code: 0 });
  expect(await contracts.read('CHANGELOG.md')).toContain('### Removed\n\n- **Breaking:** `Shipment.notes`.\n');
});

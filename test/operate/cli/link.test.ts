import { stripVTControlCharacters } from 'node:util';
import { createClient } from '@waybill/client';
import { linkOf } from '@waybill/pages/driver/queue';
import { renderUnicodeCompact } from 'uqr';
import { expect } from 'vitest';
import { newShipment } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { createAccount, json, runHere } from './run.ts';

const url = { BASE_URL: 'https://freight.example.com/v1' };

interface Link {
  id: string;
  url: string;
  token: string;
  expires_at: string;
}

test('`waybill link` creates a link for a shipment by its number or its id, with a QR code', async ({
  service,
  account,
}) => {
  const { id: shipment_id, tracking_number } = await newShipment(account);
  const { code, stdout } = await runHere(['link', account.id, tracking_number, '--kind', 'track'], url);
  expect(code).toBe(0);
  const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
  const link = lines.at(-2) ?? '';
  expect(link).toMatch(/^https:\/\/freight\.example\.com\/t\/wba_\w+$/);
  expect(lines.slice(0, -2).join('\n')).toBe(renderUnicodeCompact(link, { border: 2 }));
  expect(await (await fetch(service.origin + new URL(link).pathname)).text()).toContain(tracking_number);

  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const options = ['--kind', 'drive', '--name', ' Truck 12 ', '--expires', expires_at];
  const made = await json<Link>(['link', account.id, shipment_id, ...options], url);
  expect(made).toMatchObject({ kind: 'drive', name: 'Truck 12', detail: 'proof', expires_at });
  const ofDriver = linkOf(new URL(made.url).hash);
  expect(ofDriver).toEqual({ token: made.token, shipmentId: shipment_id });
  const driver = createClient({ baseUrl: service.baseUrl, accessToken: made.token });
  await driver.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  const listed = (await account.client.listAccesses({ shipment_id })).data;
  expect(listed.map(({ kind }) => kind)).toEqual(['track', 'drive']);
});

test.for([
  [[], 2, "required option '--kind <kind>' not specified"],
  [['--kind', 'watch'], 2, 'Allowed choices are track, drive.'],
  [['--kind', 'track', '--expires', '2020-01-01T00:00:00Z'], 2, 'in the future'],
  [['--kind', 'track', '--expires', '2999-01-01T00:00:00Z'], 2, 'at most 365 days ahead'],
  [['--kind', 'track', '--name', 'x'.repeat(101)], 2, '1 to 100 printable characters'],
  [['--kind', 'track', '--name', '\u200b'], 2, '1 to 100 printable characters'],
  [['--kind', 'track'], 1, 'There is no shipment `FRT-1999-000001`.'],
] as const)('`waybill link` with %o ends with %i', async ([options, code, message], { account }) => {
  const ended = await runHere(['link', account.id, 'FRT-1999-000001', ...options]);
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
});

test('`waybill link` creates no link for a shipment of another account', async ({ account }) => {
  const { id, tracking_number } = await newShipment(account);
  const other = await createAccount(crypto.randomUUID());
  for (const shipment of [id, tracking_number])
    expect(await runHere(['link', other, shipment, '--kind', 'track'])).toMatchObject({ code: 1 });
  expect((await account.client.listAccesses({ shipment_id: id })).data).toEqual([]);
});

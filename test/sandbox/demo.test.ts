import { createClient } from '@waybill/client';
import { linkOf } from '@waybill/pages/driver/queue';
import { keysAreValid } from '@waybill/sandbox/demo/demo-account';
import { printEvents } from '@waybill/sandbox/demo/live-events';
import { printBoardLink, printPageLinks } from '@waybill/sandbox/demo/page-links';
import { endEarlier } from '@waybill/sandbox/demo/show-simulation';
import { keyPresets } from '@waybill/server/auth/keys';
import { expect, vi } from 'vitest';
import { databaseUrl } from '../fixtures/database/database-url.ts';
import { newShipment, record, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('start replaces demo keys that are unknown or lack newer scopes', async ({ service, account }) => {
  const { origin, baseUrl } = service;
  const areValid = (api_key: string, carrier_api_key: string) =>
    keysAreValid({ account_id: account.id, api_key, carrier_api_key }, { localUrl: origin, baseUrl });
  const dispatcher = await account.keyWith(keyPresets.dispatcher);
  const carrier = await account.keyWith(keyPresets.carrier);
  const earlier = await account.keyWith(keyPresets.dispatcher.filter((scope) => scope !== 'events:read'));
  const unknown = `${dispatcher.slice(0, -4)}AAAA`;
  expect(await areValid(dispatcher, carrier)).toBe(true);
  for (const key of [earlier, unknown]) expect(await areValid(key, carrier)).toBe(false);
  expect(await areValid(dispatcher, unknown)).toBe(false);
});

test('start ends the shipments that an earlier simulation has left', async ({ account }) => {
  for (const status of ['scheduled', 'in_transit'] as const)
    await shipmentIn(account, status, { reference: `SIM-${status}` });
  await newShipment(account);
  await endEarlier(account.client, account.client);
  const found = await account.client.listShipments().toArray({ limit: 10 });
  expect(found.map(({ status }) => status)).toEqual(['scheduled', 'returned', 'cancelled']);
});

test('start prints later events, and links of pages that work', async ({ service: { baseUrl }, account }) => {
  const earlier = await newShipment(account);
  const stop = new AbortController();
  const options = { baseUrl, apiKey: account.key };
  const events: string[] = [];
  const printing = printEvents(options, stop.signal, (line) => events.push(line));
  const created: string[] = [];
  // Until it has read the position of the last event, it is not known which events are later.
  await vi.waitFor(async () => {
    created.push((await newShipment(account)).tracking_number);
    expect(events).not.toEqual([]);
  }, waitTimeout);
  stop.abort();
  await printing;
  expect(events.join('\n')).not.toContain(earlier.tracking_number);
  expect(created.some((number) => events[0]?.includes(number))).toBe(true);
  expect(events[0]).toMatch(/\d\d:\d\d:\d\d.* {2}shipment\.created +scheduled$/);

  const lines: string[] = [];
  const linking = printPageLinks(options, new AbortController().signal, (line) => lines.push(line));
  await vi.waitFor(() => expect(lines).toHaveLength(1), waitTimeout);
  const { tracking_number } = await shipmentIn(account, 'picked_up');
  await linking;
  const env = { ...process.env, DATABASE_URL: databaseUrl(), BASE_URL: baseUrl };
  await printBoardLink(env, account.id, (line) => lines.push(line));
  const [driver = '', tracking = '', board = ''] = lines.map((line) => line.split(/ +/).at(-1));

  const { shipmentId: shipment_id = '', token } = linkOf(new URL(driver).hash) ?? {};
  expect((await fetch(driver)).status).toBe(200);
  const contact = { contact_name: expect.any(String), contact_phone: expect.any(String) };
  const past = { start: '2026-03-03T16:00:00Z', end: '2026-03-03T20:00:00Z' };
  await account.client.updateShipment({ shipment_id, pickup_window: past, delivery_window: past });
  // A later start shows the same shipment, which is not late.
  const later: string[] = [];
  const stopped = new AbortController();
  const again = printPageLinks(options, stopped.signal, (line) => later.push(line)).catch(() => {});
  await vi.waitFor(() => expect(later).toHaveLength(1), waitTimeout);
  stopped.abort();
  await again;
  expect(later[0]).toContain(shipment_id);
  const waiting = await account.client.getShipment({ shipment_id });
  expect(waiting).toMatchObject({ origin: contact, destination: contact, items: [{ pieces: expect.any(Number) }] });
  for (const { start } of [waiting.pickup_window, waiting.delivery_window ?? past])
    expect(Date.parse(start)).toBeGreaterThan(Date.now());
  await record({ client: createClient({ baseUrl, accessToken: token }) }, waiting, 'dispatched');
  expect(await (await fetch(tracking)).text()).toContain(tracking_number);
  const [page = '', apiKey] = board.split('#');
  expect(await (await fetch(page)).text()).toContain('<title>Board');
  const { data } = await createClient({ baseUrl, apiKey }).listShipments({ include: 'tracking', limit: 1 });
  expect(data).toHaveLength(1);
});

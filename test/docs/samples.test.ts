import { readdir, readFile } from 'node:fs/promises';
import { AbortError } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { endAccess, giveAccess, readShipment } from '@waybill/docs/samples/access.ts';
import { addNote } from '@waybill/docs/samples/changes.ts';
import { connect } from '@waybill/docs/samples/client.ts';
import { makeDriverLink } from '@waybill/docs/samples/driver-link.ts';
import { followStatuses, openDatabase } from '@waybill/docs/samples/event-feed.ts';
import { recordDeparture } from '@waybill/docs/samples/events.ts';
import { reportRefusal, reportSuccess } from '@waybill/docs/samples/exceptions.ts';
import { shipmentPage, trackingNumbersInTransit } from '@waybill/docs/samples/pagination.ts';
import { pollTracking } from '@waybill/docs/samples/polling.ts';
import { sendStoredPositions } from '@waybill/docs/samples/positions.ts';
import { submitProof } from '@waybill/docs/samples/proof.ts';
import { cancelAll } from '@waybill/docs/samples/rate-limits.ts';
import { createForOrder } from '@waybill/docs/samples/retries.ts';
import { submitUnattended } from '@waybill/docs/samples/unattended.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { inTransit, newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { read } from './blocks.ts';

const folder = new URL('samples/', import.meta.resolve('@waybill/docs/package.json'));
const files = await readdir(folder, { recursive: true });
// quickstart.test.ts runs the quickstart.
const ownText = await readFile(import.meta.filename, 'utf8');
const names = files.filter((file) => /^[\w-]+\.ts$/.test(file)).map((file) => file.replace(/\.ts$/, ''));

test("every function of the guides' samples runs with the expected result", async ({ service, account }) => {
  vi.stubEnv('WAYBILL_URL', service.baseUrl);
  vi.stubEnv('WAYBILL_API_KEY', account.key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = connect();
  const order = { number: 'PO-1', request: shipmentRequest() };
  const number = await createForOrder(client, order);
  expect(await createForOrder(client, order)).toBe(number);
  const { data } = await shipmentPage(client);
  expect(data).toHaveLength(1);

  const controller = new AbortController();
  const db = openDatabase(':memory:');
  const statuses = () =>
    db
      .prepare('select status from shipments order by tracking_number')
      .all()
      .map(({ status }) => status);
  const copying = expect(followStatuses(client, db, controller.signal)).rejects.toThrow(AbortError);

  const seen: string[] = [];
  const following = (async () => {
    for await (const { status } of pollTracking(client, number, { interval: 20 })) seen.push(status);
  })();
  await recordDeparture(client, number);
  const photo = new Blob([uniquePng('refused')], { type: 'image/png' });
  const exception = await reportRefusal(client, number, photo);
  await reportSuccess(client, number, exception.id);
  const { exceptions = [] } = await client.getTracking({ tracking_number: number });
  expect(exceptions.map(({ photo_count, resolved_at }) => [photo_count, resolved_at !== undefined])).toEqual([
    [1, true],
  ]);
  expect(await trackingNumbersInTransit(client)).toEqual([number]);
  const begun = Date.now() - 60_000;
  const recordPositions = vi.spyOn(client, 'recordPositions');
  const { maxItems } = contract.components.schemas.PositionsRequest.properties.positions;
  await sendStoredPositions(
    client,
    number,
    Array.from({ length: 2 * maxItems + 1 }, (_, n) => ({
      lat: 47,
      lng: n / 100,
      updated_at: new Date(begun + n).toISOString(),
    })),
    new Date().toISOString(),
  );
  const batches = recordPositions.mock.calls.map(([{ positions }]) => positions.length);
  expect(batches).toEqual([maxItems, maxItems, 1]);
  const image = (name: string) => new Blob([new Uint8Array(uniquePng(name))], { type: 'image/png' });
  const files = { signature: image('signature'), photo: image('photo') };
  await submitProof(client, number, 'Owen Castillo', files);
  await following;
  expect(seen.at(-1)).toBe('delivered');
  const delivered = data[0]?.id ?? '';
  const { id, tracking_number } = await client.createShipment(shipmentRequest());
  const token = await giveAccess(client, id, 'Cascade Freight');
  expect((await readShipment(service.baseUrl, token, tracking_number)).status).toBe('scheduled');
  await endAccess(client, id, 'Cascade Freight');
  expect((await client.listAccesses({ shipment_id: id })).data).toEqual([]);
  const link = await makeDriverLink(client, id);
  expect(link.startsWith(`${service.origin}/d/#wba_`) && link.endsWith(`/${id}`), link).toBe(true);
  await Promise.all(['Dock 4.', 'Ring the bell.', 'Ask for Mara.'].map((line) => addNote(client, id, line)));
  const { notes = '' } = await client.getShipment({ shipment_id: id });
  expect(notes.split('\n').sort()).toEqual(['Ask for Mara.', 'Dock 4.', 'Ring the bell.']);
  expect(await cancelAll(client, [id, delivered], 'Cancelled.')).toEqual([delivered]);
  expect((await client.getTracking({ tracking_number })).status).toBe('cancelled');

  const left = await inTransit({ client });
  await submitUnattended(client, left.tracking_number, image('left'));
  const proof = await client.getProofOfDelivery({ tracking_number: left.tracking_number });
  expect([proof.unattended, proof.photos.length]).toEqual([true, 1]);

  // Instances number shipments in blocks of their own.
  await vi.waitFor(() => expect(statuses().sort()).toEqual(['cancelled', 'delivered', 'delivered']), waitTimeout);
  controller.abort();
  await copying;

  for (const name of names) {
    for (const key of Object.keys(await import(`@waybill/docs/samples/${name}.ts`))) {
      expect(ownText, `Call ${key} of packages/docs/samples/${name}.ts: no other test runs it`).toContain(`${key}(`);
    }
  }
});

test('followStatuses reads all shipments when events have expired, then continues', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  await sql`delete from events where account_id = ${account.id}`.execute(service.db);
  await sql`insert into removed_events values (${account.id}, ${Number.MAX_SAFE_INTEGER})`.execute(service.db);
  const controller = new AbortController();
  const db = openDatabase(':memory:');
  // Of a time whose events are removed.
  db.prepare('insert into last_event values (1, ?)').run('evt_01kjpx8p02e00800000000010h');
  const copying = expect(followStatuses(account.client, db, controller.signal)).rejects.toThrow(AbortError);
  const stored = () =>
    db
      .prepare('select tracking_number from shipments order by tracking_number')
      .all()
      .map((row) => row.tracking_number);
  await vi.waitFor(() => expect(stored()).toEqual([tracking_number]), waitTimeout);
  const next = await newShipment(account);
  await vi.waitFor(() => expect(stored()).toEqual([tracking_number, next.tracking_number].sort()), waitTimeout);
  controller.abort();
  await copying;
});

test('every sample is shown on a page of the docs', () => {
  const pages = Object.values(read('packages/docs/{index,quickstart,guides/*}.md')).join('\n');
  const shown = [...pages.matchAll(/^<<< .*samples\/(\S+)$/gm)].map(([, file]) => file);
  expect([...new Set(shown)].sort()).toEqual(files.filter((file) => /\.\w+$/.test(file)).sort());
});

import { readdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import { AbortError } from '@waybill/client';
import { type Event, signTestWebhook, type WaybillEvent } from '@waybill/client/webhooks';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { webhookServer as expressServer } from '@waybill/docs/samples/webhooks/express.ts';
import { webhookServer as fastifyServer } from '@waybill/docs/samples/webhooks/fastify.ts';
import { webhookHandler } from '@waybill/docs/samples/webhooks/next.ts';
import { startReceiver } from '@waybill/tools/lab/network/receiver';
import { sql } from 'kysely';
import { expect, onTestFinished, vi } from 'vitest';
import { pdf, uniquePng } from '../fixtures/images.ts';
import { inTransit, newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { read } from './code-blocks.ts';

type Samples = typeof import('@waybill/docs/samples/access.ts') &
  typeof import('@waybill/docs/samples/changes.ts') &
  typeof import('@waybill/docs/samples/client.ts') &
  typeof import('@waybill/docs/samples/deprecations.ts') &
  typeof import('@waybill/docs/samples/documents.ts') &
  typeof import('@waybill/docs/samples/driver-link.ts') &
  typeof import('@waybill/docs/samples/event-feed.ts') &
  typeof import('@waybill/docs/samples/events.ts') &
  typeof import('@waybill/docs/samples/exceptions.ts') &
  typeof import('@waybill/docs/samples/pagination.ts') &
  typeof import('@waybill/docs/samples/polling.ts') &
  typeof import('@waybill/docs/samples/positions.ts') &
  typeof import('@waybill/docs/samples/proof.ts') &
  typeof import('@waybill/docs/samples/rate-limits.ts') &
  typeof import('@waybill/docs/samples/retries.ts') &
  typeof import('@waybill/docs/samples/unattended.ts');

const folder = new URL('samples/', import.meta.resolve('@waybill/docs/package.json'));
const files = (await readdir(folder, { recursive: true })).filter((file) => /\.\w+$/.test(file));
const ofGuides = files.filter((file) => /^[\w-]+\.ts$/.test(file));
const modules = ofGuides.map((file) => import(`@waybill/docs/samples/${file}`));
/** Every function of the samples in the folder, as a spy. quickstart/ and webhooks/ have tests of their own. */
const samples = Object.assign({}, ...(await Promise.all(modules))) as Samples;
const spies = (Object.keys(samples) as (keyof Samples)[]).map((name) => vi.spyOn(samples, name));

const image = (name: string) => new Blob([uniquePng(name)], { type: 'image/png' });
const stored = (db: DatabaseSync, column: 'status' | 'tracking_number') => {
  const rows = db.prepare(`select ${column} from shipments order by ${column}`).all();
  return rows.map((row) => row[column]);
};

test("every function of the guides' samples runs with the expected result", async ({ service, account }) => {
  vi.stubEnv('WAYBILL_URL', service.baseUrl);
  vi.stubEnv('WAYBILL_API_KEY', account.key);
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = samples.connect();
  const order = { number: 'PO-1', request: shipmentRequest() };
  const number = await samples.createForOrder(client, order);
  expect(await samples.createForOrder(client, order)).toBe(number);
  const { data } = await samples.shipmentPage(client);
  expect(data).toHaveLength(1);
  expect(await samples.connectWithWarnings().listShipments()).toMatchObject({ data });
  const delivered = data[0]?.id ?? '';

  const controller = new AbortController();
  const db = samples.openDatabase(':memory:');
  const copying = expect(samples.followStatuses(client, db, controller.signal)).rejects.toThrow(AbortError);
  const polling = Array.fromAsync(samples.pollTracking(client, number, { interval: 20 }));

  await samples.recordDeparture(client, number);
  const exception = await samples.reportRefusal(client, number, image('refused'));
  await samples.reportSuccess(client, number, exception.id);
  const { exceptions } = await client.getTracking({ tracking_number: number });
  expect(exceptions).toMatchObject([{ photo_count: 1, resolved_at: expect.any(String) }]);
  expect(await samples.trackingNumbersInTransit(client)).toEqual([number]);

  const recordPositions = vi.spyOn(client, 'recordPositions');
  const { maxItems } = contract.components.schemas.PositionsRequest.properties.positions;
  const positions = Array.from({ length: 2 * maxItems + 1 }, (_, n) => {
    return { lat: 47, lng: n / 100, updated_at: new Date(Date.now() - 60_000 + n).toISOString() };
  });
  await samples.sendStoredPositions(client, number, positions, new Date().toISOString());
  const batches = recordPositions.mock.calls.map(([{ positions }]) => positions.length);
  expect(batches).toEqual([maxItems, maxItems, 1]);

  const proofFiles = { signature: image('signature'), photo: image('photo') };
  await samples.submitProof(client, number, 'Owen Castillo', proofFiles);
  expect((await polling).at(-1)?.status).toBe('delivered');

  const { id, tracking_number } = await client.createShipment(shipmentRequest());
  const token = await samples.giveAccess(client, id, 'Cascade Freight');
  expect((await samples.readShipment(service.baseUrl, token, tracking_number)).status).toBe('scheduled');
  await samples.endAccess(client, id, 'Cascade Freight');
  expect((await client.listAccesses({ shipment_id: id })).data).toEqual([]);
  const link = await samples.makeDriverLink(client, id);
  expect(link).toMatch(new RegExp(`^${service.origin}/d/#wba_.*/${id}$`));
  await Promise.all(['Dock 4.', 'Ring the bell.', 'Ask for Mara.'].map((line) => samples.addNote(client, id, line)));
  const { notes = '' } = await client.getShipment({ shipment_id: id });
  expect(notes.split('\n').sort()).toEqual(['Ask for Mara.', 'Dock 4.', 'Ring the bell.']);
  expect(await samples.cancelAll(client, [id, delivered], 'Cancelled.')).toEqual([delivered]);

  const left = await inTransit({ client });
  await samples.submitUnattended(client, left.tracking_number, image('left'));
  const proof = await client.getProofOfDelivery({ tracking_number: left.tracking_number });
  expect(proof).toMatchObject({ unattended: true, photos: [expect.any(String)] });

  await samples.addBillOfLading(client, number, new Blob([pdf()]));
  expect((await client.listDocuments({ tracking_number: number })).data).toMatchObject([{ type: 'bill_of_lading' }]);

  const statuses = ['cancelled', 'delivered', 'delivered'];
  await vi.waitFor(() => expect(stored(db, 'status')).toEqual(statuses), waitTimeout);
  controller.abort();
  await copying;
  const uncalled = spies.filter((spy) => spy.mock.calls.length === 0).map((spy) => spy.getMockName());
  expect(uncalled).toEqual([]);
});

test('followStatuses reads all shipments when events have expired, then continues', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  await sql`delete from events where account_id = ${account.id}`.execute(service.db);
  await sql`insert into removed_events values (${account.id}, ${Number.MAX_SAFE_INTEGER})`.execute(service.db);
  const controller = new AbortController();
  const db = samples.openDatabase(':memory:');
  // Of a time whose events are removed.
  db.prepare('insert into last_event values (1, ?)').run('evt_01kjpx8p02e00800000000010h');
  const copying = expect(samples.followStatuses(account.client, db, controller.signal)).rejects.toThrow(AbortError);
  const hasStored = (...numbers: string[]) =>
    vi.waitFor(() => expect(stored(db, 'tracking_number')).toEqual(numbers.sort()), waitTimeout);
  await hasStored(tracking_number);
  await hasStored(tracking_number, (await newShipment(account)).tracking_number);
  controller.abort();
  await copying;
});

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const secrets = ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', secret];

type Post = (init: RequestInit) => Promise<Response>;
const postTo =
  (listener: RequestListener): Post =>
  async (init) => {
    await using server = await startReceiver(listener);
    return await fetch(`${server.url}waybill`, init);
  };

test.for<[framework: string, start: (process: (event: WaybillEvent) => Promise<void>) => Promise<Post>]>([
  [
    'Fastify',
    async (process) => {
      const app = fastifyServer(process, secrets);
      await app.ready();
      return postTo(app.routing);
    },
  ],
  ['Express', async (process) => postTo(expressServer(process, secrets).set('env', 'test'))],
  [
    'Next',
    async (process) => (init) => {
      const handled = webhookHandler(process, secrets)(new Request('https://a.example', init));
      return handled.catch(() => new Response(null, { status: 500 })); // as Next does
    },
  ],
])('the sample for %s processes only signed events, and refuses one that it cannot process', async ([, start]) => {
  const processed: Event[] = [];
  const post = await start(async (event) => {
    if (processed.length > 0) throw new Error('The queue is full.');
    processed.push(event);
  });
  const event = contract.components.examples.EventListPage.value.data[0] as Event;
  const { body, headers } = await signTestWebhook(event, secret);
  const statusOf = async (body: string) => (await post({ method: 'POST', headers, body })).status;
  expect(await statusOf(`${body} `)).toBe(400);
  expect(processed).toEqual([]);
  expect(await statusOf(body)).toBe(204);
  expect(processed).toEqual([event]);
  expect(await statusOf(body), 'so that the event is sent again').toBe(500);
});

test('every sample is shown on a page of the docs', () => {
  const pages = Object.values(read('packages/docs/{index,quickstart,guides/*}.md')).join('\n');
  const shown = [...pages.matchAll(/^<<< .*samples\/(\S+)$/gm)].map(([, file]) => file);
  expect([...new Set(shown)].sort()).toEqual(files.sort());
});

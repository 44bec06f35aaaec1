import { tracingChannel } from 'node:diagnostics_channel';
import { type AccessRequest, type Client, createClient } from '@waybill/client';
import type { TrackingView } from '@waybill/pages/tracking/view';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import { newAccess, newToken } from '../api/access/accesses.ts';
import { openStream } from '../events/read-stream.ts';
import { chromiumMissing, hasChromium, testInBrowser } from '../fixtures/chromium.ts';
import { concurrently } from '../fixtures/concurrently.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment, type Shipment, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

type Detail = NonNullable<AccessRequest['detail']>;

/** A shipment that is delivered after an exception. Each text of its shipper and its carrier begins with `x-`. */
async function deliver({ client }: Pick<TestAccount, 'client'>): Promise<Shipment> {
  const request = shipmentRequest();
  const shipment = await client.createShipment({
    ...request,
    origin: { ...request.origin, address: 'x-from', contact_name: 'x-sender', contact_phone: '+1 555 010 0199' },
    destination: { ...request.destination, address: 'x-to', contact_name: 'x-receiver', contact_phone: '555 010 0177' },
    reference: `x-reference ${crypto.randomUUID()}`,
    notes: 'x-notes',
    items: [{ description: 'x-item', pieces: 3, weight_kg: 12 }],
    carrier: { name: 'x-carrier' },
    service_level: 'x-service',
  });
  const { tracking_number } = shipment;
  const record = (status: 'dispatched' | 'picked_up' | 'in_transit', more = {}) =>
    client.recordTrackingEvent({ tracking_number, status, timestamp: new Date(), ...more });
  await record('dispatched');
  const { id: exception_id } = await client.raiseException({
    tracking_number,
    code: 'refused',
    occurred_at: new Date(),
    description: 'x-exception',
    location: { lat: 47.66, lng: -119.42, address: 'x-gate' },
    photos: [await upload({ client }, tracking_number, 'photo')],
  });
  await client.resolveException({ tracking_number, exception_id, resolved_at: new Date(), resolution: 'x-resolution' });
  await record('picked_up');
  await record('in_transit', { description: 'x-event', location: { lat: 47.13, lng: -119.28, address: 'x-place' } });
  await client.submitProofOfDelivery({
    tracking_number,
    delivered_at: new Date(),
    signed_by: 'x-signer',
    location: { lat: 47.1357, lng: -119.2468 },
    signature: await upload({ client }, tracking_number, 'signature'),
    photos: [await upload({ client }, tracking_number, 'photo')],
  });
  return shipment;
}

/** Everything that a caller can read of the shipment through the API. The page reads the database. */
async function viewFrom(client: Client, { id: shipment_id, tracking_number }: Shipment): Promise<TrackingView> {
  const permitted = <T>(reading: Promise<T>): Promise<T | undefined> =>
    reading.catch((error) => {
      expect(error).toMatchObject({ code: 'insufficient_scope' });
      return undefined;
    });
  const tracking = await client.getTracking({ tracking_number });
  const exceptionPhotos: TrackingView['exceptionPhotos'] = {};
  for (const { id } of tracking.exceptions ?? [])
    exceptionPhotos[id] = (await client.getException({ tracking_number, exception_id: id })).photos;
  return {
    tracking,
    shipment: await permitted(client.getShipment({ shipment_id })),
    positions: (await permitted(client.listPositions({ tracking_number }).toArray({ limit: 100 }))) ?? [],
    proof: await permitted(client.getProofOfDelivery({ tracking_number })),
    exceptionPhotos,
  } as TrackingView;
}

const test = testInBrowser.extend<{
  $file: { owner: TestAccount; delivered: Shipment };
}>({
  owner: [async ({ service }, use) => use(await newAccount(service)), { scope: 'file' }],
  delivered: [async ({ owner }, use) => use(await deliver(owner)), { scope: 'file' }],
});

const all: Detail[] = ['status', 'location', 'proof'];
const located: Detail[] = ['location', 'proof'];

/** What the page shows of each field, written by hand: the details, and whether the link must also read the shipment. */
const fields: [field: string, text: RegExp, details: Detail[], readsShipment: boolean][] = [
  ['status', />Delivered</, all, false],
  ['time of an event', /<time datetime="2/, all, false],
  ['description of an event', /x-event/, located, false],
  ['code of an exception', /the freight was refused/, all, false],
  ['description of an exception', /x-exception/, located, false],
  ['location of an exception', /x-gate/, located, false],
  ['resolution of an exception', /x-resolution/, located, false],
  ['photo of an exception', /<article[^>]*>(?:(?!<\/article>).)*<img/s, ['proof'], false],
  ['current location', /x-place/, located, false],
  ['route', /<polyline class="route"/, located, false],
  ['signer', /x-signer/, ['proof'], false],
  ['signature', /alt="Signature of x-signer"/, ['proof'], false],
  ['photo of the proof', /id="proof".*alt="Photo 1 of 1"/s, ['proof'], false],
  ['addresses', /x-from.*x-to/s, all, true],
  ['contact of the sender', /x-sender/, all, true],
  ['phone of the sender', /tel:\+15550100199/, all, true],
  ['receiver', /x-receiver/, all, true],
  ['phone of the receiver', /0177/, [], true],
  ['reference', /x-reference/, all, true],
  ['notes', /x-notes/, [], true],
  ['items', /x-item.*3 pieces/s, all, true],
  ['carrier', /x-carrier/, all, true],
  ['service', /x-service/, all, true],
];

/** All texts and numbers in a value, but signed URLs, which change. */
const leavesOf = (value: unknown): string[] => {
  if (typeof value === 'string' || typeof value === 'number') return /\/files\//.test(`${value}`) ? [] : [`${value}`];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
};

const open = (service: { origin: string }, token: string, path = '', headers = {}): Promise<Response> =>
  fetch(`${service.origin}/t/${token}${path}`, { headers: { accept: 'text/html', ...headers } });

const scopesWith = (readsShipment: boolean): AccessRequest['scopes'] => [
  'tracking:read',
  ...(readsShipment ? (['shipments:read'] as const) : []),
];

describe.each(all)('a link of the detail %s', (detail) => {
  test.for([false, true])(
    'shows exactly its fields, and no value that the API hides, where reading the shipment is %s',
    async (readsShipment, { service, owner, delivered }) => {
      const { client } = owner;
      const access = { scopes: scopesWith(readsShipment), detail };
      const { token, id: access_id } = await newAccess(owner, delivered, access);
      const visible = await viewFrom(createClient({ baseUrl: service.baseUrl, accessToken: token }), delivered);
      const html = await (await open(service, token)).text();
      for (const [field, text, details, needsShipment] of fields) {
        const isShown = details.includes(detail) && (readsShipment || !needsShipment);
        expect(text.test(html), `${field} is shown`).toBe(isShown);
      }
      const known = new Set(leavesOf(visible));
      const hidden = leavesOf(await viewFrom(client, delivered)).filter((value) => !known.has(value));
      expect(hidden.length > 0).toBe(detail !== 'proof' || !readsShipment);
      // Short numbers are parts of others, and the texts of the page speak of freight.
      const isDistinct = (value: string): boolean => value.length > 3 && value !== 'freight';
      expect(hidden.filter((value) => isDistinct(value) && html.includes(value))).toEqual([]);
      await client.deleteAccess({ shipment_id: delivered.id, access_id });
    },
  );
});

test('a page shows the handover code to the link of a consignee with the detail proof, until the delivery', async ({
  service,
  account,
}) => {
  const shipment = await account.client.createShipment({ ...shipmentRequest(), handover_code: '90817263' });
  const path = { shipment_id: shipment.id };
  const isShown = async (request: AccessRequest): Promise<boolean> => {
    const { token } = await account.client.createAccess({ ...path, ...request });
    return /id="handover".*90817263/s.test(await (await open(service, token)).text());
  };
  expect(await isShown({ kind: 'track' })).toBe(true);
  expect(await isShown({ kind: 'track', detail: 'location' })).toBe(false);
  expect(await isShown({ kind: 'track', detail: 'status' })).toBe(false);
  expect(await isShown({ kind: 'track', scopes: ['tracking:read'] })).toBe(false);
  expect(await isShown({ kind: 'drive' })).toBe(false);
  expect(await isShown({ scopes: ['shipments:read', 'tracking:read'], detail: 'proof' })).toBe(false);
  await account.client.cancelShipment({ ...path, reason: 'The consignee moved.' });
  expect(await isShown({ kind: 'track' })).toBe(false);
});

test('a page is not stored, indexed or sent as referrer, and has its pictures from the service', async ({
  service,
  owner,
  delivered,
}) => {
  const response = await open(service, await newToken(owner, delivered), '', { 'accept-encoding': 'gzip' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-encoding': 'gzip',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'content-security-policy': expect.stringMatching(
      new RegExp(`default-src 'none'.*img-src 'self' data: ${service.origin}`),
    ),
  });
  const html = await response.text();
  const [, picture = ''] = /<img src="([^"]+)"/.exec(html) ?? [];
  const file = await fetch(picture);
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('image/png');
  expect(file.headers.get('cross-origin-resource-policy')).toBeNull();
});

test.for([
  ['?lang=de', undefined, 'de'],
  ['', 'fr-CA, en;q=0.5', 'fr'],
  ['?lang=xx', 'zh', 'zh-CN'],
])(
  'a link with %s and Accept-Language %s is in that language',
  async ([path, language, lang], { service, owner, delivered }) => {
    const token = await newToken(owner, delivered);
    const response = await open(service, token, path, language === undefined ? {} : { 'accept-language': language });
    expect(await response.text()).toMatch(new RegExp(`<html lang="${lang}`));
  },
);

describe('a link that shows nothing', () => {
  const expectClosed = async (response: Response, status: number, title: string) => {
    const html = await response.text();
    const [, shown] = /<title>(.*)<\/title>/.exec(html) ?? [];
    expect({ status: response.status, title: shown }).toEqual({ status, title });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(html).not.toMatch(/FRT-/);
  };
  const unknown = 'This link does not work';

  test('is not found if the token is malformed, another one, withdrawn, or without tracking:read', async ({
    service,
    account,
  }) => {
    const shipment = await newShipment(account);
    const { token, id: access_id } = await newAccess(account, shipment);
    await expectClosed(await open(service, 'wba_1'), 404, unknown);
    await expectClosed(await open(service, '%00'), 404, unknown);
    const otherSecret = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    await expectClosed(await open(service, otherSecret), 404, unknown);
    const writing = await newToken(account, shipment, { scopes: ['tracking:write', 'shipments:read'] });
    await expectClosed(await open(service, writing), 404, unknown);
    await expectClosed(await open(service, writing, '/live'), 404, unknown);
    await account.client.deleteAccess({ shipment_id: shipment.id, access_id });
    await vi.waitFor(async () => expectClosed(await open(service, token), 404, unknown), waitTimeout);
  });

  test('is not found for a key of the account, which is valid as a bearer', async ({ service, account }) => {
    expect((await open(service, account.key)).status).toBe(404);
    expect((await open(service, account.key, '/live')).status).toBe(404);
    await account.client.listShipments();
  });

  test('has expired for whoever has the token', async ({ service, account }) => {
    const shipment = await newShipment(account);
    const { token, id } = await newAccess(account, shipment);
    await sql`update accesses set expires_at = now() - interval '1 second' where account_id = ${account.id} and id = ${uuidFromPublicId('acc', id)}`.execute(
      service.db,
    );
    await expectClosed(await open(service, token), 410, 'This link has expired');
    await expectClosed(await open(service, token, '?lang=es'), 410, 'Este enlace ha caducado');
    await expectClosed(await open(service, token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')), 404, unknown);
  });
});

test('a link has its own limit, and leaves that of the account alone', async () => {
  await using service = await startService({ ACCESS_RATE_LIMIT: '2' });
  const account = await newAccount(service);
  const shipment = await newShipment(account);
  const [token, other] = [await newToken(account, shipment), await newToken(account, shipment)];
  const visits = [await open(service, token), await open(service, token), await open(service, token)];
  expect(visits.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(await visits[2]?.text()).toContain('This page cannot be shown now');
  expect(visits[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await open(service, other)).status).toBe(200);
  await account.client.getShipment({ shipment_id: shipment.id });
});

test('the drawing of a page is charged to the account of its link', async ({ service, owner }) => {
  notWithCluster('it watches the process of the service');
  const { token } = await newAccess(owner, await newShipment(owner), { scopes: ['tracking:read'] });
  await (await open(service, token)).text(); // what is read and made once
  const channel = tracingChannel('fastify.request.handler');
  const requests: { url: string; busy: number }[] = [];
  const note = { end: ({ request }: { request: (typeof requests)[number] }) => void requests.push(request) };
  channel.subscribe(note as never);
  const { get = () => undefined } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format') ?? {};
  // Each time that the page shows takes 20 ms.
  using _ = vi.spyOn(Intl.DateTimeFormat.prototype, 'format' as never, 'get').mockImplementation(function (
    this: unknown,
  ) {
    const end = performance.now() + 20;
    while (performance.now() < end);
    return get.call(this);
  } as never);
  await (await open(service, token)).text();
  channel.unsubscribe(note as never);
  expect(requests.find(({ url }) => url.includes(token))?.busy).toBeGreaterThan(20);
});

test('a page reads the photos of all exceptions by one statement', async ({ service, owner }) => {
  notWithCluster('it watches the process of the service');
  const shipment = await newShipment(owner);
  const { tracking_number } = shipment;
  for (const status of ['dispatched', 'picked_up'] as const)
    await owner.client.recordTrackingEvent({ tracking_number, status, timestamp: new Date() });
  for (const code of ['traffic_delay', 'weather_delay', 'facility_delay'] as const) {
    const photos = [await upload(owner, tracking_number, 'photo')];
    await owner.client.raiseException({ tracking_number, code, occurred_at: new Date(), photos });
  }
  const { token } = await newAccess(owner, shipment, { scopes: ['tracking:read'], detail: 'proof' });
  using query = vi.spyOn(pg.Client.prototype, 'query');
  const page = await (await open(service, token)).text();
  expect(new Set(page.match(/\/files\/[^"?]+/g)).size).toBe(3);
  const texts = query.mock.calls.map(([statement]) => JSON.stringify(statement));
  expect(texts.filter((text) => /from \\"exceptions\\" where/.test(text))).toHaveLength(1);
});

describe('a live connection', () => {
  /** Reads the lines of a live connection. */
  async function* linesOf(response: Response): AsyncGenerator<string> {
    let rest = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  }
  const isChange = (line: string): boolean => line === 'event: change';

  test('has an empty event for each visible change of its shipment, and ends when the link is withdrawn', async () => {
    await using service = await startService({ EVENT_STREAM_SECONDS: '600' });
    const account = await newAccount(service);
    const [shipment, other] = [await newShipment(account), await newShipment(account)];
    const { token, id: access_id } = await newAccess(account, shipment, {
      scopes: ['tracking:read'],
      detail: 'status',
    });
    const response = await open(service, token, '/live');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const lines = linesOf(response);
    expect((await lines.next()).value).toMatch(/^retry: \d+$/);
    const nextChange = async (): Promise<void> => {
      for (let line = await lines.next(); !isChange(line.value); line = await lines.next())
        if (line.done) throw new Error('The connection has ended.');
    };
    const change = { status: 'dispatched', timestamp: new Date() } as const;
    await account.client.recordTrackingEvent({ ...change, tracking_number: other.tracking_number });
    const { tracking_number } = shipment;
    await account.client.recordTrackingEvent({ ...change, tracking_number });
    await nextChange();
    // A position is not visible in the detail `status`.
    await account.client.recordPositions({ tracking_number, positions: [{ lat: 1, lng: 2, updated_at: new Date() }] });
    await account.client.cancelShipment({ shipment_id: shipment.id, reason: 'The consignee moved.' });
    await nextChange();
    await account.client.deleteAccess({ shipment_id: shipment.id, access_id });
    for await (const line of lines) expect(isChange(line)).toBe(false);
    expect((await open(service, token, '/live')).status).toBe(404);
  });

  test('takes no stream of an API key, of its account or of all', async () => {
    notWithCluster('each instance has its own limit');
    await using service = await startService({ EVENT_STREAM_SECONDS: '600', MAX_EVENT_STREAMS: '4' });
    const [account, other] = [await newAccount(service), await newAccount(service)];
    const live = async (owner: TestAccount) => {
      const { token } = await newAccess(owner, await newShipment(owner), { scopes: ['tracking:read'] });
      return (await open(service, token, '/live')).status;
    };
    const openLive = (owner: TestAccount, count: number) => concurrently(count, () => live(owner));
    expect((await openLive(account, 4)).sort()).toEqual([200, 200, 200, 429]);
    expect((await openLive(other, 2)).sort()).toEqual([200, 503]);
    await using first = await openStream(service, account);
    await using second = await openStream(service, other);
    expect([first.response.status, second.response.status]).toEqual([200, 200]);
  });
});

test('no log line has the token of a link, whatever its response', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'trace', ACCESS_RATE_LIMIT: '2' }, log);
  const account = await newAccount(service);
  const shipment = await newShipment(account);
  const { token, id } = await newAccess(account, shipment);
  const wrong = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
  for (const path of [token, `${token}?lang=de`, token, wrong, `${token}/none`]) await open(service, path);
  const pages = () => log.filter(({ route }) => route === '/t/:token');
  await vi.waitFor(() => expect(pages().map(({ status }) => status)).toEqual([200, 200, 429, 404]), waitTimeout);
  expect(pages()[0]).toMatchObject({ accountId: account.id, keyId: id });
  expect(JSON.stringify(log)).not.toContain(token.slice(-41, -1));
});

describe.skipIf(!hasChromium)(`in a browser${chromiumMissing}`, () => {
  test('an open page follows its shipment until the link is withdrawn', async ({ service, account, browser }) => {
    const shipment = await newShipment(account);
    const { token, id: access_id } = await newAccess(account, shipment);
    await using page = await browser.newPage();
    page.setDefaultTimeout(waitTimeout.timeout);
    const live = page.waitForResponse((response) => response.url().endsWith('/live'));
    await page.goto(`${service.origin}/t/${token}`);
    await live;
    const { tracking_number } = shipment;
    await account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
    await page.getByText('A driver is assigned and will pick up your freight').waitFor();
    await account.client.deleteAccess({ shipment_id: shipment.id, access_id });
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(await page.getByText(tracking_number).count()).toBe(0);
  });
});

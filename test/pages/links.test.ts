import { type AccessRequest, type Client, createClient } from '@waybill/client';
import type { TrackingView } from '@waybill/pages/tracking/view';
import { setDispatcherPhone } from '@waybill/server/auth/administration';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { newAccess, newToken } from '../api/access/accesses.ts';
import { openStream } from '../events/read-stream.ts';
import { concurrently } from '../fixtures/requests/concurrently.ts';
import { startService } from '../fixtures/service/service.ts';
import { newShipment, proofFor, type Shipment, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { test as base, newAccount, type TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

type Detail = NonNullable<AccessRequest['detail']>;

/** A shipment that is delivered after an exception. Each text of its shipper and its carrier begins with `x-`. */
async function deliver({ client }: Pick<TestAccount, 'client'>): Promise<Shipment> {
  const { origin, destination, ...request } = shipmentRequest();
  const from = { company: 'x-company', address: 'x-from', address_2: 'x-suite', contact_name: 'x-sender' };
  const shipment = await client.createShipment({
    ...request,
    origin: { ...origin, ...from, contact_phone: '+1 555 010 0199' },
    destination: { ...destination, address: 'x-to', contact_name: 'x-receiver', contact_phone: '555 010 0177' },
    reference: `x-reference ${crypto.randomUUID()}`,
    references: [{ type: 'bill_of_lading', value: 'x-lading' }],
    notes: 'x-notes',
    items: [{ description: 'x-item', pieces: 3, weight: { value: 12, unit: 'lb' }, hazmat: { id: 'UN1263' } }],
    temperature: { min: 40, unit: 'F' },
    equipment: { type: 'reefer', trailer_number: 'x-trailer' },
    driver: { name: 'x-driver', phone: '555 010 0166' },
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
  const proof = await proofFor({ client }, tracking_number);
  const location = { lat: 47.1357, lng: -119.2468 };
  const counted = { signed_by: 'x-signer', remarks: 'x-remarks', items: [{ index: 0, pieces_delivered: 2 }] };
  await client.submitProofOfDelivery({ tracking_number, ...proof, ...counted, location });
  const upload_id = await upload({ client }, tracking_number, 'document');
  await client.addDocument({ tracking_number, upload_id, type: 'bill_of_lading', description: 'x-document' });
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
    documents: (await permitted(client.listDocuments({ tracking_number })))?.data ?? [],
    exceptionPhotos,
  } as TrackingView;
}

const test = base.extend<{ $file: { owner: TestAccount; delivered: Shipment } }>({
  owner: [async ({ service }, use) => use(await newAccount(service)), { scope: 'file' }],
  delivered: [async ({ owner }, use) => use(await deliver(owner)), { scope: 'file' }],
});

const all: Detail[] = ['status', 'location', 'proof'];
const located: Detail[] = ['location', 'proof'];

const photo = /<article[^>]*>(?:(?!<\/article>).)*<img/s;
const ofProof = [photo, /x-remarks/, /2 of 3 pieces/, /alt="Signature of x-signer"/, /id="proof".*alt="Photo 1 of 1"/s];

/** What the page shows, written by hand: the details, and whether the link must also read the shipment. */
const fields: [details: Detail[], readsShipment: boolean, texts: RegExp[]][] = [
  [all, false, [/>Delivered</, /<time datetime="2/, /the freight was refused/]],
  [located, false, [/x-event/, /x-exception/, /x-gate/, /x-resolution/, /<polyline class="route"/]],
  [['proof'], false, [...ofProof, /Location<.*>Near Moses Lake, WA</]],
  [all, true, [/\/files\/[^>]*>Bill of lading<.*x-document/s]], // the links that read the shipment show documents
  [all, true, [/x-company.*x-from.*x-suite.*x-to/s, /x-sender/, /tel:\+15550100199/, /x-receiver/]],
  [all, true, [/x-reference/, /Bill of lading.*x-lading/s, /x-carrier/, /x-service/]],
  [all, true, [/≥ 40°F/, /x-item.*3 pieces · 12 lb.*Hazardous goods: UN1263/s]],
  [located, true, [/Refrigerated trailer · trailer .*x-trailer/]],
  [['proof'], true, [/x-driver.*555 010 0166/]],
  [[], true, [/0177/, /x-notes/]], // the phone of the receiver
];

/** All texts and numbers in a value, but signed URLs, which change. */
const leavesOf = (value: unknown): string[] => {
  if (typeof value === 'string' || typeof value === 'number') return /\/files\//.test(`${value}`) ? [] : [`${value}`];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
};

const open = (service: { origin: string }, token: string, path = '', headers = {}): Promise<Response> =>
  fetch(`${service.origin}/t/${token}${path}`, { headers: { accept: 'text/html', ...headers } });

const combinations = all.flatMap((detail) => [[detail, false] as const, [detail, true] as const]);

test.for(combinations)(
  'a link of the detail %s shows exactly its fields, with the shipment: %s',
  async ([detail, readsShipment], { service, owner, delivered }) => {
    const scopes: AccessRequest['scopes'] = ['tracking:read'];
    if (readsShipment) scopes.push('shipments:read');
    const { token, id: access_id } = await newAccess(owner, delivered, { scopes, detail, documents: readsShipment });
    const visible = await viewFrom(createClient({ baseUrl: service.baseUrl, accessToken: token }), delivered);
    const html = await (await open(service, token)).text();
    for (const [details, needsShipment, texts] of fields) {
      const isShown = details.includes(detail) && (readsShipment || !needsShipment);
      for (const text of texts) expect(text.test(html), String(text)).toBe(isShown);
    }
    const known = new Set(leavesOf(visible));
    const hidden = leavesOf(await viewFrom(owner.client, delivered)).filter((value) => !known.has(value));
    expect(hidden.length > 0).toBe(detail !== 'proof' || !readsShipment);
    // Short numbers are parts of others, and the texts of the page speak of freight.
    const isDistinct = (value: string): boolean => value.length > 3 && value !== 'freight';
    expect(hidden.filter((value) => isDistinct(value) && html.includes(value))).toEqual([]);
    await owner.client.deleteAccess({ shipment_id: delivered.id, access_id });
  },
);

test('a consignee with the detail proof sees the handover code', async ({ service, account: { client } }) => {
  const { id: shipment_id } = await client.createShipment({ ...shipmentRequest(), handover_code: '90817263' });
  const isShown = async (request: AccessRequest): Promise<boolean> => {
    const { token } = await client.createAccess({ shipment_id, ...request });
    return /id="handover".*90817263/s.test(await (await open(service, token)).text());
  };
  expect(await isShown({ kind: 'track' })).toBe(true);
  expect(await isShown({ kind: 'track', detail: 'location' })).toBe(false);
  expect(await isShown({ kind: 'track', detail: 'status' })).toBe(false);
  expect(await isShown({ kind: 'track', scopes: ['tracking:read'] })).toBe(false);
  expect(await isShown({ kind: 'drive' })).toBe(false);
  expect(await isShown({ scopes: ['shipments:read', 'tracking:read'], detail: 'proof' })).toBe(false);
  await client.cancelShipment({ shipment_id, reason: 'The consignee moved.' });
  expect(await isShown({ kind: 'track' })).toBe(false);
});

test('the phone of the dispatcher is shown to drivers only', async ({ service, account }) => {
  const { client, id } = account;
  const { id: shipment_id } = await newShipment(account);
  await setDispatcherPhone(service.db, id, '206 555 0100');
  const phoneFor = async (request: AccessRequest) => {
    const { token: accessToken } = await client.createAccess({ shipment_id, ...request });
    return (await createClient({ baseUrl: service.baseUrl, accessToken }).getShipment({ shipment_id }))
      .dispatcher_phone;
  };
  expect(await phoneFor({ kind: 'drive' })).toBe('206 555 0100');
  expect(await phoneFor({ kind: 'track' })).toBeUndefined();
  expect(await phoneFor({ scopes: ['shipments:read'], detail: 'proof' })).toBeUndefined();
  expect(await client.getShipment({ shipment_id })).not.toHaveProperty('dispatcher_phone');
  await setDispatcherPhone(service.db, id, null);
  expect(await phoneFor({ kind: 'drive' })).toBeUndefined();
});

test('a page is private, with pictures of the service, in its language', async ({ service, owner, delivered }) => {
  const token = await newToken(owner, delivered);
  const response = await open(service, token, '', { 'accept-encoding': 'gzip' });
  const policy = new RegExp(`default-src 'none'.*img-src 'self' data: ${service.origin}`);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-encoding': 'gzip',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'content-security-policy': expect.stringMatching(policy),
  });
  const [, picture = ''] = /<img src="([^"]+)"/.exec(await response.text()) ?? [];
  const { status, headers } = await fetch(picture);
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(headers.get('cross-origin-resource-policy')).toBeNull();
  for (const [path, language, lang] of [
    ['?lang=de', 'fr', 'de'],
    ['', 'fr-CA, en;q=0.5', 'fr'],
    ['?lang=xx', 'zh', 'zh-CN'],
  ] as const) {
    const html = await (await open(service, token, path, { 'accept-language': language })).text();
    expect(html).toContain(`<html lang="${lang}`);
  }
});

test('a link opens with what mail programs put after it', async ({ service, owner, delivered }) => {
  const token = await newToken(owner, delivered);
  const ends = ['.', ')', '/', ',', '%3E', '%22', '>.', '/)', '//', '%2F', '%E2%80%9D', '_', '*', '%20', '%00'];
  for (const end of [...ends, '&gt;', '=3D', ').Thanks', '。请查收', '请查收', '%', '%)', ')%E2']) {
    const { status, url } = await open(service, `${token}${end}?lang=de`);
    expect([end, status, url]).toEqual([end, 200, `${service.origin}/t/${token}?lang=de`]);
  }
  for (const end of ['x', '/x', '/live.', '/../x'])
    expect([end, (await open(service, `${token}${end}`)).status]).toEqual([end, 404]);
});

/** Changes the secret of a token. */
const wrong = (token: string): string => token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');

test('a link that is unknown, withdrawn, expired, or a key shows nothing', async ({ service, account }) => {
  const expectClosed = async (path: string, status = 404, title = 'This link does not work') => {
    const response = await open(service, path);
    const html = await response.text();
    const [, shown] = /<title>(.*)<\/title>/.exec(html) ?? [];
    expect([response.status, shown, response.headers.get('cache-control')]).toEqual([status, title, 'no-store']);
    expect(html).not.toMatch(/FRT-/);
  };
  const shipment = await newShipment(account);
  const { token, id: access_id } = await newAccess(account, shipment);
  const writing = await newToken(account, shipment, { scopes: ['tracking:write', 'shipments:read'] });
  for (const each of ['wba_1', '%00', wrong(token), writing, account.key]) await expectClosed(each);
  for (const each of [writing, account.key]) expect((await open(service, each, '/live')).status).toBe(404);
  await account.client.listShipments(); // the key is valid as a bearer
  await account.client.deleteAccess({ shipment_id: shipment.id, access_id });
  await vi.waitFor(() => expectClosed(token), waitTimeout);
  const { token: expired, id } = await newAccess(account, shipment);
  await sql`update accesses set expires_at = now() - interval '1 second'
    where account_id = ${account.id} and id = ${uuidFromPublicId('acc', id)}`.execute(service.db);
  await expectClosed(expired, 410, 'This link has expired');
  await expectClosed(`${expired}?lang=es`, 410, 'Este enlace ha caducado');
  await expectClosed(wrong(expired));
});

test('a link has its own limit, and no log line has its token, whatever its response', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'trace', ACCESS_RATE_LIMIT: '2' }, log);
  const account = await newAccount(service);
  const shipment = await newShipment(account);
  const { token, id: keyId } = await newAccess(account, shipment);
  for (const path of [token, `${token}?lang=de`]) await open(service, path);
  const refused = await open(service, token);
  expect(await refused.text()).toContain('This page cannot be shown now');
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  for (const path of [wrong(token), `${token}/none`]) await open(service, path);
  const pages = () => log.filter(({ route }) => route === '/t/:token');
  await vi.waitFor(() => expect(pages().map(({ status }) => status)).toEqual([200, 200, 429, 404]), waitTimeout);
  expect(pages()[0]).toMatchObject({ accountId: account.id, keyId });
  expect(JSON.stringify(log)).not.toContain(token.slice(-41, -1));
  expect((await open(service, await newToken(account, shipment))).status).toBe(200);
  await account.client.getShipment({ shipment_id: shipment.id });
});

/** Reads the lines of a live connection. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

test('a live connection has an event for each visible change, and takes no stream of a key', async () => {
  await using service = await startService({ EVENT_STREAM_SECONDS: '600', MAX_EVENT_STREAMS: '4' });
  const [account, second] = [await newAccount(service), await newAccount(service)];
  const [shipment, other] = [await newShipment(account), await newShipment(account)];
  const access = { scopes: ['tracking:read' as const], detail: 'status' as const };
  const { token, id: access_id } = await newAccess(account, shipment, access);
  const response = await open(service, token, '/live');
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const lines = linesOf(response);
  expect((await lines.next()).value).toMatch(/^retry: \d+$/);
  const isChange = (line: string): boolean => line === 'event: change';
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

  const openLive = (owner: TestAccount, count: number) =>
    concurrently(count, async () => {
      return (await open(service, await newToken(owner, await newShipment(owner)), '/live')).status;
    });
  expect((await openLive(account, 4)).sort()).toEqual([200, 200, 200, 429]);
  expect((await openLive(second, 2)).sort()).toEqual([200, 503]);
  for (const owner of [account, second]) {
    await using stream = await openStream(service, owner);
    expect(stream.response.status).toBe(200);
  }
});

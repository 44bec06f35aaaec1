import { type AccessRequest, createClient } from '@waybill/client';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { openStream } from '../../events/read-stream.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import { get } from '../../fixtures/requests/send.ts';
import { startService } from '../../fixtures/service/service.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { newAccess, newToken } from './accesses.ts';

const day = 24 * 3_600_000;
const reading: Pick<AccessRequest, 'scopes'> = { scopes: ['tracking:read'] };
/** The default scopes, written by hand. */
const consignee = ['shipments:read', 'tracking:read'] as const;
const driver = [...consignee, 'tracking:write'] as const;

test('an access has its fields, and of its kind defaults and a link', async ({ service: { origin }, account }) => {
  const { client } = account;
  const { id: shipment_id } = await newShipment(account);
  const inADay = new Date(Date.now() + day).toISOString();
  const named = { ...reading, name: 'Truck 12', detail: 'location', documents: true, expires_at: inADay };
  const track = { kind: 'track', scopes: ['tracking:read', 'events:read'], detail: 'status' };
  const time = expect.stringMatching(/Z$/);
  const accesses = [];
  for (const [given, expected, link] of [
    [reading, { ...reading, detail: 'status' }],
    [named, named],
    [{ kind: 'track' }, { kind: 'track', scopes: consignee, detail: 'proof' }, '/t/TOKEN'],
    [{ kind: 'drive' }, { kind: 'drive', scopes: driver, detail: 'proof' }, `/d/#TOKEN/${shipment_id}`],
    [track, track, '/t/TOKEN'],
  ] as [Partial<AccessRequest>, object, string?][]) {
    const { token, url, ...access } = await client.createAccess({ shipment_id, ...given });
    const defaults = { id: expect.any(String), documents: false, created_at: time, expires_at: time };
    expect(access).toEqual({ ...defaults, ...expected });
    expect(token.startsWith(`${access.id.replace('acc', 'wba')}_`)).toBe(true);
    expect(url?.replace(token, 'TOKEN')).toBe(link && origin + link);
    accesses.push(access);
  }
  expect((await client.listAccesses({ shipment_id })).data).toEqual(accesses);
  const [{ created_at = '', expires_at = '' } = {}] = accesses;
  // The id is made a little later than the time from which the days are counted.
  const days = (Date.parse(expires_at) - Date.parse(created_at)) / day;
  expect([days <= 30, days > 29.9, Math.abs(Date.parse(created_at) - Date.now()) < day]).toEqual([true, true, true]);
});

test.for<[string, Partial<AccessRequest>, pointer: string, code: string]>([
  ['that expires now', { ...reading, expires_at: new Date().toISOString() }, '/expires_at', 'out_of_order'],
  ['without a kind and scopes', {}, '/scopes', 'required'],
  ['of a consignee that could write', { kind: 'track', scopes: [...driver] }, '/scopes/2', 'not_allowed'],
  ['of a page that could show nothing', { kind: 'track', scopes: ['shipments:read'] }, '/scopes', 'required'],
  ['of a driver who could not write', { kind: 'drive', scopes: [...consignee] }, '/scopes', 'required'],
])('createAccess returns 400 for an access %s', async ([, given, pointer, code], { account: { client } }) => {
  const { id: shipment_id } = await newShipment({ client });
  const refused = { code: 'invalid_request', errors: [{ in: 'body', pointer, code }] };
  await expect(client.createAccess({ shipment_id, ...given })).rejects.toMatchObject(refused);
});

test('a key gives only its own scopes, also with the Idempotency-Key of another key', async ({ service, account }) => {
  const path = `/shipments/${(await newShipment(account)).id}/access`;
  const less = await account.keyWith(['shipments:read', 'shipments:write', 'tracking:read']);
  const create = (key: string, body: object) => post(service, { key }, { path, body, key: JSON.stringify(body) });
  const detail = 'The key lacks the scope tracking:write, and cannot give it.';
  for (const body of [{ scopes: ['tracking:read', 'tracking:write'] }, { kind: 'drive' }]) {
    expect((await create(account.key, body)).status).toBe(201);
    expect(await create(less, body)).toMatchObject({ status: 403, body: { code: 'insufficient_scope', detail } });
  }
  expect((await create(less, { kind: 'track' })).status).toBe(201);
});

test('the idempotency keys of an access are its own', async ({ service, account }) => {
  const shipment = await shipmentIn(account, 'in_transit');
  const token = await newToken(account, shipment, { detail: 'status' });
  const path = `/tracking/${shipment.tracking_number}/exceptions`;
  const raise = (key: string, code: string) => {
    const body = { code, occurred_at: '2026-03-04T15:20:00Z', description: 'Wet' };
    return post(service, { key }, { path, body, key: 'shared' });
  };
  expect((await raise(account.key, 'damaged')).status).toBe(201);
  const own = await raise(token, 'damaged');
  expect(own).toMatchObject({ status: 201, replayed: false });
  expect(own.body).not.toHaveProperty('description');
  expect(await raise(token, 'damaged')).toEqual({ ...own, headers: expect.anything(), replayed: true });
  expect((await raise(token, 'short')).status).toBe(422);
});

test('20 of 50 concurrent createAccess requests succeed, and more after others end', async ({ service, account }) => {
  const shipment = await newShipment(account);
  const path = { shipment_id: shipment.id };
  const list = async () => (await account.client.listAccesses(path)).data;
  /** The code of the refusal of each request; undefined of those that succeed. */
  const attempts = () =>
    concurrently(50, () =>
      newAccess(account, shipment).then(
        () => undefined,
        ({ code }) => String(code),
      ),
    );
  const codes = await attempts();
  expect(codes.filter(Boolean)).toEqual(Array(30).fill('access_limit_reached'));
  const [expired, ...others] = (await list()).map(({ id }) => id);
  expect(others).toHaveLength(19);
  await sql`update accesses set expires_at = now() - interval '1 second'
    where account_id = ${account.id} and id = ${uuidFromPublicId('acc', expired ?? '')}`.execute(service.db);
  expect(await list()).toHaveLength(19);
  await newAccess(account, shipment);
  const [again] = await Promise.all([
    attempts(),
    ...others.slice(0, 5).map((access_id) => account.client.deleteAccess({ ...path, access_id })),
  ]);
  const later = again.filter((code) => !code).length;
  expect(later).toBeLessThanOrEqual(5);
  expect(await list()).toHaveLength(15 + later);
});

test('each access has its own limit, apart from that of keys', async () => {
  await using service = await startService({ ACCESS_RATE_LIMIT: '2' });
  const account = await newAccount(service);
  const shipment = await newShipment(account);
  const read = async (key: string) => {
    const { status, headers } = await get(service, { key }, `/shipments/${shipment.id}`);
    return [status, headers.get('ratelimit-policy')];
  };
  const policy = '"access";q=2;w=60';
  for (const key of [await newToken(account, shipment), await newToken(account, shipment)])
    expect([await read(key), await read(key), await read(key)]).toEqual([200, 200, 429].map((each) => [each, policy]));
  expect(await read(account.key)).toEqual([200, '"key";q=1000000;w=60']);
});

test('a link shows contacts, and that of a driver not when the shipment is final', async ({ service, account }) => {
  const contact = { contact_name: 'Dana', contact_phone: '+1 503 555 0142' };
  const { origin, destination } = shipmentRequest();
  const [cities, contacts] = [
    { origin, destination },
    { origin: contact, destination: contact },
  ];
  const withContacts = { origin: { ...origin, ...contact }, destination: { ...destination, ...contact } };
  for (const kind of ['track', 'drive'] as const) {
    const { id: shipment_id } = await newShipment(account, withContacts);
    const scopes = [...(kind === 'track' ? consignee : driver), 'events:read' as const];
    const { token: accessToken } = await account.client.createAccess({ shipment_id, kind, scopes });
    await using stream = await openStream(service, { key: accessToken });
    await stream.next();
    const link = createClient({ baseUrl: service.baseUrl, accessToken });
    expect(await link.getShipment({ shipment_id })).toMatchObject(withContacts);
    await account.client.cancelShipment({ shipment_id, reason: 'The order was withdrawn.' });
    const { data = '' } = (await stream.next()) ?? {};
    const { type, data: changed } = JSON.parse(data);
    expect(type).toBe('shipment.cancelled');
    for (const final of [await link.getShipment({ shipment_id }), changed.shipment]) {
      expect(final).toMatchObject(kind === 'track' ? contacts : cities);
      if (kind === 'drive') expect(JSON.stringify(final)).not.toMatch(/contact_|Dana|555/);
    }
    expect(await account.client.getShipment({ shipment_id })).toMatchObject(withContacts);
  }
});

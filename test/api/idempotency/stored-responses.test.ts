import { sql } from 'kysely';
import { expect } from 'vitest';
import { uniquePng } from '../../fixtures/images.ts';
import { expectReplay, post } from '../../fixtures/post.ts';
import { declarationOf, put } from '../../fixtures/requests.ts';
import { inTransit, proofFor, type Shipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { stateOf } from '../../fixtures/state.ts';
import { test } from '../../fixtures/test.ts';
import { ready } from './requests.ts';

const create = { path: '/shipments', body: shipmentRequest(), key: 'k' };

test('a stored 409 is replayed with all members when a new one would succeed', async ({ service, account }) => {
  const taken = { ...create, body: { ...create.body, reference: 'PO-1' } };
  const created = await post(service, account, { ...taken, key: 'holder' });
  const { id } = created.body as Shipment;
  const first = await post(service, account, taken);
  expect(first).toMatchObject({ status: 409, body: { code: 'reference_taken', shipment_id: id } });
  await account.client.cancelShipment({ shipment_id: id, reason: 'The consignee moved.' });
  const repeated = await post(service, account, { ...taken, headers: { 'x-request-id': 'second' } });
  expectReplay(repeated, first);
  expect([repeated.headers.get('x-request-id'), repeated.body]).toMatchObject(['second', { request_id: 'second' }]);
  // The shipment has changed since.
  expectReplay(await post(service, account, { ...taken, key: 'holder' }), created);
  expect((await post(service, account, { ...taken, key: 'other' })).status).toBe(201);
});

test('a 400 that depends on the database is not stored', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const valid = await proofFor(account, tracking_number);
  const submit = (body: object) =>
    post(service, account, { path: `/tracking/${tracking_number}/pod`, body: { ...valid, ...body }, key: 'k' });
  expect((await submit({ delivered_at: '2026-01-01T00:00:00Z' })).status).toBe(400);
  expect((await submit({ signature: valid.photos?.[0] })).status).toBe(400);
  expect(await submit({})).toMatchObject({ status: 201, replayed: false });
});

test('URLs in a replayed response are valid', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const path = `/tracking/${tracking_number}/pod`;
  const bytes = uniquePng('replayed');
  const replayed = async (to: string, body: object) => {
    const request = { path: to, body, key: to };
    await post(service, account, request);
    return (await post(service, account, request)).body as Record<string, string> & { photos: string[] };
  };
  const { upload_url = '' } = await replayed(`${path}/uploads`, declarationOf(bytes));
  expect((await put(upload_url, bytes)).status).toBe(204);
  const { signature_url = '', photos } = await replayed(path, await proofFor(account, tracking_number));
  for (const url of [signature_url, ...photos]) expect((await fetch(url)).status).toBe(200);
});

test('a body with another order of fields or notation of values is the same request', async ({ service, account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const at = new Date().toISOString();
  const send = (body: string) =>
    post(service, account, { path: `/tracking/${tracking_number}/positions`, body, key: 'k' });
  const [one, two] = [`{"lat":1,"lng":100,"updated_at":"${at}"}`, `{"lat":2,"lng":100,"updated_at":"${at}"}`];
  const first = await send(`{"positions":[${one},${two}],"eta":"2026-03-04T00:00:00Z"}`);
  expect(first.status).toBe(200);
  const same = ` {"eta" : "2026-03-04T00:00:00\\u005a",\n"positions":[{"updated_at":"${at}","lng":1e2,"lat":1.0},${two}]}`;
  expectReplay(await send(same), first);
  for (const other of [
    `{"positions":[${one.replace('100', '100.1')},${two}],"eta":"2026-03-04T00:00:00Z"}`,
    `{"positions":[${one},${two}],"eta":"2026-03-04T00:00:00.0Z"}`,
    `{"positions":[${one},${two}]}`,
    `{"positions":[${two},${one}],"eta":"2026-03-04T00:00:00Z"}`,
  ]) {
    expect((await send(other)).status, other).toBe(422);
  }
});

test('keys of 1 to 255 printable characters are accepted unchanged', async ({ service, account }) => {
  for (const key of ['a', 'A', 'x'.repeat(255), "with space ~!#$%&'()*,/:;<=>?@[]^{|}", '1', '01'])
    expect(await post(service, account, { ...create, key })).toMatchObject({ status: 201, replayed: false });
});

test.for([
  ['cancelShipment', 'shipments', 'notes'],
  ['recordTrackingEvent', 'tracking_events', 'description'],
] as const)('%s has no effect when its response cannot be sent', async ([id, table, column], { service, account }) => {
  const request = await ready(id, account);
  // A text that is longer than responses may have.
  const setText = (length: number) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = repeat('x', ${length}) where account_id = ${account.id}`.execute(
      service.db,
    );
  await setText(5_000);
  const before = await stateOf(service, account);
  expect(await post(service, account, request)).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  expect(await stateOf(service, account)).toEqual(before);
  await setText(1);
  const { status, replayed } = await post(service, account, request);
  expect([status < 300, replayed]).toEqual([true, false]);
});

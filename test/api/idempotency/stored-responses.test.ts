import { sql } from 'kysely';
import { expect } from 'vitest';
import { contractOperations } from '../../fixtures/contract.ts';
import { send } from '../../fixtures/http.ts';
import { uniquePng } from '../../fixtures/images.ts';
import { expectReplay, post } from '../../fixtures/post.ts';
import { declarationOf, put, ready as readyRequest } from '../../fixtures/requests.ts';
import {
  applyTransition,
  inTransit,
  proofFor,
  type Shipment,
  shipmentIn,
  shipmentRequest,
} from '../../fixtures/shipments.ts';
import { stateOf } from '../../fixtures/state.ts';
import { test } from '../../fixtures/test.ts';
import { ready } from './requests.ts';

const create = { path: '/shipments', body: shipmentRequest(), key: 'k' };

test('a stored 409 is replayed with all members when a new one would succeed', async ({ service, account }) => {
  const taken = { ...create, body: { ...create.body, reference: 'PO-1' } };
  const created = await post(service, account, { ...taken, key: 'holder' });
  const holder = created.body as Shipment;
  const first = await post(service, account, taken);
  expect(first).toMatchObject({ status: 409, body: { code: 'reference_taken', shipment_id: holder.id } });
  await applyTransition(account, holder, { operation: 'cancelShipment', to: 'cancelled' });
  const repeated = await post(service, account, { ...taken, headers: { 'x-request-id': 'second' } });
  expectReplay(repeated, first);
  expect([repeated.headers.get('x-request-id'), repeated.body]).toMatchObject(['second', { request_id: 'second' }]);
  // The shipment has changed since.
  expectReplay(await post(service, account, { ...taken, key: 'holder' }), created);
  expect((await post(service, account, { ...taken, key: 'other' })).status).toBe(201);
});

test('a 400 that depends on the database is not stored', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const body = await proofFor(account, tracking_number);
  const path = `/tracking/${tracking_number}/pod`;
  for (const invalid of [{ delivered_at: '2026-01-01T00:00:00Z' }, { signature: body.photos?.[0] }]) {
    const request = { path, body: { ...body, ...invalid }, key: 'k' };
    expect(await post(service, account, request)).toMatchObject({ status: 400 });
  }
  expect(await post(service, account, { path, body, key: 'k' })).toMatchObject({ status: 201, replayed: false });
});

test('URLs in a replayed response are valid', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const path = `/tracking/${tracking_number}/pod`;
  const bytes = uniquePng('replayed');
  const declaration = { path: `${path}/uploads`, body: declarationOf(bytes), key: 'upload' };
  await post(service, account, declaration);
  const { body: upload } = await post(service, account, declaration);
  expect((await put((upload as { upload_url: string }).upload_url, bytes)).status).toBe(204);

  const request = { path, body: await proofFor(account, tracking_number), key: 'k' };
  await post(service, account, request);
  const { body } = await post(service, account, request);
  const { signature_url, photos } = body as { signature_url: string; photos: string[] };
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
  for (const same of [
    `{"eta":"2026-03-04T00:00:00Z","positions":[{"updated_at":"${at}","lng":1e2,"lat":1.0},${two}]}`,
    ` {"eta" : "2026-03-04T00:00:00\\u005a",\n"positions":[{"lat":1.00,"lng":100.0,"updated_at":"${at}"},${two}]}`,
  ]) {
    expect(await send(same)).toMatchObject({ status: 200, replayed: true, body: first.body });
  }
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
  const keys = ['a', 'A', 'x'.repeat(255), "with space ~!#$%&'()*,/:;<=>?@[]^{|}", '1', '01'];
  for (const key of keys) expect(await post(service, account, { ...create, key })).toMatchObject({ status: 201 });
  expect((await stateOf(service, account)).shipments).toHaveLength(keys.length);
});

const withoutKeys = contractOperations.filter(
  ({ method, scope, parameters }) =>
    method !== 'GET' && scope !== null && parameters.every(({ name }) => name !== 'Idempotency-Key'),
);

test.for(withoutKeys)('$id ignores an Idempotency-Key', async (operation, { service, account }) => {
  for (const _ of [1, 2]) {
    const { path, body } = await readyRequest(operation.id, account);
    const headers = { 'idempotency-key': 'k'.repeat(300) };
    const response = await send(service.baseUrl, operation, { key: account.key, path, body, headers });
    expect(response.status).toBe(operation.method === 'DELETE' ? 204 : 200);
  }
  const { idempotency_keys: stored = [] } = await stateOf(service, account);
  expect(stored.filter((row) => row.includes('kkk'))).toEqual([]);
});

test.for([
  ['cancelShipment', 'shipments', 'notes'],
  ['recordTrackingEvent', 'tracking_events', 'description'],
] as const)('%s has no effect when its response cannot be sent', async ([id, table, column], { service, account }) => {
  const request = { ...(await ready(id, account)), key: 'k' };
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
  const done = await post(service, account, request);
  expect([done.status < 300, done.replayed]).toEqual([true, false]);
});

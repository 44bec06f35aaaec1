import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import type { Problem } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';
import { newPosition } from '../fixtures/requests.ts';
import {
  applyTransition,
  inTransit,
  newShipment,
  proofFor,
  shipmentIn,
  shipmentRequest,
} from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { effects } from './effects.ts';
import { comparable, post } from './post.ts';

const create = { path: '/shipments', body: shipmentRequest(), key: 'k' };

describe('a stored error', () => {
  test('a stored 404 is replayed although the request would now succeed', async ({ service, account }) => {
    const { id } = await newShipment(account);
    const nowhere = `QQ-2026-${String(Date.now()).slice(-12)}`;
    const body = { positions: [newPosition()] };
    const request = { path: `/tracking/${nowhere}/positions`, body, key: 'k' };
    const first = await post(service, account, request);
    expect(first).toMatchObject({ status: 404, replayed: false });
    await sql`update shipments set tracking_number = ${nowhere}, status = 'in_transit'
              where account_id = ${account.id}`.execute(service.db);
    const repeat = await post(service, account, request);
    expect(repeat.replayed).toBe(true);
    expect(comparable(repeat)).toEqual(comparable(first));
    expect((await post(service, account, { ...request, key: 'other' })).status).toBe(200);
    expect((await account.client.getShipment({ path: { shipment_id: id } })).data.tracking_number).toBe(nowhere);
  });

  test('a stored 409 is replayed with all its members although the request would now succeed', async ({
    service,
    account,
  }) => {
    const taken = { ...create, body: { ...create.body, reference: 'PO-1' } };
    const holder = (await post(service, account, { ...taken, key: 'holder' })).body as { id: string };
    const first = await post(service, account, taken);
    expect(first).toMatchObject({ status: 409, body: { code: 'reference_taken', shipment_id: holder.id } });
    await account.client.cancelShipment({ path: { shipment_id: holder.id }, body: { reason: 'Free the reference.' } });
    const repeat = await post(service, account, taken);
    expect(repeat.replayed).toBe(true);
    expect(comparable(repeat)).toEqual(comparable(first));
    expect((await post(service, account, { ...taken, key: 'other' })).status).toBe(201);
  });

  test('a stored 409 invalid_transition is replayed although the transition is now possible', async ({
    service,
    account,
  }) => {
    const shipment = await newShipment(account);
    const path = `/tracking/${shipment.tracking_number}/events`;
    const request = { path, body: { status: 'picked_up', timestamp: new Date().toISOString() }, key: 'k' };
    const first = await post(service, account, request);
    expect(first).toMatchObject({ status: 409, body: { allowed: ['dispatched', 'cancelled'] } });
    await applyTransition(account, shipment, { operation: 'recordTrackingEvent', to: 'dispatched' });
    const repeat = await post(service, account, request);
    expect(repeat.replayed).toBe(true);
    expect(comparable(repeat)).toEqual(comparable(first));
  });
});

test("a success is replayed unchanged after the shipment's next event", async ({ service, account }) => {
  const first = await post(service, account, create);
  const shipment = first.body as { id: string; tracking_number: string };
  await applyTransition(account, shipment, { operation: 'cancelShipment', to: 'cancelled' });
  const repeat = await post(service, account, create);
  expect(comparable(repeat)).toEqual(comparable(first));
  expect(repeat.body).toMatchObject({ status: 'scheduled' });
});

test('a 400 that depends on the database is not stored', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const body = await proofFor(account, tracking_number);
  const path = `/tracking/${tracking_number}/pod`;
  const early = { ...body, delivered_at: '2026-01-01T00:00:00Z' };
  const unknown = { ...body, signature: body.photos?.[0] };
  expect(await post(service, account, { path, body: early, key: 'k' })).toMatchObject({ status: 400 });
  expect(await post(service, account, { path, body: unknown, key: 'k' })).toMatchObject({ status: 400 });
  expect(await post(service, account, { path, body, key: 'k' })).toMatchObject({ status: 201, replayed: false });
});

test('URLs in a replayed response are valid', async ({ service, account }) => {
  const { tracking_number } = await inTransit(account);
  const request = {
    path: `/tracking/${tracking_number}/pod`,
    body: await proofFor(account, tracking_number),
    key: 'k',
  };
  await post(service, account, request);
  const { body } = await post(service, account, request);
  const { signature_url, photos } = body as { signature_url: string; photos: string[] };
  for (const url of [signature_url, ...photos]) expect((await fetch(url)).status).toBe(200);

  const bytes = png();
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  const other = await newShipment(account); // a delivered one accepts no uploads
  const declaration = {
    path: `/tracking/${other.tracking_number}/pod/uploads`,
    body: { kind: 'photo', content_type: 'image/png', size: bytes.length, sha256 },
    key: 'upload',
  };
  await post(service, account, declaration);
  const again = (await post(service, account, declaration)).body as { upload_url: string };
  const sent = await fetch(again.upload_url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: bytes });
  expect(sent.status).toBe(204);
});

test('a key can be used again after 24 hours, and not before', async ({ service, account }) => {
  const age = (hours: string) =>
    sql`update idempotency_keys set created_at = created_at - ${hours}::interval
        where account_id = ${account.id} and key = 'k'`.execute(service.db);
  const first = await post(service, account, create);
  await age('23 h 59 min');
  expect((await post(service, account, create)).replayed).toBe(true);
  await age('1 min');
  const second = await post(service, account, { ...create, body: { ...create.body, notes: 'Another one' } });
  expect(second).toMatchObject({ status: 201, replayed: false });
  expect(comparable(second)).not.toEqual(comparable(first));
  expect((await post(service, account, create)).status).toBe(422);
  expect((await effects(service.db, account)).shipments).toHaveLength(2);
});

test('a body with another order of fields or notation of values is the same request', async ({ service, account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const path = `/tracking/${tracking_number}/positions`;
  const at = new Date().toISOString();
  const send = (body: string, key = 'k') => post(service, account, { path, body, key });
  const first = await send(`{"positions":[{"lat":1,"lng":100,"updated_at":"${at}"}],"eta":"2026-03-04T00:00:00Z"}`);
  expect(first.status).toBe(200);
  const same = [
    `{"eta":"2026-03-04T00:00:00Z","positions":[{"updated_at":"${at}","lng":1e2,"lat":1.0}]}`,
    ` {"eta" : "2026-03-04T00:00:00\\u005a",\n"positions":[{"lat":1.00,"lng":100.0,"updated_at":"${at}"}]}`,
  ];
  for (const body of same) expect(await send(body)).toMatchObject({ status: 200, replayed: true, body: first.body });
  const others = [
    `{"positions":[{"lat":1,"lng":100.1,"updated_at":"${at}"}],"eta":"2026-03-04T00:00:00Z"}`,
    `{"positions":[{"lat":1,"lng":100,"updated_at":"${at}"}],"eta":"2026-03-04T00:00:00.0Z"}`,
    `{"positions":[{"lat":1,"lng":100,"updated_at":"${at}"}]}`,
  ];
  for (const body of others) expect((await send(body)).status).toBe(422);
});

test('a body with another order of list items is another request', async ({ service, account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const path = `/tracking/${tracking_number}/positions`;
  const positions = [newPosition(), { ...newPosition(), lat: 1 }];
  await post(service, account, { path, body: { positions }, key: 'k' });
  expect((await post(service, account, { path, body: { positions: positions.reverse() }, key: 'k' })).status).toBe(422);
});

test('keys of 1 to 255 printable characters are accepted unchanged', async ({ service, account }) => {
  const keys = ['a', 'A', 'x'.repeat(255), "with space ~!#$%&'()*,/:;<=>?@[]^{|}", '1', '01'];
  for (const key of keys) expect(await post(service, account, { ...create, key })).toMatchObject({ status: 201 });
  expect((await effects(service.db, account)).shipments).toHaveLength(keys.length);
});

test.for([
  ['256 characters', 'x'.repeat(256)],
  ['none at all', ''],
  ['one that is not ASCII', 'café'],
  ['a tab', 'a\tb'],
])('a key of %s returns 400', async ([, key], { service, account }) => {
  const { status, problem } = await raw(service.baseUrl, account.key, String(key));
  expect(status).toBe(400);
  expect(problem.code).toBe('invalid_request');
  expect(problem.errors?.length).toBeGreaterThan(0);
  for (const error of problem.errors ?? []) {
    expect(error).toMatchObject({ in: 'headers', pointer: '/idempotency-key' });
  }
  expect((await effects(service.db, account)).shipments).toHaveLength(0);
});

test('a stored response is replayed for every key of the account and for no other account', async ({
  service,
  account,
}) => {
  const first = await post(service, account, create);
  const second = { key: await account.keyWith(['shipments:write']) };
  expect(comparable(await post(service, second, create))).toEqual(comparable(first));
  const other = await newAccount(service);
  const theirs = await post(service, other, create);
  expect(theirs).toMatchObject({ status: 201, replayed: false });
  expect(comparable(theirs)).not.toEqual(comparable(first));
});

/** Past `fetch`, which would not send every header. */
function raw(baseUrl: string, apiKey: string, key: string): Promise<{ status: number | undefined; problem: Problem }> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const request = httpRequest(`${baseUrl}/shipments`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, problem: JSON.parse(text) }));
    });
    request.on('error', reject).end(JSON.stringify(shipmentRequest()));
  });
}

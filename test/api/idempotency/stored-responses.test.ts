import { sql } from 'kysely';
import { expect } from 'vitest';
import { contractOperations } from '../../fixtures/contract/contract.ts';
import { stateOf } from '../../fixtures/database/state-of-account.ts';
import { uniquePng } from '../../fixtures/images.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { expectOneResponse, expectReplay, post } from '../../fixtures/requests/post.ts';
import { declarationOf, put } from '../../fixtures/requests/valid-requests.ts';
import { inTransit, proofFor, type Shipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { allScopes, newAccount, test } from '../../fixtures/test.ts';
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
  expect((await submit({ items: [{ index: 9, pieces_delivered: 1 }] })).status).toBe(400);
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

/** Everything that is stored for an account, except its keys and the log of them. */
async function effects(...of: Parameters<typeof stateOf>) {
  const { api_keys: _keys, audit_log: _log, ...others } = await stateOf(...of);
  return others;
}
const countOf = (found: Awaited<ReturnType<typeof effects>>): number => Object.values(found).flat().length;

/** API keys, access tokens, webhook secrets and signed URLs. */
const secretForm = /\b(wb[ak]_\w{26}_|whsec_|https?:\/\/[^"]*\/(files|uploads)\/)/;

const posts = contractOperations.filter(({ method }) => method === 'POST');

// contract/coverage sends every operation another request with a used key, and an invalid request before the valid one.
test.for(posts)(
  '$id has one effect and returns the first response, however often its Idempotency-Key is repeated',
  async ({ id }, { service, account }) => {
    const request = await ready(id, account);
    const before = await effects(service, account);
    const responses = await concurrently(6, () => post(service, account, request));
    expectOneResponse(responses);
    const first = responses.find(({ replayed }) => !replayed) ?? expect.unreachable();
    expect(first.status).toBeLessThan(300);
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    const after = await effects(service, account);
    expect(after).not.toEqual(before);
    const hint = `Name the body of ${id} in packages/server/src/operations/serialize.ts.`;
    const { rows } = await sql`select body from idempotency_keys where account_id = ${account.id}`.execute(service.db);
    expect(JSON.stringify(rows), hint).not.toMatch(secretForm);

    expectReplay(await post(service, { key: await account.keyWith(allScopes) }, request), first);
    expect(await effects(service, account)).toEqual(after);

    // A single request of another account, with an equal key, leaves as much behind.
    const other = await newAccount(service);
    const single = await ready(id, other);
    expect(countOf(await effects(service, other))).toBe(countOf(before));
    expect(await post(service, other, single)).toMatchObject({ status: first.status, replayed: false });
    expect(countOf(await effects(service, other))).toBe(countOf(after));
  },
);

test.for(posts)(
  '$id executes another request with its key after 24 hours, and not before',
  async ({ id }, { service, account }) => {
    const start = new Date();
    const age = (time: string) =>
      sql`update idempotency_keys set created_at = ${start}::timestamptz - ${time}::interval
      where account_id = ${account.id}`.execute(service.db);
    const first = await post(service, account, await ready(id, account));
    const other = await ready(id, account);
    await age('23 h 50 min');
    const early = await post(service, account, other);
    // It is the same request if neither its path nor its body names a resource.
    expect(early.replayed || early.status === 422).toBe(true);
    await age('24 h');
    const late = await post(service, account, other);
    expect(late).toMatchObject({ status: first.status, replayed: false });
    expectReplay(await post(service, account, other), late);
  },
);

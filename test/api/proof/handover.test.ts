import { createClient } from '@waybill/client';
import { keyPresets } from '@waybill/server/auth/keys';
import { shipmentTag } from '@waybill/server/shipments/changes';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import { responseExamples } from '../../contract/examples/requests.ts';
import { concurrently } from '../../fixtures/concurrently.ts';
import { operationOf } from '../../fixtures/contract.ts';
import { get } from '../../fixtures/http.ts';
import { notWithCluster } from '../../fixtures/not-with-cluster.ts';
import { startOwnService } from '../../fixtures/own-database.ts';
import { post } from '../../fixtures/post.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import {
  applyTransition,
  newShipment,
  proofFor,
  shipmentIn,
  shipmentRequest,
  transitionsTo,
  upload,
} from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { createEndpoint, received } from '../../webhooks/endpoints.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { newAccess } from '../access/accesses.ts';

type Who = Pick<TestAccount, 'client'>;

/** Eight digits that no identifier or time contains by chance. */
const code = '90817263';

/** A shipment with the code that can be delivered, and its proof without the code. */
async function withCode(who: Who, fields: Parameters<typeof newShipment>[1] = {}) {
  const shipment = await shipmentIn(who, 'in_transit', { handover_code: code, ...fields });
  const { id: shipment_id, tracking_number } = shipment;
  const proof = { tracking_number, ...(await proofFor(who, tracking_number)) };
  return { shipment, shipment_id, tracking_number, proof };
}

const required = { status: 409, code: 'handover_code_required' };
const wrong = { status: 409, code: 'handover_code_wrong' };
const locked = { status: 409, code: 'handover_code_locked' };

test('a proof needs the handover code of its shipment', async ({ account: { client, events } }) => {
  const { shipment, shipment_id, tracking_number, proof } = await withCode({ client });
  expect(shipment.handover_code_required).toBe(true);
  const earlier = (await events()).length;
  await expect(client.submitProofOfDelivery(proof)).rejects.toMatchObject(required);
  // Another length, and the beginning of the code.
  for (const handover_code of ['1111', '9081', '9081726', '90817264'])
    await expect(client.submitProofOfDelivery({ ...proof, handover_code })).rejects.toMatchObject(wrong);
  expect((await client.getTracking({ tracking_number })).status).toBe('in_transit');
  expect(await events()).toHaveLength(earlier);
  const submitted = await client.submitProofOfDelivery({ ...proof, handover_code: code });
  expect(JSON.stringify(submitted)).not.toContain(code);
  expect((await client.getShipment({ shipment_id })).status).toBe('delivered');
});

test('a shipment without a code ignores the code of a proof', async ({ account: { client } }) => {
  const { tracking_number, handover_code_required } = await shipmentIn({ client }, 'in_transit');
  expect(handover_code_required).toBeUndefined();
  const proof = await proofFor({ client }, tracking_number);
  await client.submitProofOfDelivery({ tracking_number, ...proof, handover_code: '1111' });
});

test('five wrong codes lock a shipment, also for the right one, until the shipper sets another', async ({
  account: { client },
}) => {
  const { shipment_id, tracking_number, proof } = await withCode({ client });
  const submit = (handover_code?: string) => client.submitProofOfDelivery({ ...proof, handover_code });
  for (let n = 1; n <= 5; n++) {
    const rest = ['No more', '1 more', '2 more', '3 more', '4 more'][5 - n] ?? '';
    await expect(submit(`111${n}`)).rejects.toMatchObject({ ...wrong, detail: expect.stringContaining(rest) });
  }
  for (const sent of [code, '1111', undefined]) await expect(submit(sent)).rejects.toMatchObject(locked);
  // The same code, and another change, are no other code.
  await client.updateShipment({ shipment_id, handover_code: code });
  await client.updateShipment({ shipment_id, notes: 'Dock 4.' });
  await expect(submit(code)).rejects.toMatchObject(locked);
  expect((await client.getTracking({ tracking_number })).status).toBe('in_transit');
  await client.updateShipment({ shipment_id, handover_code: '2468' });
  await expect(submit(code)).rejects.toMatchObject({ ...wrong, detail: expect.stringContaining('4 more') });
  await submit('2468');
});

test('the shipper removes a code', async ({ account: { client } }) => {
  const { shipment_id, proof } = await withCode({ client });
  const changed = await client.updateShipment({ shipment_id, handover_code: null });
  expect(changed).not.toHaveProperty('handover_code_required');
  await client.submitProofOfDelivery(proof);
});

test('a repeated request with a wrong code is counted once', async ({ account: { client } }) => {
  const { proof } = await withCode({ client });
  const submit = (key: string, handover_code: string) =>
    client.submitProofOfDelivery({ ...proof, handover_code }, { idempotencyKey: key });
  for (let repeat = 0; repeat < 10; repeat++) await expect(submit('one', '1111')).rejects.toMatchObject(wrong);
  // Another code with the same key is another request.
  await expect(submit('one', '2222')).rejects.toMatchObject({ status: 422 });
  await expect(submit('two', '2222')).rejects.toMatchObject({ ...wrong, detail: expect.stringContaining('3 more') });
  await submit('three', code);
  expect(await submit('three', code)).toMatchObject({ signed_by: 'Owen Castillo' });
});

test('a status that cannot be delivered is reported first, and nothing is compared', async ({
  account: { client },
}) => {
  const shipment = await newShipment({ client }, { handover_code: code });
  const { tracking_number } = shipment;
  const proof = await proofFor({ client }, tracking_number);
  for (let n = 1; n <= 6; n++) {
    const submit = client.submitProofOfDelivery({ tracking_number, ...proof, handover_code: `111${n}` });
    await expect(submit).rejects.toMatchObject({ code: 'invalid_transition' });
  }
  for (const step of transitionsTo('in_transit')) await applyTransition({ client }, shipment, step);
  await client.submitProofOfDelivery({ tracking_number, ...proof, handover_code: code });
});

test('only getShipment shows the code, to keys and links of consignees', async ({
  account: { client, events, keyWith },
  service: { baseUrl },
}) => {
  const { shipment_id, tracking_number, proof } = await withCode({ client });
  const codeFor = async (given: Parameters<typeof newAccess>[2]) => {
    const { token: accessToken, id: access_id } = await newAccess({ client }, { id: shipment_id }, given);
    const restricted = createClient({ baseUrl, accessToken });
    const { handover_code, handover_code_required } = await restricted.getShipment({ shipment_id });
    expect(handover_code_required).toBe(true);
    await client.deleteAccess({ shipment_id, access_id });
    return handover_code;
  };
  const track: Parameters<typeof newAccess>[2] = { kind: 'track', scopes: ['shipments:read', 'tracking:read'] };
  expect((await client.getShipment({ shipment_id })).handover_code).toBe(code);
  expect(await codeFor({ ...track, detail: 'proof' })).toBe(code);
  expect(await codeFor({ ...track, detail: 'location' })).toBeUndefined();
  expect(await codeFor({ ...track, detail: 'status' })).toBeUndefined();
  expect(await codeFor({ kind: 'drive' })).toBeUndefined();
  expect(await codeFor({})).toBeUndefined();

  const updated = await client.updateShipment({ shipment_id, notes: 'Dock 4.' });
  const tracking = await (
    await get({ baseUrl }, { key: await keyWith(['tracking:read']) }, `/tracking/${tracking_number}`)
  ).json();
  await client.submitProofOfDelivery({ ...proof, handover_code: code });
  const others = [updated, tracking, await events(), (await client.listShipments()).data];
  expect(JSON.stringify(others)).not.toContain(code);
  expect(JSON.stringify(others)).toContain('handover_code_required');
});

test('the ETag of a shipment with a code is that of its change', async ({ account: { client } }) => {
  const { id: shipment_id } = await newShipment({ client }, { handover_code: '1234' });
  const read = () => client.getShipment({ shipment_id }).withResponse();
  const { etag: first } = await read();
  const { etag: changed } = await client
    .updateShipment({ shipment_id, notes: 'Dock 4.' }, { ifMatch: first ?? '' })
    .withResponse();
  expect((await read()).etag).toBe(changed);
});

test('the ETag of a shipment is the same for each code, so that nobody can try all codes with it', () => {
  const { ShipmentScheduled } = responseExamples(operationOf('getShipment'), '200');
  const tagWith = (handover_code: string) => shipmentTag({ ...ShipmentScheduled, handover_code } as never);
  expect(tagWith('1111')).toBe(tagWith('2222'));
});

test('a key that only reads, such as that of the board, does not get the code', async ({ service, account }) => {
  const { shipment_id } = await withCode(account);
  const read = async (key: string) =>
    (await get(service, { key }, `/shipments/${shipment_id}`)).json() as Promise<{ handover_code?: string }>;
  for (const preset of ['board', 'reader'] as const) {
    const shipment = await read(await account.keyWith(keyPresets[preset]));
    expect(shipment).toMatchObject({ handover_code_required: true });
    expect(shipment).not.toHaveProperty('handover_code');
  }
  for (const preset of ['shipper', 'dispatcher'] as const)
    expect(await read(await account.keyWith(keyPresets[preset]))).toMatchObject({ handover_code: code });
});

test('of 50 concurrent wrong codes, five are compared, on two instances', async ({ service, account }) => {
  await using second = await startService({ STORAGE_URL: service.files.url });
  const { tracking_number, proof } = await withCode(account);
  const { tracking_number: _, ...body } = proof;
  const submit = (handover_code: string, n: number) =>
    post(n % 2 ? second : service, account, {
      path: `/tracking/${tracking_number}/pod`,
      body: { ...body, handover_code },
      ...(n % 3 && { key: `attempt ${n}` }),
    });
  const responses = await concurrently(50, (n) => submit(String(1000 + n), n));
  const codes = responses.map(({ status, body }) => `${status} ${(body as { code: string }).code}`);
  const count = (result: string) => codes.filter((each) => each === result).length;
  expect([count('409 handover_code_wrong'), count('409 handover_code_locked')]).toEqual([5, 45]);
  // Each comparison has counted: the sixth is not made, also not of the right code.
  const details = responses.flatMap(({ body }) => (body as { code: string; detail: string }).detail);
  for (const rest of ['No', '1', '2', '3', '4'])
    expect(details.filter((detail) => detail === `The handover code is wrong. ${rest} more can be sent.`)).toHaveLength(
      1,
    );
  expect(await submit(code, 51)).toMatchObject({ status: 409, body: { code: 'handover_code_locked' } });
});

test('of concurrent repetitions of one request with a wrong code, one is counted', async ({ service, account }) => {
  await using second = await startService({ STORAGE_URL: service.files.url });
  const { tracking_number, proof } = await withCode(account);
  const { tracking_number: _, ...sent } = proof;
  const body = { ...sent, handover_code: '1111' };
  const path = `/tracking/${tracking_number}/pod`;
  const responses = await concurrently(20, (n) => post(n % 2 ? second : service, account, { path, body, key: 'one' }));
  for (const response of responses) expect(response).toMatchObject({ status: 409, body: wrong });
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await attempts(service, account)).toEqual([1]);
});

/** How many attempts are counted for each shipment of an account that has a code. */
async function attempts({ db }: Service, { id }: TestAccount): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select wrong_handover_codes as count from shipments
    where account_id = ${id} and handover_code is not null`.execute(db);
  return rows.map(({ count }) => count);
}

test('of concurrent codes with one new key, the one that is compared is counted', async ({ service, account }) => {
  await using second = await startService({ STORAGE_URL: service.files.url });
  const { tracking_number, proof } = await withCode(account);
  const { tracking_number: _, ...sent } = proof;
  const responses = await concurrently(20, (n) =>
    post(n % 2 ? second : service, account, {
      path: `/tracking/${tracking_number}/pod`,
      body: { ...sent, handover_code: String(1000 + n) },
      key: 'one',
    }),
  );
  const codes = responses.map(({ body }) => (body as { code: string }).code);
  expect(codes.toSorted()).toEqual(['handover_code_wrong', ...Array(19).fill('idempotency_key_reused')]);
  expect(await attempts(service, account)).toEqual([1]);
});

test('an attempt is counted once although its response cannot be stored', async () => {
  await using service = await startOwnService();
  const account = await newAccount(service);
  const { shipment_id, tracking_number, proof } = await withCode(account);
  const { tracking_number: _, ...sent } = proof;
  // A wrong code has this status.
  await sql`alter table idempotency_keys add constraint refused check (status <> 409) not valid`.execute(service.db);
  const submit = (handover_code: string) =>
    post(service, account, {
      path: `/tracking/${tracking_number}/pod`,
      body: { ...sent, handover_code },
      key: 'one',
    });
  for (let repeat = 0; repeat < 2; repeat++) {
    expect(await submit('1111')).toMatchObject({ status: 500 });
    expect(await attempts(service, account)).toEqual([1]);
  }
  expect(await submit(code)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  // The repetition is an attempt at the new code.
  await account.client.updateShipment({ shipment_id, handover_code: '2468' });
  expect(await submit('1111')).toMatchObject({ status: 500 });
  expect(await attempts(service, account)).toEqual([1]);
  await sql`alter table idempotency_keys drop constraint refused`.execute(service.db);
  expect(await submit('1111')).toMatchObject({ status: 409, body: wrong, replayed: false });
  expect(await attempts(service, account)).toEqual([1]);
});

/** Records the statements with an account id among their values, which those of the background have not. */
function statementsOf({ id }: TestAccount): string[] {
  const sent: string[] = [];
  const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => never;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const query = args[0] as { text: string; values?: unknown[] };
    const { statements = [query] } = args[0] as { statements?: (typeof query)[] };
    for (const { text, values = [] } of statements) if (values.includes(id)) sent.push(text);
    return send.apply(this, args);
  });
  onTestFinished(() => spy.mockRestore());
  return sent;
}

test('a request that fails for another reason does not depend on its code, nor count', async ({ service, account }) => {
  notWithCluster('it reads the statements of the process');
  const { tracking_number, proof } = await withCode(account, { signature_required: true });
  const { tracking_number: _, ...sent } = proof;
  const { signed_by: _by, signature: _signature, ...unsigned } = sent;
  await post(service, account, { path: '/shipments', body: shipmentRequest(), key: 'used' });
  const photos = [await upload(account, tracking_number, 'photo')];
  const others: [object, string | undefined, string][] = [
    [sent, 'used', 'idempotency_key_reused'],
    [{ ...sent, signature: 'upl_01kjwjfxt6fsytr0x9a1xe4sfc' }, undefined, 'unknown_upload'],
    [{ ...sent, delivered_at: '2026-01-01T00:00:00Z' }, undefined, 'invalid_request'],
    [{ ...unsigned, unattended: true, photos }, undefined, 'signature_required'],
  ];
  const recorded = statementsOf(account);
  for (const [fields, key, refusal] of others) {
    const runs = [];
    for (const handover_code of [code, '1111']) {
      recorded.length = 0;
      const { status, body } = await post(service, account, {
        path: `/tracking/${tracking_number}/pod`,
        body: { ...fields, handover_code },
        ...(key && { key }),
      });
      runs.push({ status, code: (body as { code: string }).code, statements: [...recorded] });
    }
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]?.code).toBe(refusal);
    expect(runs[0]?.statements.length).toBeGreaterThan(1);
  }
  expect(await attempts(service, account)).toEqual([0]);
});

test('a right code and a wrong one run the same statements until the code is judged', async ({ service, account }) => {
  notWithCluster('it reads the statements of the process');
  const { tracking_number, proof } = await withCode(account);
  const { tracking_number: _, ...sent } = proof;
  const path = `/tracking/${tracking_number}/pod`;
  const recorded = statementsOf(account);
  const runs = [];
  for (const [handover_code, status] of [
    ['1111', 409],
    [code, 201],
  ] as const) {
    recorded.length = 0;
    expect(await post(service, account, { path, body: { ...sent, handover_code } })).toMatchObject({ status });
    runs.push([...recorded]);
  }
  const [ofWrong = [], ofRight = []] = runs;
  expect(ofRight.slice(0, ofWrong.length)).toEqual(ofWrong);
  expect(ofWrong.at(-1)).toContain('wrong_handover_codes');
});

test('every guess over links, keys and instances is counted before it is compared', async ({ service, account }) => {
  await using second = await startService({ STORAGE_URL: service.files.url });
  const { shipment_id, tracking_number, proof } = await withCode(account);
  const { tracking_number: _, ...sent } = proof;
  const links: string[] = [];
  for (let n = 0; n < 3; n++) links.push((await newAccess(account, { id: shipment_id }, { kind: 'drive' })).token);
  for (let round = 0; round < 5; round++) {
    const responses = await concurrently(20, (n) =>
      post(
        n % 2 ? second : service,
        { key: links[n % 3] ?? '' },
        {
          path: `/tracking/${tracking_number}/pod`,
          body: { ...sent, handover_code: String(1000 + n) },
          ...(n % 4 && { key: `key ${(n % 5) + round}` }),
        },
      ),
    );
    const codes = responses.map(({ body, replayed }) => (replayed ? 'replay' : (body as { code: string }).code));
    const compared = codes.filter((each) => each === wrong.code).length;
    expect(await attempts(service, account)).toEqual([compared]);
    expect(compared).toBe(5);
    const refusals = ['handover_code_wrong', 'handover_code_locked', 'idempotency_key_reused', 'replay'];
    expect(codes.filter((each) => !refusals.includes(each))).toEqual([]);
    await account.client.updateShipment({ shipment_id, handover_code: String(9000 + round) });
  }
});

test('no log line, webhook or stored response has the code', async () => {
  const log: Record<string, unknown>[] = [];
  // Services of other files would share the endpoint.
  await using service = await startOwnService({ LOG_LEVEL: 'trace', SLOW_STATEMENT_MS: '1' }, log);
  await using receiver = await startReceiver();
  const account = await newAccount(service);
  await createEndpoint(account, receiver.url);
  const { shipment_id, proof } = await withCode(account);
  await expect(account.client.submitProofOfDelivery({ ...proof, handover_code: '1111' })).rejects.toMatchObject(wrong);
  await account.client.updateShipment({ shipment_id, handover_code: `${code.slice(0, -1)}0` });
  await account.client.updateShipment({ shipment_id, handover_code: code });
  await account.client.submitProofOfDelivery({ ...proof, handover_code: code }, { idempotencyKey: 'the proof' });
  await received(receiver, 8);
  const { rows } = await sql<{ text: string }>`
    select t::text as text from idempotency_keys t where account_id = ${account.id}
    union all select t::text from events t where account_id = ${account.id}`.execute(service.db);
  expect(rows.length).toBeGreaterThan(10);
  expect(log.length).toBeGreaterThan(10);
  const text = JSON.stringify([rows, log, receiver.received.map(({ body }) => body)]);
  expect(text).toContain('handover_code_required');
  expect(text).not.toContain(code.slice(0, -1));
});

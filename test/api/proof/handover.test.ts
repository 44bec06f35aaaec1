import { keyPresets } from '@waybill/server/auth/keys';
import { shipmentTag } from '@waybill/server/shipments/changes';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { responseExamples } from '../../contract/examples/requests.ts';
import { operationOf } from '../../fixtures/contract/contract.ts';
import { startOwnService } from '../../fixtures/database/own-database.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import { get, type Problem } from '../../fixtures/requests/send.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import {
  inTransit,
  type newShipment,
  proofFor,
  type Shipment,
  shipmentIn,
  shipmentRequest,
  upload,
} from '../../fixtures/shipments.ts';
import { test as base, newAccount, perFile, type TestAccount } from '../../fixtures/test.ts';
import { createEndpoint, received } from '../../webhooks/endpoint-state.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { newToken } from '../access/accesses.ts';

/** Another instance. Its files are its own, because no request reads them. */
const test = base.extend<{ $file: { second: Service } }>({
  second: perFile(() => startService({ LOG_LEVEL: 'info' })),
});

/** Eight digits that no identifier or time contains by chance. */
const code = '90817263';
const required = { status: 409, code: 'handover_code_required' };
const locked = { status: 409, code: 'handover_code_locked' };
const wrong = { status: 409, code: 'handover_code_wrong' };
const reused = { status: 422, code: 'idempotency_key_reused' };
const wrongWith = (rest: number) => ({
  ...wrong,
  detail: `The handover code is wrong. ${rest || 'No'} more can be sent.`,
});

/** Submits the proof of a shipment with a code, and reads how many wrong codes are counted. */
async function handover(service: Service, account: TestAccount, { id: shipment_id, tracking_number }: Shipment) {
  const proof = await proofFor(account, tracking_number);
  return {
    shipment_id,
    tracking_number,
    proof,
    async submit(handover_code?: string, { to = service, by = account.key, key = '', body = proof as object } = {}) {
      const path = `/tracking/${tracking_number}/pod`;
      const sent = await post(to, { key: by }, { path, body: { ...body, handover_code }, ...(key && { key }) });
      return { ...(sent.body as Partial<Problem>), status: sent.status, replayed: sent.replayed };
    },
    async attempts() {
      const { rows } = await sql`select wrong_handover_codes as count from shipments
        where account_id = ${account.id} and handover_code is not null`.execute(service.db);
      return rows;
    },
  };
}

/** A shipment with the code that can be delivered. */
const withCode = async (service: Service, account: TestAccount, fields: Parameters<typeof newShipment>[1] = {}) =>
  handover(service, account, await shipmentIn(account, 'in_transit', { handover_code: code, ...fields }));

test('five wrong codes lock a shipment, also for the right one, until another is set', async ({ service, account }) => {
  const { client } = account;
  const { shipment_id, submit } = await withCode(service, account);
  expect(await submit()).toMatchObject(required);
  // Another length, the beginning of the code, and its last digit.
  for (const [place, guess] of ['1111', '9081', '9081726', '90817264', '2222'].entries())
    expect(await submit(guess)).toMatchObject(wrongWith(4 - place));
  for (const sent of [code, '1111', undefined]) expect(await submit(sent)).toMatchObject(locked);
  // The same code, and another change, are no other code.
  await client.updateShipment({ shipment_id, handover_code: code });
  await client.updateShipment({ shipment_id, notes: 'Dock 4.' });
  expect(await submit(code)).toMatchObject(locked);
  await client.updateShipment({ shipment_id, handover_code: '2468' });
  expect(await submit(code)).toMatchObject(wrongWith(4));
  expect(await submit('2468', { key: 'proof' })).toMatchObject({ status: 201 });
  expect(await submit('2468', { key: 'proof' })).toMatchObject({ status: 201, replayed: true });
});

test('a shipment without a code, or whose code is removed, ignores that of a proof', async ({ service, account }) => {
  for (const shipment of [await inTransit(account), await shipmentIn(account, 'in_transit', { handover_code: code })]) {
    const { shipment_id, submit } = await handover(service, account, shipment);
    const changed = await account.client.updateShipment({ shipment_id, handover_code: null });
    expect(changed).not.toHaveProperty('handover_code_required');
    expect(await submit('1111')).toMatchObject({ status: 201 });
  }
});

test('the right code ends the count, however often its delivery is voided', async ({ service, account }) => {
  const { tracking_number, submit, attempts } = await withCode(service, account);
  for (let n = 1; n <= 6; n++) {
    const body = await proofFor(account, tracking_number);
    expect(await submit('1111', { body })).toMatchObject(wrongWith(4));
    expect(await submit(code, { body })).toMatchObject({ status: 201 });
    const { timeline } = await account.client.getTracking({ tracking_number });
    await account.client.voidTrackingEvent({ tracking_number, event_id: timeline.at(-1)?.id ?? '', reason: 'Again' });
  }
  expect(await attempts()).toEqual([{ count: 0 }]);
});

test('the code of a shipment that cannot be delivered is not compared', async ({ service, account }) => {
  const { submit, attempts, tracking_number } = await withCode(service, account);
  await account.client.recordTrackingEvent({ tracking_number, status: 'lost', timestamp: new Date() });
  for (const guess of ['1111', code]) expect(await submit(guess)).toMatchObject({ code: 'invalid_transition' });
  expect(await attempts()).toEqual([{ count: 0 }]);
});

test('only getShipment shows the code, to keys that write and to links of consignees', async ({ service, account }) => {
  const { client, events, keyWith } = account;
  const { shipment_id: id, tracking_number, submit } = await withCode(service, account);
  const link = (given: Parameters<typeof newToken>[2]) => newToken(account, { id }, given);
  const track = { kind: 'track', scopes: ['shipments:read', 'tracking:read'] } satisfies Parameters<typeof link>[0];
  const readers: [key: string, shown: string | undefined][] = [
    [account.key, code],
    [await keyWith(keyPresets.shipper), code],
    [await keyWith(keyPresets.dispatcher), code],
    [await keyWith(keyPresets.board), undefined],
    [await keyWith(keyPresets.reader), undefined],
    [await link({ ...track, detail: 'proof' }), code],
    [await link({ ...track, detail: 'location' }), undefined],
    [await link({ ...track, detail: 'status' }), undefined],
    [await link({ kind: 'drive' }), undefined],
    [await link({}), undefined],
  ];
  for (const [index, [key, shown]] of readers.entries()) {
    const shipment = (await (await get(service, { key }, `/shipments/${id}`)).json()) as Shipment & {
      handover_code?: string;
    };
    expect([index, shipment.handover_code_required, shipment.handover_code]).toEqual([index, true, shown]);
  }
  const { data: updated, etag } = await client.updateShipment({ shipment_id: id, notes: 'Dock 4.' }).withResponse();
  expect((await client.getShipment({ shipment_id: id }).withResponse()).etag).toBe(etag);
  const tracking = await client.getTracking({ tracking_number });
  const submitted = await submit(code);
  const others = JSON.stringify([updated, tracking, submitted, await events(), (await client.listShipments()).data]);
  expect(others).not.toContain(code);
  expect(others).toContain('handover_code_required');

  // Otherwise conditional requests could try all codes.
  const { ShipmentScheduled } = responseExamples(operationOf('getShipment'), '200');
  const tagWith = (handover_code: string) => shipmentTag({ ...ShipmentScheduled, handover_code } as never);
  expect(tagWith('1111')).toBe(tagWith('2222'));
});

test.for([
  ['the same wrong code', () => '1111', wrong],
  ['different wrong codes', (n: number) => String(1000 + n), reused],
] as const)(
  'of 20 concurrent requests with one key and %s, one is counted',
  async ([, guess, other], { service, second, account }) => {
    const { submit, attempts } = await withCode(service, account);
    const responses = await concurrently(20, (n) => submit(guess(n), { key: 'one', to: n % 2 ? second : service }));
    const compared = responses.filter((each) => each.code === wrong.code && !each.replayed);
    expect(compared).toMatchObject([wrongWith(4)]);
    for (const response of responses)
      if (response !== compared[0]) expect(response).toMatchObject({ ...other, replayed: other === wrong });
    expect(await submit('3333', { key: 'one' })).toMatchObject(reused);
    expect(await attempts()).toEqual([{ count: 1 }]);
  },
);

test('a refusal for another reason does not depend on the code, and counts no attempt', async ({
  service,
  account,
}) => {
  const { tracking_number, proof, submit, attempts } = await withCode(service, account, { signature_required: true });
  const { signed_by: _, signature: __, ...unsigned } = proof;
  const unattended = { ...unsigned, unattended: true, photos: [await upload(account, tracking_number, 'photo')] };
  await post(service, account, { path: '/shipments', body: shipmentRequest(), key: 'used' });
  const run = async (handover_code: string, body: object, key?: string) => {
    const { status, code: refusal } = await submit(handover_code, { body, ...(key && { key }) });
    return { status, refusal };
  };
  for (const [refusal, body, key] of [
    ['idempotency_key_reused', proof, 'used'],
    ['unknown_upload', { ...proof, signature: 'upl_01kjwjfxt6fsytr0x9a1xe4sfc' }],
    ['invalid_request', { ...proof, items: [{ index: 9, pieces_delivered: 1 }] }],
    ['signature_required', unattended],
  ] as const) {
    const ofRight = await run(code, body, key);
    expect(ofRight.refusal).toBe(refusal);
    expect(await run('1111', body, key)).toEqual(ofRight);
  }
  expect(await attempts()).toEqual([{ count: 0 }]);
  const ofWrong = await run('1111', proof);
  const ofRight = await run(code, proof);
  expect([ofWrong.refusal, ofRight.status]).toEqual([wrong.code, 201]);
});

test('of 50 guesses over links, keys and instances, five are compared', async ({ service, second, account }) => {
  const { shipment_id, submit, attempts } = await withCode(service, account);
  const links = await concurrently(3, () => newToken(account, { id: shipment_id }, { kind: 'drive' }));
  const guess = (n: number) =>
    submit(String(1000 + n), { to: n % 2 ? second : service, by: links[n % 3] ?? '', key: n % 4 ? `${n % 15}` : '' });
  const responses = (await concurrently(50, guess)).filter(({ replayed }) => !replayed);
  const compared = responses.filter((each) => each.code === wrong.code);
  // Each comparison has counted: the sixth is not made, also not of the right code.
  expect(compared.map(({ detail }) => detail).sort()).toEqual([1, 2, 3, 4, 0].map((rest) => wrongWith(rest).detail));
  for (const response of responses)
    if (!compared.includes(response)) expect([locked.code, reused.code]).toContain(response.code);
  expect(await submit(code)).toMatchObject(locked);
  expect(await attempts()).toEqual([{ count: 5 }]);
});

test('no log line, webhook or stored response has the code', async () => {
  const log: Record<string, unknown>[] = [];
  // Services of other files would share the endpoint.
  await using service = await startOwnService({ LOG_LEVEL: 'trace', SLOW_STATEMENT_MS: '1' }, log);
  await using receiver = await startReceiver();
  const account = await newAccount(service);
  await createEndpoint(account, receiver.url);
  const { shipment_id, submit } = await withCode(service, account);
  expect(await submit('1111')).toMatchObject(wrong);
  await account.client.updateShipment({ shipment_id, handover_code: `${code.slice(0, -1)}0` });
  await account.client.updateShipment({ shipment_id, handover_code: code });
  expect(await submit(code, { key: 'the proof' })).toMatchObject({ status: 201 });
  await received(receiver, 8);
  const { rows } = await sql`
    select t::text from idempotency_keys t where account_id = ${account.id}
    union all select t::text from events t where account_id = ${account.id}`.execute(service.db);
  expect(rows.length).toBeGreaterThan(10);
  expect(log.length).toBeGreaterThan(10);
  const text = JSON.stringify([rows, log, receiver.received.map(({ body }) => body)]);
  expect(text).toContain('handover_code_required');
  expect(text).not.toContain(code.slice(0, -1));
});

import { createClient } from '@waybill/client';
import { disableAccount, listAccounts, listKeys, revokeKey, rotateKey } from '@waybill/server/auth/administration';
import { terminateIdleSessions } from '@waybill/server/database/watch';
import { clean } from '@waybill/server/jobs/clean-up';
import { openStorage } from '@waybill/server/storage/folder';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { contractOperations, type OperationId, operationIds } from '../fixtures/contract.ts';
import { proofFor, shipmentIn, shipmentRequest, upload } from '../fixtures/journeys.ts';
import { newAccount } from '../fixtures/test.ts';
import { test } from './alone.ts';
import { tenantTables, unbound } from './plans.ts';
import { sourceOf, sourcesIn } from './sources.ts';
import { listen, madeAt, type Place, placesIn } from './statements.ts';

/** The functions whose statements are about all accounts, and why. */
const exceptions: Record<string, string> = {
  'auth/queries.ts findKey': 'a key tells which account it belongs to',
  'auth/administration.ts listAccounts': 'the deployer lists all',
  'jobs/expired-rows.ts deleteExpiredKeys': 'what expires does so for all alike',
  'jobs/expired-rows.ts deleteExpiredPositions': 'what expires does so for all alike',
  'jobs/position-days.ts createPartition': 'a partition has the positions of all',
  'jobs/clean-up.ts removeUploads': 'what expires does so for all alike',
};

const folder = 'packages/server/src/';
const nameOf = ({ path, name }: Place): string => `${path.slice(folder.length)} ${name}`;
const mend =
  'Give the query the account as a required argument and compare account_id with it for every table; what is ' +
  'really about all accounts is named in test/architecture/queries.test.ts, with its reason.';

const { made, sent } = listen();
const seen = new Set<OperationId>();

/** Notes the operations that succeed. */
async function noting(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(input, init);
  const response = await fetch(request);
  const { pathname } = new URL(request.url);
  const isIt = ({ method, path }: (typeof contractOperations)[number]): boolean =>
    method === request.method && new RegExp(`^/v\\d+${path.replace(/{\w+}/g, '[^/]+')}$`).test(pathname);
  const operation = contractOperations.find(isIt);
  if (operation && response.ok) seen.add(operation.id);
  return response;
}

// A complete life, with the detours that have queries of their own.
test.beforeAll(async ({ service, storage }) => {
  const account = await newAccount(service);
  const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key, fetch: noting });
  const who = { client };
  const idempotencyKey = crypto.randomUUID();
  const body = { ...shipmentRequest(), reference: 'PO-1' };
  await client.createShipment({ body, idempotencyKey });
  const { data: booked, status } = await client.createShipment({ body, idempotencyKey });
  expect(status).toBe(201);
  await expect(client.createShipment({ body })).rejects.toThrow(/reference/);
  await client.listShipments({});
  await client.listShipments({
    query: { status: 'scheduled', reference: 'PO-1', from_date: '2020-01-01', to_date: '2999-01-01', limit: 1 },
  });
  await client.getShipment({ path: { shipment_id: booked.id } });
  await client.cancelShipment({ path: { shipment_id: booked.id }, body: { reason: 'Called off.' } });
  await expect(
    client.cancelShipment({ path: { shipment_id: booked.id }, body: { reason: 'Again.' } }),
  ).rejects.toThrow();

  const { tracking_number } = await shipmentIn(who, 'in_transit');
  const path = { tracking_number };
  const position = { lat: 47, lng: -122, updated_at: new Date().toISOString() };
  await client.recordPositions({
    path,
    body: { positions: [position, { ...position, updated_at: new Date(Date.now() - 3_600_000).toISOString() }] },
  });
  const page = (await client.listPositions({ path, query: { limit: 1 } })).data;
  await client.listPositions({ path, query: { limit: 1, cursor: page.next_cursor ?? '' } });
  const second = await shipmentIn(who, 'scheduled');
  await client.recordTrackingEvent({
    path: { tracking_number: second.tracking_number },
    body: { status: 'dispatched', timestamp: new Date().toISOString(), eta: '2030-01-01T00:00:00Z' },
  });
  await client.getTracking({ path });
  await client.submitProofOfDelivery({ path, body: await proofFor(who, tracking_number) });
  const { data: proof } = await client.getProofOfDelivery({ path });
  expect((await noting(proof.signature_url)).status).toBe(200);
  expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);

  const { db } = service;
  await upload(who, (await shipmentIn(who, 'in_transit')).tracking_number, 'photo');
  await sql`update proof_uploads set created_at = now() - interval '26 hours'
    where account_id = ${account.id} and bound_at is null`.execute(db);
  // A position of a day without a partition, which clean-up creates; with a shorter retention it drops some.
  const early = { ...position, updated_at: new Date(Date.now() - 3 * 86_400_000).toISOString() };
  const third = await shipmentIn(who, 'dispatched');
  await client.recordPositions({ path: { tracking_number: third.tracking_number }, body: { positions: [early] } });
  expect((await clean(db, openStorage(storage), 90)).uploads).toBe(1);
  expect((await clean(db, openStorage(storage), 80)).positionDays).toBe(10);

  await terminateIdleSessions(db, [], 0);
  await listAccounts(db);
  const [key] = await listKeys(db, account.id);
  const rotated = await rotateKey(db, account.id, key?.key_id ?? '', 0);
  await revokeKey(db, account.id, rotated.key_id);
  await disableAccount(db, account.id);
});

test('the walk takes every operation', () => {
  expect([...seen].sort(), 'Add the operation to the walk above.').toEqual([...operationIds].sort());
});

test('the walk comes by every place that makes a statement', async () => {
  const places = (await sourcesIn(`${folder}`)).filter(({ path }) => !path.includes('/migrations/')).flatMap(placesIn);
  expect(places.length).toBeGreaterThan(20);
  const missed = places.filter((place) => !made.some((one) => madeAt(place, one)));
  expect(missed, 'Let the walk above lead there, so that the statement is judged.').toEqual([]);
});

test('the finder sees where statements are made', () => {
  const source = sourceOf(
    'a.ts',
    `import { sql } from 'kysely';
    const one = (db) => db.selectFrom('shipments').executeTakeFirst();
    async function two(db) {
      const { sql: text } = sql\`select 1\`.compile(db);
      await db.transaction().execute(async (trx) => {
        await sql\`select 2\`
          .execute(trx);
      });
    }`,
  );
  expect(placesIn(source).map(({ name, from, to }) => `${name} ${from}-${to}`)).toEqual([
    'one 2-2',
    'two 4-4',
    'two 6-7',
  ]);
});

test('nothing is sent that Kysely did not make', () => {
  const texts = new Set(made.map(({ text }) => text));
  const control = /^(begin|commit|rollback|start transaction|set transaction)/;
  const strange = [...sent].filter((text) => !texts.has(text) && !control.test(text));
  expect(strange, 'Send statements through Kysely, where the rules of the house can see them.').toEqual([]);
});

test('every statement names the account whose rows it touches', async ({ service: { db } }) => {
  const tables = await tenantTables(db);
  expect(tables.length).toBeGreaterThan(5);
  const places = (await sourcesIn(folder)).flatMap(placesIn);
  const needless = new Set(Object.keys(exceptions));
  const faults: string[] = [];
  for (const statement of new Map(made.map((one) => [one.text, one])).values()) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement.text)) continue;
    const loose = await unbound(db, statement.text, tables);
    if (loose.length === 0) continue;
    const at = places.filter((place) => madeAt(place, statement)).map(nameOf);
    const excepted = at.filter((name) => name in exceptions);
    for (const name of excepted) needless.delete(name);
    if (excepted.length === 0) faults.push(`${at.join(' < ')} touches ${loose.join(', ')} of all accounts`);
  }
  expect(faults, mend).toEqual([]);
  expect([...needless], 'This exception is not needed any more: take it out.').toEqual([]);
});

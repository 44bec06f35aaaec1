import { createClient } from '@waybill/client';
import { disableAccount, listAccounts, listKeys, revokeKey, rotateKey } from '@waybill/server/auth/administration';
import { terminateIdleSessions } from '@waybill/server/database/watch';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { openStorage } from '@waybill/server/storage/folder';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { contractOperations, type OperationId, operationIds } from '../fixtures/contract.ts';
import { proofFor, shipmentIn, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';
import { test } from './fixture.ts';
import { serverSources } from './sources.ts';
import { type Call, callsIn, isCompiledAt, recordStatements } from './statements.ts';
import { accountTables, unboundTables } from './unbound-tables.ts';

/** The functions whose statements concern all accounts, and why. */
const exceptions: Record<string, string> = {
  'auth/queries.ts findKey': 'a key determines its account',
  'auth/administration.ts listAccounts': 'the operator lists all accounts',
  'jobs/expired-rows.ts deleteExpiredKeys': 'rows of all accounts expire',
  'jobs/expired-rows.ts deleteExpiredPositions': 'rows of all accounts expire',
  'jobs/position-days.ts createPartition': 'a partition contains positions of all accounts',
  'jobs/clean-up.ts removeUploads': 'uploads of all accounts expire',
};

const folder = 'packages/server/src/';
const nameOf = ({ path, name }: Call): string => `${path.slice(folder.length)} ${name}`;
const fix =
  'Pass the account id and compare account_id of every table with it. If the statement concerns all accounts, ' +
  'name its function in `exceptions`, with the reason.';

const { compiled, sent } = recordStatements();
const completed = new Set<OperationId>();

/** Records the operations that succeed. */
async function recordingFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(input, init);
  const response = await fetch(request);
  const { pathname } = new URL(request.url);
  const operation = contractOperations.find(
    ({ method, path }) =>
      method === request.method && new RegExp(`^/v\\d+${path.replace(/{\w+}/g, '[^/]+')}$`).test(pathname),
  );
  if (operation && response.ok) completed.add(operation.id);
  return response;
}

// Calls every operation, and the variants that have queries of their own.
test.beforeAll(async ({ service, storage }) => {
  const account = await newAccount(service);
  const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key, fetch: recordingFetch });
  const who = { client };
  const idempotencyKey = crypto.randomUUID();
  const body = { ...shipmentRequest(), reference: 'PO-1' };
  await client.createShipment({ body, idempotencyKey });
  const { data: shipment, status } = await client.createShipment({ body, idempotencyKey });
  expect(status).toBe(201);
  await expect(client.createShipment({ body })).rejects.toThrow(/reference/);
  await client.listShipments({});
  await client.listShipments({
    query: { status: 'scheduled', reference: 'PO-1', from_date: '2020-01-01', to_date: '2999-01-01', limit: 1 },
  });
  await client.getShipment({ path: { shipment_id: shipment.id } });
  await client.cancelShipment({ path: { shipment_id: shipment.id }, body: { reason: 'Order withdrawn.' } });
  await expect(
    client.cancelShipment({ path: { shipment_id: shipment.id }, body: { reason: 'Again.' } }),
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
  expect((await recordingFetch(proof.signature_url)).status).toBe(200);
  expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);

  const { db } = service;
  await upload(who, (await shipmentIn(who, 'in_transit')).tracking_number, 'photo');
  await sql`update proof_uploads set created_at = now() - interval '26 hours'
    where account_id = ${account.id} and bound_at is null`.execute(db);
  // A position of a day without a partition, which clean-up creates; with a shorter retention it drops some.
  const early = { ...position, updated_at: new Date(Date.now() - 3 * 86_400_000).toISOString() };
  const third = await shipmentIn(who, 'dispatched');
  await client.recordPositions({ path: { tracking_number: third.tracking_number }, body: { positions: [early] } });
  expect((await cleanUp(db, openStorage(storage), 90)).uploads).toBe(1);
  expect((await cleanUp(db, openStorage(storage), 80)).positionDays).toBe(10);

  await terminateIdleSessions(db, [], 0);
  await listAccounts(db);
  const [key] = await listKeys(db, account.id);
  const rotated = await rotateKey(db, account.id, key?.key_id ?? '', 0);
  await revokeKey(db, account.id, rotated.key_id);
  await disableAccount(db, account.id);
});

test('the requests above complete every operation', () => {
  expect([...completed].sort(), 'Call the missing operation in beforeAll.').toEqual([...operationIds].sort());
});

test('the requests above reach every call that compiles a statement', async () => {
  const calls = (await serverSources()).flatMap(callsIn);
  expect(calls.length).toBeGreaterThan(20);
  const missed = calls.filter((call) => !compiled.some((statement) => isCompiledAt(call, statement)));
  expect(missed, 'Add a request that reaches the call.').toEqual([]);
});

test('callsIn finds calls of execute and compile, but no transaction', () => {
  const source = {
    path: 'a.ts',
    text: `import { sql } from 'kysely';
    const one = (db) => db.selectFrom('shipments').executeTakeFirst();
    async function two(db) {
      const { sql: text } = sql\`select 1\`.compile(db);
      await db.transaction().execute(async (trx) => {
        await sql\`select 2\`
          .execute(trx);
      });
    }`,
  };
  expect(callsIn(source).map(({ name, from, to }) => `${name} ${from}-${to}`)).toEqual([
    'one 2-2',
    'two 4-4',
    'two 6-7',
  ]);
});

test('the server sends only statements that Kysely compiled', () => {
  const texts = new Set(compiled.map(({ text }) => text));
  const control = /^(begin|commit|rollback|start transaction|set transaction)/;
  expect([...sent].filter((text) => !texts.has(text) && !control.test(text))).toEqual([]);
});

test('every statement restricts the account of every account table', async ({ service: { db } }) => {
  const tables = await accountTables(db);
  expect(tables.length).toBeGreaterThan(5);
  const calls = (await serverSources()).flatMap(callsIn);
  const unused = new Set(Object.keys(exceptions));
  const unrestricted: string[] = [];
  for (const statement of new Map(compiled.map((one) => [one.text, one])).values()) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement.text)) continue;
    const unbound = await unboundTables(db, statement.text, tables);
    if (unbound.length === 0) continue;
    const names = calls.filter((call) => isCompiledAt(call, statement)).map(nameOf);
    const excepted = names.filter((name) => name in exceptions);
    for (const name of excepted) unused.delete(name);
    if (excepted.length === 0) unrestricted.push(`${names.join(' < ')}: ${unbound.join(', ')}`);
  }
  expect(unrestricted, fix).toEqual([]);
  expect([...unused], 'Remove this exception.').toEqual([]);
});

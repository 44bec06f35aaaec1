import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as administration from '@waybill/server/auth/administration';
import { skipNumbers } from '@waybill/server/cli/service';
import { readConfig } from '@waybill/server/config';
import { checkDatabase } from '@waybill/server/config/database-checks';
import { Database } from '@waybill/server/database/database';
import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { secretBox } from '@waybill/server/database/secret-box';
import { terminateIdleSessions } from '@waybill/server/database/watch';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { contentOf, deleteAccount } from '@waybill/server/jobs/delete-account';
import { renewSecrets } from '@waybill/server/webhooks/endpoints/renew-secrets';
import { deleteOldDeliveries } from '@waybill/server/webhooks/queue/delivery-queue';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { contractOperations } from '../../fixtures/contract/contract.ts';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { startOwnService, testWithOwnService as test } from '../../fixtures/database/own-database.ts';
import { accountTables } from '../../fixtures/database/state-of-account.ts';
import { get, send } from '../../fixtures/requests/send.ts';
import { disabledEndpoint, newPosition, ready } from '../../fixtures/requests/valid-requests.ts';
import { type Service, signingKey } from '../../fixtures/service/service.ts';
import { newShipment, shipmentIn, shipmentRequest, upload } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { disabledLongAgo } from '../../operate/cli/run-waybill.ts';
import { createEndpoint, deliveries, left } from '../../webhooks/endpoint-state.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { serverSources } from './server-sources.ts';
import { type Call, callsIn, isCompiledAt, recordStatements } from './statements.ts';
import { unboundTables } from './unbound-tables.ts';

/** The functions whose statements concern all accounts, and why. */
const exceptions: Record<string, string> = {
  'auth/queries.ts findKey': 'a key determines its account',
  'auth/queries.ts findValidKeys': 'a key determines its account',
  'auth/queries.ts findAccess': 'an access determines its account',
  'auth/queries.ts findValidAccesses': 'an access determines its account',
  'auth/administration.ts listAccounts': 'the operator lists all accounts',
  'auth/administration.ts requireFreeName': 'a name belongs to one account',
  'database/audit-log.ts selectAuditLog': 'the operator lists the changes of all accounts',
  'database/delete-expired.ts deleteExpired': 'rows of all accounts expire',
  'database/schema/day-partitions.ts createPartition': 'a partition contains rows of all accounts',
  'database/schema/day-partitions.ts countUnpartitioned': 'a partition contains rows of all accounts',
  'events/removal.ts noteRemoval': 'events of all accounts expire',
  'events/removal.ts removeUnpartitioned': 'events of all accounts expire',
  'proof/removal.ts removeAbandonedUploads': 'uploads of all accounts expire',
  'shipments/expire.ts expireShipments': 'shipments of all accounts expire',
  'event-feed/queries.ts selectNewest': 'one statement finds the events of all accounts whose notifications were lost',
  'webhooks/endpoints/endpoint-list.ts sums': 'the instances share the endpoints of all accounts',
  'webhooks/endpoints/endpoint-list.ts rows': 'the instances share the endpoints of all accounts',
  'webhooks/queue/queue-events.ts selectWithWork': 'one statement looks for the work of endpoints of several accounts',
  'webhooks/endpoints/endpoint-list.ts addMissingToList': 'the instances share the endpoints of all accounts',
  'webhooks/endpoints/renew-secrets.ts selectSecrets': 'the secrets of all accounts are encrypted with the same keys',
};

/** test/operate/citus reaches them. */
const onlyOnCitus = [
  'database/delete-expired.ts deleteOnShards',
  'database/schema/distribute.ts distribute',
  'database/schema/distribute.ts distributeTable',
  'database/schema/distribute.ts toDistribute',
];

const folder = 'packages/server/src/';
const nameOf = ({ path, name }: Call): string => `${path.slice(folder.length)} ${name}`;
const fix =
  'Pass the account id and compare account_id of every table with it. If the statement concerns all accounts, ' +
  'name its function in `exceptions`, with the reason.';

const calls = (await serverSources()).flatMap(callsIn);
const { compiled, sent } = recordStatements();

test.beforeAll(async ({ service }) => {
  await callEverything(service);
  await removeExpired(service);
  // On Citus several statements are others.
  await using alone = await startOwnService();
  using _ = vi.spyOn(Database.prototype, 'isCitus').mockResolvedValue(true);
  await callEverything(alone);
}, 600_000); // a safety net: the work is bounded, not the time

/** Calls every operation, and the variants that have queries of their own. */
async function callEverything(service: Service): Promise<void> {
  const account = await newAccount(service);
  const { client } = account;
  const disabled = newAccount(service).then((other) => disableByReplay(service, other));
  for (const operation of contractOperations) {
    const request = { key: account.key, ...(await ready(operation.id, account)) };
    expect((await send(service.baseUrl, operation, request)).status, operation.id).toBeLessThan(300);
  }
  const references = [{ type: 'order' as const, value: 'PO-1' }];
  const body = { ...shipmentRequest(), reference: 'PO-1', references };
  for (let time = 0; time < 2; time++) await client.createShipment(body, { idempotencyKey: 'PO-1' });
  await expect(client.createShipment(body)).rejects.toThrow(/reference/);
  const days = { from_date: '2020-01-01', to_date: '2999-01-01' };
  await client.listShipments({ status: 'scheduled', reference: 'PO-1', ...days, limit: 1 });
  await client.listShipments({ status: ['scheduled', 'cancelled'] });
  const changes = client.listShipments({ updated_since: new Date(0), limit: 1, total_count: true });
  expect(await changes.toArray({ limit: 3 })).not.toEqual([]);
  const { id: shipment_id, tracking_number } = await shipmentIn(account, 'cancelled');
  await expect(client.cancelShipment({ shipment_id, reason: 'Again.' })).rejects.toThrow();
  const { token } = await client.createAccess({ shipment_id, scopes: ['events:read'] });
  // Until its end, which is long enough for a look at the accesses that are in use.
  const streamed = get(service, { key: token }, '/events/stream').then((stream) => stream.text());
  const now = newPosition();
  await expect(client.recordPositions({ tracking_number, positions: [now] })).rejects.toThrow();

  const left = await shipmentIn(account, 'in_transit');
  await client.updateShipment({ shipment_id: left.id, handover_code: '4821', references });
  await expect(client.updateShipment({ shipment_id: left.id, reference: 'PO-1' })).rejects.toThrow(/reference/);
  const photos = [await upload(account, left.tracking_number, 'photo')];
  const delivery = { delivered_at: new Date(), unattended: true, photos, location: { lat: 1, lng: 1 } };
  const proof = { tracking_number: left.tracking_number, ...delivery };
  await expect(client.submitProofOfDelivery({ ...proof, handover_code: '1111' })).rejects.toThrow(/wrong/);
  await client.submitProofOfDelivery({ ...proof, handover_code: '4821' });
  await expect(client.submitProofOfDelivery({ ...proof, handover_code: '4821' })).rejects.toThrow(/proof/);
  const back = { tracking_number: left.tracking_number };
  const { timeline } = await client.getTracking(back);
  const event_id = timeline.find(({ status }) => status === 'delivered')?.id ?? '';
  await client.voidTrackingEvent({ ...back, event_id, reason: 'Another shipment.' });
  await client.raiseException({ ...back, code: 'refused', occurred_at: new Date() });
  await client.recordTrackingEvent({ ...back, status: 'returned', timestamp: new Date() });
  await client.recordPositions({ ...back, positions: [{ ...now, updated_at: new Date(Date.now() - 3_600_000) }] });

  const dispatched = await shipmentIn(account, 'dispatched');
  const path = { tracking_number: dispatched.tracking_number };
  const hoursAgo = (hours: number) => ({ ...now, updated_at: new Date(Date.now() - hours * 3_600_000).toISOString() });
  await client.recordPositions({ ...path, positions: [now, hoursAgo(1)] });
  await client.recordPositions({ ...path, positions: [hoursAgo(72)] }); // of a day without a partition
  await client.listPositions({ ...path, limit: 1 }).toArray({ limit: 2 });
  const pictures = [await upload(account, dispatched.tracking_number, 'photo')];
  await client.raiseException({ ...path, code: 'damaged', occurred_at: new Date(), photos: pictures });
  const link = { shipment_id: dispatched.id, scopes: ['tracking:read' as const], detail: 'proof' as const };
  const { token: linkToken } = await client.createAccess(link);
  expect((await fetch(`${service.origin}/t/${linkToken}`)).status).toBe(200);
  const event = { ...path, status: 'picked_up', timestamp: new Date(), eta: '2030-01-01T00:00:00Z' } as const;
  const { timeline: reached } = await client.recordTrackingEvent(event);
  await client.voidTrackingEvent({ ...path, event_id: reached.at(-1)?.id ?? '', reason: 'Too early.' });
  await client.updateShipment({ shipment_id: dispatched.id, carrier: { name: 'One' } });
  await client.updateShipment({ shipment_id: dispatched.id, carrier: { name: 'Another' } });
  const { next_after } = await client.listEvents();
  const after = next_after ?? '';
  await client.listEvents({ after, wait: 2 }); // long enough for a search of events whose notification was lost
  await client.listEvents({ after, types: ['shipment.cancelled'] });
  const expired = client.listEvents({ after: 'evt_01kjpx8p02e00800000000010h' });
  await expect(expired).rejects.toMatchObject({ code: 'events_expired' });
  await client.updateWebhookEndpoint(await disabledEndpoint(account), { ifMatch: '*' });
  await exceedLimits(service, account);
  await Promise.all([streamed, disabled]);
  expect((await fetch(`${service.origin}/health/ready`)).status).toBe(200);
  await administer(service, account);
}

/** Calls what the commands of an operator and the jobs of the service call. */
async function administer({ db, storage }: Service, { id }: TestAccount): Promise<void> {
  await renewSecrets(db, secretBox(['n'.repeat(32), signingKey]));
  await renewSecrets(db, secretBox([signingKey, 'n'.repeat(32)]));
  await terminateIdleSessions(db, 0, [], 0);
  const checked = { DATABASE_URL: databaseUrl(), DATABASE_TIMEOUT_MS: '60000' };
  expect(await checkDatabase(readConfig(checked, []))).not.toEqual([]);
  await administration.listAccounts(db);
  await skipNumbers(db, 1);
  const [key] = await administration.listKeys(db, id);
  const rotated = await administration.rotateKey(db, id, key?.key_id ?? '', 0);
  await administration.revokeKey(db, id, rotated.key_id);
  await administration.disableAccount(db, id);
  await administration.enableAccount(db, id);
  await administration.renameAccount(db, id, crypto.randomUUID());
  await administration.setShare(db, id, 50);
  await administration.setDispatcherPhone(db, id, null);
  await administration.listAuditLog(db, { account: id, since: new Date(0), limit: 1 });
  await administration.listAuditLog(db, { limit: 1 });
  await disabledLongAgo(db, id);
  await administration.beginDeletion(db, id);
  await contentOf(db, id);
  await deleteAccount(db, storage, id);
}

async function removeExpired(service: Service): Promise<void> {
  const { db, storage } = service;
  const clean = (retention: object, positionDays = 90) =>
    cleanUp({ db, storage, retention: { positionDays, ...retention } });
  const account = await newAccount(service);
  await insertExpiredEvents(service, account.id);
  await upload(account, (await newShipment(account)).tracking_number, 'photo');
  const ofAccount = sql`where account_id = ${account.id}`;
  await sql`update proof_uploads set created_at = now() - interval '26 hours' ${ofAccount}`.execute(db);
  await clean({}); // or the clean-up of the service has removed the upload
  expect((await sql`select from proof_uploads ${ofAccount}`.execute(db)).rows).toEqual([]);
  await sql`update shipments set status = 'cancelled', updated_at = now() - interval '40 days' ${ofAccount}`.execute(
    db,
  );
  const shipments = { days: 32, exportFolder: await mkdtemp(join(tmpdir(), 'waybill-export-')) };
  expect((await clean({ shipments, deliveryDays: 32 })).shipments).toBe(1);
  // While the scheduled clean-up of the service changes partitions, this one changes none.
  await vi.waitFor(async () => {
    await clean({});
    expect((await clean({}, 80)).positionDays).toBe(10);
  }, waitTimeout);
}

/** Queues more than an endpoint may have pending, and deletes the oldest of more than it may have finished. */
async function exceedLimits({ db }: Service, { id, client }: TestAccount): Promise<void> {
  const path = await disabledEndpoint({ client });
  for (let count = 0; count < 100; count++) await client.sendTestWebhook(path);
  await expect(client.sendTestWebhook(path, { maxRetries: 0 })).rejects.toThrow(/100 pending/);
  const endpointId = uuidFromPublicId('whe', path.webhook_endpoint_id);
  await sql`
    insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
      status, attempts)
    select ${id}, ${endpointId}, gen_random_uuid(), i, now(), 'shipment.created', gen_random_uuid(), 'delivered', 1
    from generate_series(1, 10001) i`.execute(db);
  await deleteOldDeliveries(db, { accountId: id, endpointId });
}

/** One on a day that has a partition and one on a day that has none. */
async function insertExpiredEvents({ db }: Service, accountId: string): Promise<void> {
  const [day, next] = [45, 44].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
  await sql`
    create table ${sql.id(`events_${day?.replaceAll('-', '_')}`)} partition of events
    for values from (${sql.lit(`${day}T00:00Z`)}) to (${sql.lit(`${next}T00:00Z`)})`.execute(db);
  for (const days of [44.5, 60]) {
    await sql`
      insert into events (account_id, number, created_at, type, shipment_id, data)
      values (${accountId}, nextval('event_numbers'), now() - make_interval(hours => ${days * 24}::integer),
        'shipment.created', gen_random_uuid(), '{}')`.execute(db);
  }
}

/** Sends an event again to an endpoint that then returns 410, and waits until the instance has left the endpoint. */
async function disableByReplay({ db }: Service, account: TestAccount): Promise<void> {
  await using receiver = await startReceiver((response, _, count) => response.writeHead(count === 1 ? 204 : 410).end());
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(account);
  await deliveries(account, path, ([last]) => last?.status === 'delivered');
  const body = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  await account.client.replayWebhookEvents({ ...path, ...body });
  await deliveries(account, path, (all) => all.some(({ status }) => status === 'failed'));
  await left({ db }, path);
}

test('the requests above reach every call that compiles a statement', () => {
  expect(calls.length).toBeGreaterThan(20);
  const reached = (call: Call) => compiled.some((statement) => isCompiledAt(call, statement));
  const missed = calls.filter((call) => !onlyOnCitus.includes(nameOf(call)) && !reached(call));
  expect(missed, 'Add a request that reaches the call.').toEqual([]);
});

test('the server sends only statements that Kysely compiled', () => {
  const texts = new Set(compiled.map(({ text }) => text));
  const control =
    /^(begin|commit|rollback|start transaction|set transaction|listen |select set_config|\s*select to_regclass|(create|drop) database )/;
  expect([...sent].filter((text) => !texts.has(text) && !control.test(text))).toEqual([]);
});

/** The statements that read or change rows of the service, each once, with the functions that compile them. Those about Citus need its tables. */
const dataStatements = () =>
  [...new Map(compiled.map((one) => [one.text, one])).values()]
    .filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
    .filter(({ text }) => !/\b(pg_dist_|citus_|create_distributed_table)/.test(text))
    .map((one) => ({ text: one.text, names: calls.filter((call) => isCompiledAt(call, one)).map(nameOf) }));

test('every statement restricts the account of every account table', async ({ service: { db } }) => {
  const tables = await accountTables(db);
  expect(tables.length).toBeGreaterThan(5);
  const unrestricted = [];
  for (const { text, names } of dataStatements()) {
    const unbound = await unboundTables(db, text, tables);
    if (unbound.length > 0) unrestricted.push({ unbound, names, text });
  }
  const excepted = unrestricted.flatMap(({ names }) => names.filter((name) => name in exceptions));
  expect(
    unrestricted.filter(({ names }) => !names.some((name) => name in exceptions)),
    fix,
  ).toEqual([]);
  expect(
    Object.keys(exceptions).filter((name) => !excepted.includes(name)),
    'Remove this exception.',
  ).toEqual([]);
});

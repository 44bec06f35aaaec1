import { connect } from '@waybill/server/database/connect';
import { migrate } from '@waybill/server/database/migrate';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { createCitusStandIn } from '../fixtures/citus-stand-in.ts';
import { ownDatabase } from '../fixtures/own-database.ts';
import { post } from '../fixtures/post.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { inTransit, newShipment, proofFor, shipmentIn, shipmentRequest, upload } from '../fixtures/shipments.ts';
import { test as base, newAccount, perFile } from '../fixtures/test.ts';
import { at, newRoute } from '../positions/route.ts';

/** A service that executes the statements for Citus, on plain PostgreSQL. */
const test = base.extend<{ $file: { service: Service } }>({
  service: perFile(async () => {
    await using stack = new AsyncDisposableStack();
    const { url } = stack.use(await ownDatabase());
    const db = connect({ url, poolSize: 1, prepared: false });
    await migrate(db);
    await createCitusStandIn(db);
    await db.destroy();
    const service = stack.use(await startService({ DATABASE_URL: url }));
    const all = stack.move();
    return { ...service, [Symbol.asyncDispose]: () => all.disposeAsync() };
  }),
});

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

test('createShipment stores one shipment for each key and reference', async ({ service, account }) => {
  const send = (key: string, reference: string) =>
    post(service, account, { path: '/shipments', key, body: { ...shipmentRequest(), reference } });
  const [first, again] = [await send('1', 'PO-1'), await send('1', 'PO-1')];
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  expect(await send('2', 'PO-1')).toMatchObject({ status: 409, body: { code: 'reference_taken' } });
  expect(await send('1', 'PO-2')).toMatchObject({ status: 422 });
  await sql`update idempotency_keys set created_at = now() - interval '24 hours' where key = '1'`.execute(service.db);
  expect(await send('1', 'PO-2')).toMatchObject({ status: 201, body: { reference: 'PO-2' } });
  expect((await account.client.listShipments()).data).toHaveLength(2);
});

test('concurrent reads of two accounts return the shipments of the own account', async ({ service, account }) => {
  const other = await newAccount(service);
  const { id, tracking_number } = await shipmentIn(account, 'dispatched');
  const read = (client: typeof account.client) =>
    Promise.allSettled([
      client.getTracking({ tracking_number }),
      client.getTracking({ tracking_number }),
      client.getShipment({ shipment_id: id }),
    ]);
  const [own, foreign] = await Promise.all([read(account.client), read(other.client)]);
  expect(own).toMatchObject([
    { value: { status: 'dispatched', timeline: [{ status: 'scheduled' }, { status: 'dispatched' }] } },
    { value: { status: 'dispatched' } },
    { value: { id, tracking_number } },
  ]);
  expect(foreign.map((result) => result.status === 'rejected' && result.reason.code)).toEqual(
    Array(3).fill('not_found'),
  );
});

test('positions change the current location and the route only as they are newer or earlier', async ({ account }) => {
  const route = await newRoute(account);
  await route.record([at(1), at(3)]);
  await route.record([at(2), at(1, { lat: 9 })]);
  expect((await route.stored()).map(({ lat }) => lat)).toEqual([9, 0.002, 0.003]);
  const path = { tracking_number: (await shipmentIn(account, 'cancelled')).tracking_number };
  const refused = account.client.recordPositions({ ...path, positions: [at(1)] });
  await expect(refused).rejects.toMatchObject({ code: 'positions_not_accepted' });
});

test('a shipment is delivered once, with its proof', async ({ account }) => {
  const { tracking_number } = await inTransit(account);
  const [path, body] = [{ tracking_number }, await proofFor(account, tracking_number)];
  await account.client.submitProofOfDelivery({ ...path, ...body });
  const again = account.client.submitProofOfDelivery({ ...path, ...body });
  await expect(again).rejects.toMatchObject({ code: 'invalid_transition' });
  expect((await account.client.getTracking(path)).timeline.map(({ status }) => status)).toEqual([
    'scheduled',
    'dispatched',
    'picked_up',
    'in_transit',
    'delivered',
  ]);
});

test('clean-up removes expired keys, uploads and positions of every shard', async ({ service, account }) => {
  const { db, storage } = service;
  const clean = () => cleanUp(db, storage, 30);
  await clean();
  await upload(account, (await newShipment(account)).tracking_number, 'photo');
  await sql`update proof_uploads set created_at = now() - interval '26 hours' where bound_at is null`.execute(db);
  await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(db);
  const { rows } = await sql`select from idempotency_keys`.execute(db);
  const route = await newRoute(account);
  await route.record([at(0, { updated_at: daysAgo(60) }), at(1, { updated_at: daysAgo(20) })]);
  expect(await clean()).toMatchObject({ idempotencyKeys: rows.length, uploads: 1, positions: 1 });
  expect((await route.stored()).map(({ lat }) => lat)).toEqual([0.001]);
});

test('clean-up fails when a shard cannot be reached', async ({ service: { db, storage } }) => {
  await sql`alter table idempotency_keys rename column created_at to moved`.execute(db);
  await expect(cleanUp(db, storage, 30)).rejects.toThrow(/idempotency_keys cannot be cleaned up: .*created_at/);
  await sql`alter table idempotency_keys rename column moved to created_at`.execute(db);
});

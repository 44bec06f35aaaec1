import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { selectNewestPositions } from '@waybill/server/tracking/positions';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { startOwnService } from '../../fixtures/own-database.ts';
import { inTransit, newShipment, proofFor } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { at, newRoute, secondOf, timestampAt } from './route.ts';

const minute = 60_000;
const day = 1440 * minute;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const zero = { lat: 0, lng: 0 };

test('of positions with one timestamp the last one is stored, whatever its offset', async ({ account }) => {
  const route = await newRoute(account);
  const local = `${new Date(Date.parse(timestampAt(5)) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
  await route.record([at(1), at(5, { lat: 12, address: 'first' }), at(5, { updated_at: local, lat: 13 })]);
  const first = { ...at(1), address: null };
  expect(await route.stored()).toEqual([first, { ...at(5), lat: 13, address: null }]);
  const { current_location } = await route.record([at(5, { lat: 50, address: 'second' }), at(1, { lng: 1 })]);
  expect(current_location).toEqual({ ...at(5), lat: 50, address: 'second' });
  expect(await route.stored()).toEqual([{ ...first, lng: 1 }, current_location]);
});

test('a batch sent twice writes no row', async ({ service: { db }, account }) => {
  const route = await newRoute(account);
  const send = () => route.record([at(1), at(2), at(3, { address: 'Exit 34' })], '2026-12-24T18:00:00.000Z');
  const rows = async () =>
    (
      await sql`select 'route', ctid::text, updated_at from positions where account_id = ${account.id}
        union all select 'current', ctid::text, updated_at from current_positions where account_id = ${account.id}
        order by 1, 3`.execute(db)
    ).rows;
  const recorded = await send();
  const before = await rows();
  expect(before).toHaveLength(4);
  expect(await send()).toEqual(recorded);
  expect(await rows()).toEqual(before);
});

test('every position is listed once, oldest first, for every page size', async ({ service: { db }, account }) => {
  const route = await newRoute(account);
  const recorded = Array.from({ length: 13 }, (_, index) => (index * 5) % 13);
  await route.record(recorded.map((second) => at(second)));
  const inOrder = recorded.toSorted((a, b) => a - b);
  for (const limit of [1, 2, 12, 13, 14]) expect((await route.stored(limit)).map(secondOf)).toEqual(inOrder);
  const shipment = { accountId: account.id, id: uuidFromPublicId('ship', route.shipment.id) };
  const newest = await selectNewestPositions(db, { ...shipment, route_since: new Date(timestampAt(0)) }, 3);
  expect(newest.map(({ lat }) => lat)).toEqual([0.01, 0.011, 0.012]);

  // Cursors with timestamps that no date has.
  const { listPositions } = account.client;
  const cursor = Buffer.from(String((await listPositions({ ...route.path, limit: 1 })).next_cursor), 'base64url');
  for (const end of ['ffffffffffffffff', '7f7f7f7f7f7f7f7f', '8000000000000000']) {
    cursor.write(end, cursor.length - 8, 'hex');
    const page = listPositions({ ...route.path, cursor: cursor.toString('base64url') }).withResponse();
    expect((await page.catch((error) => error)).status).toBeLessThan(500);
  }
});

test('positions that cannot be true, or older than POSITION_DAYS, are refused alone', async () => {
  await using service = await startOwnService({ POSITION_DAYS: '7' });
  const account = await newAccount(service);
  const route = await newRoute(account);
  const { recordPositions } = account.client;
  const { forward } = clock(); // a position is late by one millisecond at least, also when the clock of the machine is set back
  const [kept, old] = [ago(7 * day - 10 * minute), ago(7 * day)];
  forward(1);
  const positions = [
    at(1, { updated_at: kept }),
    at(2, { updated_at: old }),
    at(3, { updated_at: ago(-6 * minute) }),
    at(4, zero),
    at(5, { lat: 0 }),
    at(7, { lat: 47, lng: 0 }),
    at(8, { updated_at: ago(-4 * minute) }),
  ];
  const detail = 'must not be at latitude 0 and longitude 0, which devices report without a fix';
  const earliest = new Date(Date.now() - 7 * day).toISOString();
  const refused = [
    [1, '/updated_at', 'too_old', `must not be before ${earliest}: positions are retained for 7 days`],
    [2, '/updated_at', 'too_far_ahead', 'must not be more than 5 minutes ahead of now'],
    [3, '', 'zero_coordinates', detail],
  ].map(([index, field, code, text]) => {
    return { in: 'body', pointer: `/positions/${index}${field}`, code, detail: text };
  });
  const record = () => recordPositions({ ...route.path, positions }, { idempotencyKey: 'report' });
  expect(await record()).toEqual({ accepted: 4, refused });
  const latitudes = async () => (await route.stored()).map(({ lat }) => lat);
  expect(await latitudes()).toEqual([0.001, 0, 47, 0.008]);
  forward(20 * minute); // the first one is too old for a new report
  expect(await record()).toEqual({ accepted: 4, refused });

  const all = recordPositions({ ...route.path, positions: Array(100).fill(at(9, zero)) });
  await expect(all).rejects.toMatchObject({ status: 400, code: 'invalid_request', errors: { length: 50 } });
  const invalid = recordPositions({ ...route.path, positions: [at(9), at(9, { lat: 91 }), at(9, zero)] });
  await expect(invalid).rejects.toMatchObject({ status: 400, errors: [{ pointer: '/positions/1/lat' }] });
  expect(await latitudes()).toHaveLength(4);
});

test('events, exceptions and proofs at a location that cannot be true are refused', async ({
  service: { db },
  account,
}) => {
  const { client } = account;
  const refused = (pointer: string, code: string) => ({ status: 400, errors: [{ in: 'body', pointer, code }] });
  const { tracking_number } = await inTransit(account);
  const exception = { tracking_number, code: 'traffic_delay', occurred_at: ago(0) } as const;
  const proof = { tracking_number, ...(await proofFor(account, tracking_number)) };
  const event = { tracking_number: (await newShipment(account)).tracking_number, status: 'dispatched' } as const;
  const located = await Promise.allSettled([
    client.raiseException({ ...exception, location: zero }),
    client.submitProofOfDelivery({ ...proof, location: zero }),
    client.recordTrackingEvent({ ...event, timestamp: ago(0), location: zero }),
  ]);
  for (const { reason } of located as { reason?: unknown }[])
    expect(reason).toMatchObject(refused('/location', 'zero_coordinates'));

  await sql`update tracking_events set occurred_at = now() - interval '101 days'
    where account_id = ${account.id}`.execute(db);
  const location = { lat: 47, lng: -122 };
  const [long, old] = [
    { ...exception, occurred_at: ago(91 * day) },
    { ...event, timestamp: ago(91 * day) },
  ];
  await expect(client.raiseException({ ...long, location })).rejects.toMatchObject(refused('/occurred_at', 'too_old'));
  await expect(client.recordTrackingEvent({ ...old, location })).rejects.toMatchObject(
    refused('/timestamp', 'too_old'),
  );
  await client.raiseException(long);
  expect(await client.recordTrackingEvent(old)).toMatchObject({ status: 'dispatched', current_location: null });
});

import { sql } from 'kysely';
import { expect } from 'vitest';
import { clock } from '../fixtures/clock.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { at, newRoute } from './route.ts';

const minute = 60_000;
const day = 1440 * minute;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
/** The time in a problem's detail, in milliseconds before now. */
const ageIn = (detail = ''): number => Date.now() - Date.parse(/\d{4}-\S+Z/.exec(detail)?.[0] ?? '');

test.for([7, 90])('with POSITION_DAYS=%i a batch with an older position is refused', async (days) => {
  await using service = await startOwnService({ POSITION_DAYS: String(days) });
  const account = await newAccount(service);
  const route = await newRoute(account);
  const { forward } = clock(); // a position is late by one millisecond at least, also when the clock of the machine is set back
  const oldest = at(1, { updated_at: ago(days * day - 10 * minute) });
  const late = at(2, { updated_at: ago(days * day) });
  forward(1);
  const refused = await route.record([oldest, late, at(3)]).catch((error) => error);
  const field = { in: 'body', pointer: '/positions/1/updated_at', code: 'too_old' };
  expect(refused).toMatchObject({ status: 400, code: 'invalid_request', errors: [field] });
  const age = ageIn(refused.errors[0].detail);
  expect(age, 'the earliest time').toBeGreaterThanOrEqual(days * day);
  expect(age, 'the earliest time').toBeLessThan(days * day + 10 * minute);
  expect(await route.stored()).toEqual([]);
  await route.record([oldest]);
  expect(await route.stored()).toHaveLength(1);
});

test('a batch of 100 positions that are too old returns 50 errors', async ({ account }) => {
  const route = await newRoute(account);
  const old = Array.from({ length: 100 }, (_, place) => at(0, { updated_at: ago(100 * day + place) }));
  const refused = await route.record(old).catch((error) => error);
  expect(refused.errors).toHaveLength(50);
});

test('an event older than POSITION_DAYS is refused if it has a location', async ({ service: { db }, account }) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  const path = { tracking_number };
  await sql`update tracking_events set occurred_at = now() - interval '101 days'
    where account_id = ${account.id}`.execute(db);
  const event = { status: 'picked_up', timestamp: ago(100 * day) } as const;
  const location = { lat: 47, lng: -122 };
  await expect(account.client.recordTrackingEvent({ ...path, ...event, location })).rejects.toMatchObject({
    status: 400,
    errors: [{ in: 'body', pointer: '/timestamp', code: 'too_old' }],
  });
  expect(await account.client.getTracking(path)).toMatchObject({ status: 'dispatched' });
  const data = await account.client.recordTrackingEvent({ ...path, ...event });
  expect(data).toMatchObject({ status: 'picked_up', current_location: null });
});

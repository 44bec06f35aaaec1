import { expect } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { startOwnService } from '../../fixtures/database/own-database.ts';
import { inTransit, newShipment, proofFor } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { at, newRoute, timestampAt } from './route.ts';

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

test('events, exceptions and proofs at a location that cannot be true are refused', async ({ account }) => {
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
});

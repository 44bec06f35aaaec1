import { expect } from 'vitest';
import { applyTransition, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { holdPosition, holdStep } from '../idempotency/locks.ts';
import { post } from '../idempotency/post.ts';
import { at, newRoute, seconds, timestampAt } from './route.ts';

test('concurrent batches of 10 writers are all stored, and the newest position is the current location', async ({
  account,
}) => {
  const route = await newRoute(account);
  const writers = Array.from({ length: 10 }, async (_, writer) => {
    for (let round = 0; round < 5; round++) {
      // Each writer has timestamps of its own, so that newer and older batches run concurrently.
      const base = ((round * 7 + writer * 3) % 50) * 10;
      await route.record([at(base + writer), at(base + writer + 500), at(base + writer + 250)]);
    }
  });
  await Promise.all(writers);
  const stored = seconds(await route.stored());
  expect(stored).toEqual([...new Set(stored)].sort((a, b) => a - b));
  const newest = stored.at(-1) ?? 0;
  expect((await route.tracking()).current_location).toEqual({ ...at(newest), address: null });
});

test('after concurrent batches with equal timestamps the current location is the newest listed position', async ({
  account,
}) => {
  const route = await newRoute(account);
  for (let round = 0; round < 10; round++) {
    const base = round * 10;
    const reported = Array.from({ length: 6 }, (_, writer) =>
      // Each in its own order, and the newest timestamp twice.
      [3, 1, 2, 3].map((second, place) => at(base + second, { lat: writer + place / 10 })),
    );
    await Promise.all(reported.map((batch, writer) => route.record(writer % 2 ? batch : batch.toReversed())));
    const newest = (await route.stored()).at(-1);
    expect((await route.tracking()).current_location).toEqual(newest);
    const last = reported.map((batch, writer) => batch[writer % 2 ? 3 : 0]?.lat);
    expect(last, 'the last of its batch').toContain(newest?.lat);
  }
});

test.for(['dispatched', 'delivered'] as const)(
  'overlapping batches in opposite orders for a shipment that is %s cause no deadlock',
  async (status, { service, account }) => {
    // Otherwise PostgreSQL detects a deadlock after a second and one of the two fails.
    const { tracking_number } = await shipmentIn(account, status);
    const path = `/tracking/${tracking_number}/positions`;
    const positions = Array.from({ length: 9 }, (_, second) => at(second));
    await using held = await holdPosition(service.db, tracking_number, timestampAt(4));
    const forwards = post(service, account, { path, body: { positions } });
    await held.waiting(1);
    const backwards = post(service, account, { path, body: { positions: positions.toReversed() } });
    await held.waiting(2);
    await held.release();
    const responses = await Promise.all([forwards, backwards]);
    expect(responses.map((response) => response.status)).toEqual([200, 200]);
    const stored = await account.client.listPositions({ path: { tracking_number } });
    expect(seconds(stored.data.data)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  },
);

test('positions concurrent with the delivery are stored, and later ones change nothing else', async ({ account }) => {
  const route = await newRoute(account);
  for (const to of ['picked_up', 'in_transit'] as const) {
    await applyTransition(account, route.shipment, { operation: 'recordTrackingEvent', to });
  }
  const recorded = Array.from({ length: 20 }, (_, second) => second);
  const responses = await Promise.all([
    ...recorded.slice(0, 10).map((second) => route.record([at(second)])),
    applyTransition(account, route.shipment, { operation: 'submitProofOfDelivery', to: 'delivered' }),
    ...recorded.slice(10).map((second) => route.record([at(second)])),
  ]);
  expect(responses).toHaveLength(21);
  expect(seconds(await route.stored())).toEqual(recorded);
  const before = await route.tracking();
  expect(await route.record([at(1000)])).toEqual(before);
});

test('recordPositions waits for a running transition and is accepted or refused by its result', async ({
  service,
  account,
}) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  await using held = await holdStep(service.db, tracking_number, 'cancelled');
  const path = `/tracking/${tracking_number}/positions`;
  const response = post(service, account, { path, body: { positions: [at(1)] } });
  await held.waiting(1);
  await held.release();
  const problem = { code: 'positions_not_accepted', current_status: 'cancelled' };
  expect(await response).toMatchObject({ status: 409, body: problem });
  const { data } = await account.client.listPositions({ path: { tracking_number } });
  expect(data.data).toEqual([]);
});

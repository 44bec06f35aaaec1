import { expect } from 'vitest';
import { applyTransition, shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';
import { holdPosition, holdStep } from '../idempotency/held.ts';
import { post } from '../idempotency/post.ts';
import { at, moment, newRoute, seconds } from './route.ts';

test('concurrent batches of 10 writers are all stored, and the newest position is the current location', async ({
  account,
}) => {
  const route = await newRoute(account);
  const writers = Array.from({ length: 10 }, async (_, writer) => {
    for (let round = 0; round < 5; round++) {
      // Each writer's clock runs its own way, so that newer and older batches meet.
      const base = ((round * 7 + writer * 3) % 50) * 10;
      await route.tell([at(base + writer), at(base + writer + 500), at(base + writer + 250)]);
    }
  });
  await Promise.all(writers);
  const kept = seconds(await route.kept());
  expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
  const newest = kept.at(-1) ?? 0;
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
    await Promise.all(reported.map((batch, writer) => route.tell(writer % 2 ? batch : batch.toReversed())));
    const newest = (await route.kept()).at(-1);
    expect((await route.tracking()).current_location).toEqual(newest);
    const last = reported.map((batch, writer) => batch[writer % 2 ? 3 : 0]?.lat);
    expect(last, 'the last of its batch').toContain(newest?.lat);
  }
});

test.for(['dispatched', 'delivered'] as const)(
  'overlapping batches in opposite orders for a shipment that is %s cause no deadlock',
  async (status, { service, account }) => {
    // Else PostgreSQL finds a deadlock after a second, and one of the two is refused for nothing of its own.
    const { tracking_number } = await shipmentIn(account, status);
    const path = `/tracking/${tracking_number}/positions`;
    const positions = Array.from({ length: 9 }, (_, second) => at(second));
    await using held = await holdPosition(service.db, tracking_number, moment(4));
    const forwards = post(service, account, { path, body: { positions } });
    await held.waiting(1);
    const backwards = post(service, account, { path, body: { positions: positions.toReversed() } });
    await held.waiting(2);
    await held.release();
    const answers = await Promise.all([forwards, backwards]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    const kept = await account.client.listPositions({ path: { tracking_number } });
    expect(seconds(kept.data.data)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  },
);

test('positions concurrent with the delivery are stored, and later ones change nothing else', async ({ account }) => {
  const route = await newRoute(account);
  for (const to of ['picked_up', 'in_transit'] as const) {
    await applyTransition(account, route.shipment, { operation: 'recordTrackingEvent', to });
  }
  const told = Array.from({ length: 20 }, (_, second) => second);
  const answers = await Promise.all([
    ...told.slice(0, 10).map((second) => route.tell([at(second)])),
    applyTransition(account, route.shipment, { operation: 'submitProofOfDelivery', to: 'delivered' }),
    ...told.slice(10).map((second) => route.tell([at(second)])),
  ]);
  expect(answers).toHaveLength(21);
  expect(seconds(await route.kept())).toEqual(told);
  const before = await route.tracking();
  expect(await route.tell([at(1000)])).toEqual(before);
});

test('recordPositions waits for a running transition and is accepted or refused by its result', async ({
  service,
  account,
}) => {
  const { tracking_number } = await shipmentIn(account, 'dispatched');
  await using held = await holdStep(service.db, tracking_number, 'cancelled');
  const path = `/tracking/${tracking_number}/positions`;
  const answer = post(service, account, { path, body: { positions: [at(1)] } });
  await held.waiting(1);
  await held.release();
  const problem = { code: 'positions_not_accepted', current_status: 'cancelled' };
  expect(await answer).toMatchObject({ status: 409, body: problem });
  const { data } = await account.client.listPositions({ path: { tracking_number } });
  expect(data.data).toEqual([]);
});

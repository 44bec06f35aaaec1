import { expect } from 'vitest';
import { holdPosition } from '../../fixtures/database/locks.ts';
import { post } from '../../fixtures/requests/post.ts';
import { shipmentIn } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { at, newRoute, secondOf, timestampAt } from './route.ts';

const upTo = (length: number) => Array.from({ length }, (_, n) => n);

test('after concurrent batches the current location is the newest listed position', async ({ account }) => {
  const route = await newRoute(account);
  for (let base = 0; base < 100; base += 10) {
    // Each in its own order, one timestamp of its own, and the newest timestamp twice.
    const reported = upTo(6).map((writer) => {
      const seconds = [9, 1, 2 + writer, 9];
      const batch = seconds.map((second, place) => at(base + second, { lat: (writer + place / 10) / 100 }));
      return writer % 2 ? batch : batch.toReversed();
    });
    await Promise.all(reported.map((batch) => route.record(batch)));
    const stored = await route.stored();
    expect(stored.slice(-8).map(secondOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 9].map((second) => base + second));
    const newest = stored.at(-1);
    expect((await route.tracking()).current_location).toEqual(newest);
    const last = reported.map((batch) => batch.at(-1)?.lat);
    expect(last, 'the last of its batch').toContain(newest?.lat);
  }
});

test.for(['dispatched', 'delivered'] as const)(
  'batches in opposite orders for a shipment that is %s cause no deadlock',
  async (status, { service, account }) => {
    // Otherwise PostgreSQL detects a deadlock after a second and one of the two fails.
    const { tracking_number } = await shipmentIn(account, status);
    const positions = upTo(9).map((second) => at(second));
    const send = (batch: object[]) =>
      post(service, account, { path: `/tracking/${tracking_number}/positions`, body: { positions: batch } });
    await using held = await holdPosition(service.db, account, tracking_number, timestampAt(4));
    const forwards = send(positions);
    await held.waiting(1);
    const backwards = send(positions.toReversed());
    await held.waiting(2);
    await held.release();
    expect([(await forwards).status, (await backwards).status]).toEqual([200, 200]);
    const stored = await account.client.listPositions({ tracking_number });
    expect(stored.data.map(secondOf)).toEqual(upTo(9));
  },
);

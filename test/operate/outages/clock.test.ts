import { expect, onTestFinished, vi } from 'vitest';
import { newShipment } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

test('cancelShipment succeeds when the clock of the service is an hour behind the last event', async ({ account }) => {
  const { id, tracking_number } = await newShipment(account);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { status, data } = await account.client.cancelShipment({ shipment_id: id, reason: 'Late.' }).withResponse();
  expect([status, data.status]).toEqual([200, 'cancelled']);
  const { timeline } = await account.client.getTracking({ tracking_number });
  expect(timeline.map((event) => event.status)).toEqual(['scheduled', 'cancelled']);
});

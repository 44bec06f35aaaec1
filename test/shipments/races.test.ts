import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { inTransit, newShipment, proofFor, type Shipment } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

type Send = () => Promise<unknown>;

/** Makes requests of which each would succeed alone. */
const racers: Record<string, (account: TestAccount) => Promise<[Shipment, Send[]]>> = {
  async 'equal events'({ client }) {
    const shipment = await newShipment({ client });
    const { tracking_number } = shipment;
    const body = { status: 'dispatched' as const, timestamp: new Date().toISOString() };
    return [shipment, Array(20).fill(() => client.recordTrackingEvent({ tracking_number, ...body }))];
  },
  async 'cancellations with different reasons'({ client }) {
    const shipment = await newShipment({ client });
    const path = { shipment_id: shipment.id };
    const reasons = Array.from({ length: 20 }, (_, n) => `Reason ${n}`);
    return [shipment, reasons.map((reason) => () => client.cancelShipment({ ...path, reason }))];
  },
  async 'proofs with different files'({ client }) {
    const shipment = await inTransit({ client });
    const { tracking_number } = shipment;
    const bodies = await concurrently(10, () => proofFor({ client }, tracking_number));
    return [shipment, bodies.map((body) => () => client.submitProofOfDelivery({ tracking_number, ...body }))];
  },
};

test.for(Object.keys(racers))('one of several concurrent %s is stored', async (name, { account }) => {
  const [{ tracking_number }, requests] = (await racers[name]?.(account)) ?? expect.unreachable();
  const { timeline } = await account.client.getTracking({ tracking_number });
  const results = await Promise.allSettled(requests.map((send) => send()));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []));
  expect(failures).toEqual(requests.slice(1).map(() => 409));
  const after = await account.client.getTracking({ tracking_number });
  expect(after.timeline).toHaveLength(timeline.length + 1);
});

import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { inTransit, newShipment, proofFor, type Shipment } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

/** Requests of which each would succeed alone, and what then shows which of them did: in its response and in the state. */
interface Race {
  shipment: Shipment;
  requests: (() => Promise<object>)[];
  read(): Promise<object>;
}

const racers: Record<string, (account: TestAccount) => Promise<Race>> = {
  async 'events with different descriptions'({ client }) {
    const shipment = await newShipment({ client });
    const path = { tracking_number: shipment.tracking_number };
    const timestamp = new Date().toISOString();
    const bodies = Array.from({ length: 20 }, (_, n) => ({
      ...{ status: 'dispatched' as const, timestamp, description: `Driver ${n}` },
    }));
    const requests = bodies.map((body) => () => client.recordTrackingEvent({ ...path, ...body }));
    return { shipment, requests, read: () => client.getTracking(path) };
  },
  async 'cancellations with different reasons'({ client }) {
    const shipment = await newShipment({ client });
    const path = { shipment_id: shipment.id };
    const reasons = Array.from({ length: 20 }, (_, n) => `Reason ${n}`);
    const requests = reasons.map((reason) => () => client.cancelShipment({ ...path, reason }));
    return { shipment, requests, read: () => client.getShipment(path) };
  },
  async 'proofs with different files'({ client }) {
    const shipment = await inTransit({ client });
    const path = { tracking_number: shipment.tracking_number };
    const bodies = await concurrently(10, () => proofFor({ client }, shipment.tracking_number));
    const requests = bodies.map((body) => () => client.submitProofOfDelivery({ ...path, ...body }));
    return { shipment, requests, read: () => client.getProofOfDelivery(path) };
  },
};

test.for(Object.keys(racers))('one of several concurrent %s succeeds and is stored', async (name, { account }) => {
  const { shipment, requests, read } = (await racers[name]?.(account)) ?? expect.unreachable();
  const path = { tracking_number: shipment.tracking_number };
  const { timeline } = await account.client.getTracking(path);
  const results = await Promise.allSettled(requests.map((send) => send()));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []));
  expect(failures).toEqual(requests.slice(1).map(() => 409));
  const [succeeded] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(await read()).toEqual(succeeded);
  const after = await account.client.getTracking(path);
  expect(after.timeline).toHaveLength(timeline.length + 1);
});

import { statuses, type Transition } from '@waybill/contract/lifecycle';
import { describe, expect } from 'vitest';
import { newShipment, proofFor, type Status, shipmentIn, take } from '../fixtures/journeys.ts';
import { test } from '../fixtures/test.ts';

type Step = Omit<Transition, 'from'>;

const event = (to: Status, description: string): Step => ({ operation: 'recordTrackingEvent', to, description });
const cancel: Step = { operation: 'cancelShipment', to: 'cancelled', description: 'Shipment cancelled' };
const proof: Step = { operation: 'submitProofOfDelivery', to: 'delivered', description: 'Delivered' };

/** The lifecycle by hand: the contract's own table cannot be the one that it is checked against. */
const lifecycle: Record<Status, Step[]> = {
  scheduled: [event('dispatched', 'Driver assigned'), cancel],
  dispatched: [event('picked_up', 'Picked up from the origin'), cancel],
  picked_up: [event('in_transit', 'On the way to the destination')],
  in_transit: [proof],
  delivered: [],
  cancelled: [],
};
const states = Object.keys(lifecycle) as Status[];
const steps = [...new Set(Object.values(lifecycle).flat())].map(
  (step) => [`${step.operation} to ${step.to}`, step] as const,
);

test('the contract has the statuses of the lifecycle and no others', () => {
  expect(Object.keys(statuses).sort()).toEqual([...states].sort());
});

describe.each(states)('a shipment that is %s', (state) => {
  test.for(steps)('accepts %s when the lifecycle has that step, else returns 409', async ([, step], { account }) => {
    const shipment = await shipmentIn(account, state);
    const before = (await account.client.getTracking({ path: { tracking_number: shipment.tracking_number } })).data;
    expect(before.status).toBe(state);
    const isLegal = lifecycle[state].includes(step);
    const path = { tracking_number: shipment.tracking_number };

    if (!isLegal) {
      // A shipment takes no files when it is delivered or cancelled, so the proof has those of another one.
      const attempt = async (): Promise<unknown> => {
        if (step !== proof) return take(account, shipment, step);
        const body = await proofFor(account, (await newShipment(account)).tracking_number);
        return account.client.submitProofOfDelivery({ path, body });
      };
      await expect(attempt()).rejects.toMatchObject({
        status: 409,
        code: 'invalid_transition',
        problem: { current_status: state, allowed: lifecycle[state].map(({ to }) => to) },
      });
      expect((await account.client.getTracking({ path })).data).toEqual(before);
      return;
    }
    await take(account, shipment, step);
    const { data: after } = await account.client.getTracking({ path });
    expect(after.status).toBe(step.to);
    expect(after.timeline.slice(0, -1)).toEqual(before.timeline);
    expect(after.timeline.at(-1)).toMatchObject({ status: step.to, description: step.description });
    const read = await account.client.getShipment({ path: { shipment_id: shipment.id } });
    expect(read.data.status).toBe(step.to);
  });
});

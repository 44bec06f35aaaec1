import { statuses, type Transition, transitions } from '@waybill/contract/lifecycle';
import { describe, expect } from 'vitest';
import { type Status, shipmentIn, take } from '../harness/journeys.ts';
import { test } from '../harness/test.ts';

const states = Object.keys(statuses) as Status[];
/** Every step that any operation can be asked for, possible or not. */
const steps = [
  ...new Map(
    transitions.filter(({ from }) => from !== null).map((step) => [`${step.operation} to ${step.to}`, step] as const),
  ),
];
const nextOf = (state: Status): Transition[] => transitions.filter(({ from }) => from === state);

describe.each(states)('a shipment that is %s', (state) => {
  test.for(steps)('answers to %s as the contract says', async ([, step], { account }) => {
    const shipment = await shipmentIn(account, state);
    const before = (await account.client.getTracking({ path: { tracking_number: shipment.tracking_number } })).data;
    expect(before.status).toBe(state);
    const legal = nextOf(state).find(({ operation, to }) => operation === step.operation && to === step.to);
    const path = { tracking_number: shipment.tracking_number };

    if (!legal) {
      await expect(take(account, shipment, step)).rejects.toMatchObject({
        status: 409,
        code: 'invalid_transition',
        problem: { current_status: state, allowed: nextOf(state).map(({ to }) => to) },
      });
      expect((await account.client.getTracking({ path })).data).toEqual(before);
      return;
    }
    await take(account, shipment, step);
    const { data: after } = await account.client.getTracking({ path });
    expect(after.status).toBe(step.to);
    expect(after.timeline.slice(0, -1)).toEqual(before.timeline);
    expect(after.timeline.at(-1)).toMatchObject({ status: step.to, description: legal.description });
    const read = await account.client.getShipment({ path: { shipment_id: shipment.id } });
    expect(read.data.status).toBe(step.to);
  });
});

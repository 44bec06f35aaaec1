import { statuses } from '@waybill/contract/lifecycle';
import { describe, expect } from 'vitest';
import { canBeDelivered, lifecycle, proof } from '../../fixtures/contract/lifecycle.ts';
import { png } from '../../fixtures/images.ts';
import { declare } from '../../fixtures/requests/valid-requests.ts';
import { applyTransition, newShipment, proofFor, type Status, shipmentIn } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const allStatuses = Object.keys(lifecycle) as Status[];
const steps = [...new Set(Object.values(lifecycle).flat())];
const stepsFrom = (status: Status, areAllowed: boolean) =>
  steps
    .filter((step) => lifecycle[status].includes(step) === areAllowed)
    .map((step) => [step.operation, step.to, step] as const);

test('the contract has the statuses of the lifecycle and no others', () => {
  expect(Object.keys(statuses).sort()).toEqual([...allStatuses].sort());
});

describe.each(allStatuses)('a shipment that is %s', (status) => {
  test('can be read and shared, and has the files of its status', async ({ account }) => {
    const { client } = account;
    const { id: shipment_id, tracking_number } = await shipmentIn(account, status);
    expect(await client.getShipment({ shipment_id })).toMatchObject({ status });
    expect((await client.listPositions({ tracking_number })).data).toEqual([]);
    const { id: access_id } = await client.createAccess({ shipment_id, scopes: ['tracking:read'] });
    expect((await client.listAccesses({ shipment_id })).data).toMatchObject([{ id: access_id }]);
    await client.deleteAccess({ shipment_id, access_id });

    const refusal = (code: string) => ({ status: 409, code, problem: { current_status: status } });
    for (const kind of ['signature', 'photo']) {
      const declared = declare(account, tracking_number, png(), { kind });
      // The photos of a late exception.
      if (canBeDelivered(status) || (status === 'delivered' && kind === 'photo')) await declared;
      else await expect(declared).rejects.toMatchObject(refusal('uploads_not_accepted'));
    }
    const read = client.getProofOfDelivery({ tracking_number });
    if (status === 'delivered') await read;
    else await expect(read).rejects.toMatchObject(refusal('not_delivered'));
  });

  test.for(stepsFrom(status, true))('is changed by %s to %s', async ([, to, step], { account }) => {
    const shipment = await shipmentIn(account, status);
    const path = { tracking_number: shipment.tracking_number };
    const before = await account.client.getTracking(path);
    expect(before.status).toBe(status);
    await applyTransition(account, shipment, step);
    const after = await account.client.getTracking(path);
    expect(after.status).toBe(to);
    expect(after.timeline.slice(0, -1)).toEqual(before.timeline);
    expect(after.timeline.at(-1)).toMatchObject({ status: to, description: step.description });
    const read = await account.client.getShipment({ shipment_id: shipment.id });
    const reason = to === 'cancelled' ? 'The consignee moved.' : undefined;
    expect([read.status, read.cancellation_reason]).toEqual([to, reason]);
  });

  test.for(stepsFrom(status, false))(
    'is not changed by %s to %s, which returns 409',
    async ([, , step], { account }) => {
      const shipment = await shipmentIn(account, status);
      const path = { tracking_number: shipment.tracking_number };
      const before = await account.client.getTracking(path);
      expect(before.status).toBe(status);
      // A delivered or cancelled shipment accepts no uploads, so the proof has those of another shipment.
      const attempt = async (): Promise<unknown> => {
        if (step !== proof) return applyTransition(account, shipment, step);
        const body = await proofFor(account, (await newShipment(account)).tracking_number);
        return account.client.submitProofOfDelivery({ ...path, ...body });
      };
      const problem = { current_status: status, allowed: lifecycle[status].map(({ to }) => to) };
      await expect(attempt()).rejects.toMatchObject({ status: 409, code: 'invalid_transition', problem });
      expect(await account.client.getTracking(path)).toEqual(before);
    },
  );
});

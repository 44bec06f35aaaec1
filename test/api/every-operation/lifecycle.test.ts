import { statuses } from '@waybill/contract/lifecycle';
import { describe, expect } from 'vitest';
import { png } from '../../fixtures/images.ts';
import { canBeDelivered, lifecycle, proof } from '../../fixtures/lifecycle.ts';
import { declarationOf } from '../../fixtures/requests.ts';
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
  test(`a shipment that is ${status} can be read and shared, and has the files of its status`, async ({
    account: { client },
  }) => {
    const { id: shipment_id, tracking_number } = await shipmentIn({ client }, status);
    expect(await client.getShipment({ shipment_id })).toMatchObject({ status });
    expect((await client.listPositions({ tracking_number })).data).toEqual([]);
    const { id: access_id } = await client.createAccess({ shipment_id, scopes: ['tracking:read'] });
    expect((await client.listAccesses({ shipment_id })).data).toMatchObject([{ id: access_id }]);
    await client.deleteAccess({ shipment_id, access_id });

    const refused = { status: 409, problem: { current_status: status } };
    for (const kind of ['signature', 'photo'] as const) {
      const declared = client.createProofUpload({ tracking_number, ...declarationOf(png()), kind });
      // The photos of a late exception.
      if (canBeDelivered(status) || (status === 'delivered' && kind === 'photo')) await declared;
      else await expect(declared).rejects.toMatchObject({ ...refused, code: 'uploads_not_accepted' });
    }
    const read = client.getProofOfDelivery({ tracking_number });
    if (status === 'delivered') await read;
    else await expect(read).rejects.toMatchObject({ ...refused, code: 'not_delivered' });
  });

  test.for(stepsFrom(status, true))(`%s changes a shipment from ${status} to %s`, async ([, , step], { account }) => {
    const shipment = await shipmentIn(account, status);
    const path = { tracking_number: shipment.tracking_number };
    const before = await account.client.getTracking(path);
    expect(before.status).toBe(status);
    await applyTransition(account, shipment, step);
    const after = await account.client.getTracking(path);
    expect(after.status).toBe(step.to);
    expect(after.timeline.slice(0, -1)).toEqual(before.timeline);
    expect(after.timeline.at(-1)).toMatchObject({ status: step.to, description: step.description });
    const read = await account.client.getShipment({ shipment_id: shipment.id });
    const reason = step.to === 'cancelled' ? 'The consignee moved.' : undefined;
    expect([read.status, read.cancellation_reason]).toEqual([step.to, reason]);
  });

  test.for(stepsFrom(status, false))(
    `%s returns 409 and changes nothing for a shipment from ${status} to %s`,
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
      await expect(attempt()).rejects.toMatchObject({
        status: 409,
        code: 'invalid_transition',
        problem: { current_status: status, allowed: lifecycle[status].map(({ to }) => to) },
      });
      expect(await account.client.getTracking(path)).toEqual(before);
    },
  );
});

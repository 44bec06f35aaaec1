import { WaybillError } from '@waybill/client';
import { expect } from 'vitest';
import { proofFor, type Status, shipmentIn } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

/** Codes of refusals that a race may cause. */
const expected = ['exception_not_accepted', 'exception_resolved', 'invalid_transition', 'out_of_order'];

/** Sends a write. @returns whether it succeeded */
async function attempt(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof WaybillError && expected.includes(error.code)) return false;
    throw error;
  }
}

/** The shipment's exceptions, and what the events say of them, one after the other. */
async function history({ client }: Pick<TestAccount, 'client'>, tracking_number: string) {
  const { exceptions = [], status } = await client.getTracking({ tracking_number });
  const open = new Map<string, boolean>();
  let last: string | undefined;
  for (const { type, data } of (await client.listEvents({ limit: 100 })).data) {
    if (type === 'tracking.status_reached') last = data.tracking?.status;
    const change = data.exception_change;
    if (change?.tracking_number !== tracking_number) continue;
    const { id } = change.exception;
    expect(open.get(id), `${type} of ${id}`).toBe(type === 'tracking.exception_raised' ? undefined : true);
    expect(change.status, 'the status at that time').toBe(last);
    open.set(id, type === 'tracking.exception_raised');
  }
  return { exceptions, status, open };
}

test.for(['delivered', 'cancelled'] as const)(
  'while 50 clients raise and resolve exceptions of a shipment that becomes %s, events and exceptions agree',
  async (end, { account }) => {
    const { client } = account;
    const shipment = await shipmentIn(account, end === 'delivered' ? 'in_transit' : 'dispatched');
    const path = { tracking_number: shipment.tracking_number };
    const proof = await (end === 'delivered' ? proofFor(account, path.tracking_number) : undefined);
    const occurred_at = new Date().toISOString();
    const { id } = await client.raiseException({ ...path, code: 'refused', occurred_at });
    const raise = () => client.raiseException({ ...path, code: 'nobody_there', occurred_at });
    const resolve = () => client.resolveException({ ...path, exception_id: id, resolved_at: occurred_at });
    const complete = () =>
      proof
        ? client.submitProofOfDelivery({ ...path, ...proof })
        : client.cancelShipment({ shipment_id: shipment.id, reason: 'Refused.' });
    const writes = Array.from({ length: 50 }, (_, index) => [raise, resolve, complete][index % 3] ?? raise);
    const results = await Promise.all(writes.map(attempt));
    const successes = (write: unknown): number =>
      results.filter((done, index) => done && writes[index] === write).length;

    const { exceptions, status, open } = await history(account, path.tracking_number);
    expect([status, successes(complete), successes(resolve)]).toEqual([end satisfies Status, 1, 1]);
    expect(exceptions.length).toBe(1 + successes(raise));
    expect(exceptions.map((each) => [each.id, each.resolved_at === undefined])).toEqual(
      expect.arrayContaining([...open]),
    );
    const listed = await client.listShipments({ has_exception: true });
    expect(listed.data.length).toBe([...open.values()].includes(true) ? 1 : 0);
  },
);

import { WaybillError } from '@waybill/client';
import { expect } from 'vitest';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { proofFor, shipmentIn } from '../../fixtures/shipments.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';

const ends = ['delivered', 'cancelled'] as const;

/** Sends a write. @returns whether it succeeded; false for a refusal that a race may cause */
async function attempt(write: () => Promise<unknown>): Promise<boolean> {
  const refusals =
    /^(exception_not_accepted|exception_resolved|status_recorded|proof_submitted|invalid_transition|change_not_allowed|out_of_order)$/;
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof WaybillError && refusals.test(error.code)) return false;
    throw error;
  }
}

/** What the events of the only shipment say, one after the other. Each has the status and the notes of its time. */
async function history({ client }: Pick<TestAccount, 'client'>) {
  const open = new Map<string, boolean>();
  const notes: (string | undefined)[] = [];
  let status: string | undefined;
  for (const { type, data } of (await client.listEvents({ limit: 100 })).data) {
    if (type === 'tracking.status_reached') status = data.tracking?.status;
    if (type === 'shipment.cancelled') {
      status = 'cancelled';
      expect(data.shipment?.notes, 'the notes at that time').toBe(notes.at(-1));
    }
    if (type === 'shipment.updated') {
      expect(ends, 'no change after the end').not.toContain(status);
      expect([data.shipment?.status, data.shipment?.notes], 'a change').toEqual([status, expect.any(String)]);
      notes.push(data.shipment?.notes);
    }
    if (!data.exception_change) continue;
    const { exception, status: then } = data.exception_change;
    const isRaised = type === 'tracking.exception_raised';
    expect([open.get(exception.id), then], type).toEqual([isRaised ? undefined : true, status]);
    open.set(exception.id, isRaised);
  }
  return { open, notes };
}

test.for(ends)(
  'while 50 clients raise, resolve, change, cancel and deliver a shipment that becomes %s, events and shipment agree',
  async (end, { account }) => {
    const { client } = account;
    const { id: shipment_id, tracking_number } = await shipmentIn(
      account,
      end === 'delivered' ? 'in_transit' : 'dispatched',
    );
    const path = { tracking_number };
    const proof = await proofFor(account, tracking_number);
    const occurred_at = new Date().toISOString();
    const { id: exception_id } = await client.raiseException({ ...path, code: 'refused', occurred_at });
    const writes: ((n: number) => Promise<unknown>)[] = [
      () => client.raiseException({ ...path, code: 'nobody_there', occurred_at }),
      () => client.resolveException({ ...path, exception_id, resolved_at: occurred_at }),
      (n) => client.updateShipment({ shipment_id, notes: `Notes ${n}` }),
      () => client.cancelShipment({ shipment_id, reason: 'Refused.' }),
      () => client.submitProofOfDelivery({ ...path, ...proof }),
    ];
    const results = await concurrently(50, (n) => attempt(async () => writes[n % 5]?.(n)));
    const successes = (kind: number) => results.filter((isDone, n) => isDone && n % 5 === kind).length;
    const [raised, resolved, changed, cancelled, delivered] = [0, 1, 2, 3, 4].map(successes);

    const { open, notes } = await history(account);
    const { exceptions = [], status } = await client.getTracking(path);
    const after = await client.getShipment({ shipment_id });
    expect([status, after.status, resolved]).toEqual([end, end, 1]);
    expect([cancelled, delivered]).toEqual(end === 'delivered' ? [0, 1] : [1, 0]);
    // Each change has an event, and the last one is what is stored.
    expect([notes.length, new Set(notes).size]).toEqual([changed, changed]);
    expect(after.notes).toBe(notes.at(-1));
    expect(exceptions).toHaveLength(1 + (raised ?? 0));
    expect(new Map(exceptions.map((each) => [each.id, each.resolved_at === undefined]))).toEqual(open);
    const listed = await client.listShipments({ has_exception: true });
    expect(listed.data).toHaveLength([...open.values()].includes(true) ? 1 : 0);
  },
);

import { WaybillError } from '@waybill/client';
import { expect } from 'vitest';
import { proofFor, shipmentIn } from '../../fixtures/shipments.ts';
import { type TestAccount, test } from '../../fixtures/test.ts';

const ends = ['delivered', 'cancelled'] as const;
/** Codes of refusals that a race may cause. */
const expected = [
  ...['exception_not_accepted', 'exception_resolved', 'invalid_transition', 'change_not_allowed', 'out_of_order'],
];

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

/** What the events say of the shipment, one after the other. Each has the status and the notes of its time. */
async function history({ client }: Pick<TestAccount, 'client'>, tracking_number: string) {
  const open = new Map<string, boolean>();
  const notes: (string | undefined)[] = [];
  let status: string | undefined;
  for (const { type, data } of (await client.listEvents({ limit: 100 })).data) {
    if (type === 'tracking.status_reached') status = data.tracking?.status;
    if (type === 'shipment.cancelled') status = 'cancelled';
    if (type === 'shipment.updated') {
      expect(ends, 'no change after the end').not.toContain(status);
      expect([data.shipment?.status, data.shipment?.notes], 'a change').toEqual([status, expect.any(String)]);
      notes.push(data.shipment?.notes);
    }
    if (type === 'shipment.cancelled') expect(data.shipment?.notes, 'the notes at that time').toBe(notes.at(-1));
    const change = data.exception_change;
    if (change?.tracking_number !== tracking_number) continue;
    const { id } = change.exception;
    expect(open.get(id), `${type} of ${id}`).toBe(type === 'tracking.exception_raised' ? undefined : true);
    expect(change.status, 'the status at that time').toBe(status);
    open.set(id, type === 'tracking.exception_raised');
  }
  return { open, notes };
}

test.for(ends)(
  'while 50 clients raise, resolve, change, cancel and deliver a shipment that becomes %s, events and shipment agree',
  async (end, { account }) => {
    const { client } = account;
    const shipment = await shipmentIn(account, end === 'delivered' ? 'in_transit' : 'dispatched');
    const path = { tracking_number: shipment.tracking_number };
    const proof = await proofFor(account, path.tracking_number);
    const occurred_at = new Date().toISOString();
    const { id } = await client.raiseException({ ...path, code: 'refused', occurred_at });
    const kinds = {
      raise: () => client.raiseException({ ...path, code: 'nobody_there', occurred_at }),
      resolve: () => client.resolveException({ ...path, exception_id: id, resolved_at: occurred_at }),
      change: (index: number) => client.updateShipment({ shipment_id: shipment.id, notes: `Notes ${index}` }),
      cancelled: () => client.cancelShipment({ shipment_id: shipment.id, reason: 'Refused.' }),
      delivered: () => client.submitProofOfDelivery({ ...path, ...proof }),
    };
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    const writes = Array.from({ length: 50 }, (_, index) => names[index % names.length] ?? 'raise');
    const results = await Promise.all(writes.map((name, index) => attempt(() => kinds[name](index))));
    const successes = (name: keyof typeof kinds): number =>
      results.filter((done, index) => done && writes[index] === name).length;

    const { open, notes } = await history(account, path.tracking_number);
    const { exceptions = [], status } = await client.getTracking(path);
    const after = await client.getShipment({ shipment_id: shipment.id });
    const other = end === 'delivered' ? 'cancelled' : 'delivered';
    expect([status, after.status, successes(end), successes(other)]).toEqual([end, end, 1, 0]);
    expect(successes('resolve')).toBe(1);
    // Each change has an event, and the last one is what is stored.
    expect([notes.length, new Set(notes).size]).toEqual([successes('change'), successes('change')]);
    expect(after.notes).toBe(notes.at(-1));
    expect(exceptions.length).toBe(1 + successes('raise'));
    expect(exceptions.map((each) => [each.id, each.resolved_at === undefined])).toEqual(
      expect.arrayContaining([...open]),
    );
    const listed = await client.listShipments({ has_exception: true });
    expect(listed.data.length).toBe([...open.values()].includes(true) ? 1 : 0);
  },
);

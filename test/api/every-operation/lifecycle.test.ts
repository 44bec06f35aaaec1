import { describe, expect } from 'vitest';
import { descriptions, lifecycle, type Outcome, type Target } from '../../fixtures/contract/lifecycle.ts';
import { png } from '../../fixtures/images.ts';
import { declare } from '../../fixtures/requests/valid-requests.ts';
import { newShipment, type Status, shipmentIn, upload } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const allStatuses = Object.keys(lifecycle) as Status[];
const withProof = ['delivered', 'returned'] as const;

describe.each(allStatuses)('a shipment that is %s', (status) => {
  test('can be read and shared, and has the files of its status', async ({ account }) => {
    const { client } = account;
    const { id: shipment_id, tracking_number } = await shipmentIn(account, status);
    expect(await client.getShipment({ shipment_id })).toMatchObject({ status });
    expect((await client.listPositions({ tracking_number })).data).toEqual([]);
    const { id: access_id } = await client.createAccess({ shipment_id, scopes: ['tracking:read'] });
    expect((await client.listAccesses({ shipment_id })).data).toMatchObject([{ id: access_id }]);
    await client.deleteAccess({ shipment_id, access_id });

    const problem = { current_status: status };
    for (const kind of ['signature', 'photo']) {
      const declared = declare(account, tracking_number, png(), { kind });
      if (status === 'cancelled' || status === 'lost')
        await expect(declared).rejects.toMatchObject({ status: 409, code: 'uploads_not_accepted', problem });
      else await declared;
    }
    const read = client.getProofOfDelivery({ tracking_number });
    if (status === 'delivered') await read;
    else await expect(read).rejects.toMatchObject({ status: 404, code: 'proof_not_available', problem });
  });

  test.for(Object.entries(lifecycle[status]) as [Target, Outcome][])(
    'is recorded as %s: %s',
    async ([target, outcome], { account }) => {
      const { client } = account;
      const { id: shipment_id, tracking_number } = await shipmentIn(account, status);
      const before = await client.getTracking({ tracking_number });
      expect(before.status).toBe(status);
      // Nothing is later than an end.
      const timestamp = new Date(outcome === 'late' ? (before.timeline.at(-1)?.timestamp ?? 0) : Date.now());
      const recording =
        target === 'cancelled'
          ? client.cancelShipment({ shipment_id, reason: 'The consignee moved.' })
          : client.recordTrackingEvent({ tracking_number, status: target, timestamp });
      if (outcome === 'recorded' || outcome === 'refused') {
        const entry = before.timeline.find((each) => each.status === target);
        const allowed = expect.toSatisfy((list: string[]) => isSame(list, possibleFor(status)));
        const [code, more] =
          outcome === 'recorded' ? ['status_recorded', { entry }] : ['invalid_transition', { allowed }];
        const problem = { current_status: status, ...more };
        await expect(recording).rejects.toMatchObject({ status: 409, code, problem });
        expect(await client.getTracking({ tracking_number })).toEqual(before);
        return;
      }
      await recording;
      const after = await client.getTracking({ tracking_number });
      const [entry] = after.timeline.filter(({ id }) => !before.timeline.some((other) => other.id === id));
      expect(entry).toMatchObject({ status: target, description: descriptions[target] });
      if (target !== 'cancelled') expect(entry?.timestamp).toBe(timestamp.toISOString());
      expect(after).toMatchObject({ status: outcome === 'late' ? status : target });
      expect(after.timeline).toHaveLength(before.timeline.length + 1);
      const { cancellation_reason, ...read } = await client.getShipment({ shipment_id });
      expect([read.status, cancellation_reason !== undefined]).toEqual([after.status, after.status === 'cancelled']);
    },
  );

  test.for(withProof)('gets the proof that it was %s', async (end, { account }) => {
    const { client } = account;
    const { tracking_number } = await shipmentIn(account, status);
    const isOpen = status !== 'cancelled' && status !== 'lost';
    const photos = [
      await upload(account, isOpen ? tracking_number : (await newShipment(account)).tracking_number, 'photo'),
    ];
    const proof = { tracking_number, status: end, delivered_at: new Date(), unattended: true, photos } as const;
    const submitting = client.submitProofOfDelivery(proof);
    if (status === 'delivered' && end === 'delivered')
      return await expect(submitting).rejects.toMatchObject({ status: 409, code: 'proof_submitted' });
    if (lifecycle[status][end] === 'refused')
      return await expect(submitting).rejects.toMatchObject({ status: 409, code: 'invalid_transition' });
    expect(await submitting).toMatchObject({ status: end });
    expect(await client.getProofOfDelivery({ tracking_number })).toMatchObject({ status: end });
    expect(await client.getTracking({ tracking_number })).toMatchObject({ status: end });
  });
});

/** When the statuses are reached, from the time of the creation, and the order of the timeline with the creation. */
test.for<[what: string, timeOf: (created: number) => number, isFirst: boolean]>([
  ['an hour before the creation', (created) => created - 3_600_000, false],
  ['in its whole minute', (created) => Math.floor(created / 60_000) * 60_000, true],
  ['in its whole second', (created) => Math.floor(created / 1000) * 1000, true],
  ['a moment before it', (created) => created - (created % 1000 === 1 ? 2 : 1), false],
  ['with it', (created) => created, true],
])('statuses of one time %s are in their order, however they arrive', async ([, timeOf, isFirst], { account }) => {
  const { tracking_number, created_at } = await newShipment(account);
  const timestamp = new Date(timeOf(Date.parse(created_at))).toISOString();
  for (const status of ['delivered', 'picked_up', 'in_transit', 'dispatched'] as const)
    await account.client.recordTrackingEvent({ tracking_number, status, timestamp });
  const { timeline } = await account.client.getTracking({ tracking_number });
  const steps = ['dispatched', 'picked_up', 'in_transit', 'delivered'];
  expect(timeline.map(({ status }) => status)).toEqual(isFirst ? ['scheduled', ...steps] : [...steps, 'scheduled']);
  expect((await account.events()).at(-1)?.data.tracking?.timeline).toEqual(timeline);
});

const isSame = (one: string[], other: string[]): boolean => [...one].sort().join() === other.join();

const possibleFor = (status: Status): string[] =>
  Object.entries(lifecycle[status])
    .flatMap(([to, outcome]) => (/moves|late/.test(outcome) ? to : []))
    .sort();

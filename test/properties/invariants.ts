import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { expect } from 'vitest';
import { effects } from '../idempotency/effects.ts';
import { comparable } from '../idempotency/post.ts';
import { type Actor, ask, type Told } from './world.ts';

type Schemas = components['schemas'];

/** The answers that a key stands for. A request that is refused as invalid keeps none. */
const kept = ({ answers }: Told) => answers.filter(({ status }) => status !== 400 && status !== 503);
const succeeded = (told: Told): boolean => kept(told).some(({ status }) => status < 300);

/** What must hold of an account when nothing is under way. */
export async function checkInvariants(actor: Actor): Promise<void> {
  const { world } = actor;
  for (const told of world.told) oneOutcome(told);
  const done = world.told.filter(succeeded);
  const count = (...operations: Told['operation'][]): number =>
    done.filter(({ operation }) => operations.includes(operation)).length;

  const left = await effects(actor.service.db, world.account);
  expect(left.shipments, 'one shipment for each create').toHaveLength(count('createShipment'));
  expect(left.proof_uploads, 'one upload for each declaration').toHaveLength(count('createProofUpload'));
  expect(left.proofs, 'one proof for each delivery').toHaveLength(count('submitProofOfDelivery'));

  const own = new Set(done.flatMap((told) => createdId(told) ?? []));
  expect(
    [...world.named].filter((id) => !own.has(id)),
    "nothing of another account's",
  ).toEqual([]);

  const open = new Map<string, string>();
  for (const id of own) {
    const shipment = await ask<Schemas['Shipment']>(actor, `/shipments/${id}`);
    if (!shipment) throw new Error(`${id} was acknowledged and is gone`);
    await checkShipment(actor, shipment, done);
    if (shipment.reference === undefined || shipment.status === 'cancelled') continue;
    expect(open.get(shipment.reference), `a second holder of ${shipment.reference}`).toBeUndefined();
    open.set(shipment.reference, id);
  }
}

/** One effect for a key: of the answers that count all are equal, and one is the first. */
function oneOutcome(told: Told): void {
  const answers = kept(told);
  const [first] = answers;
  if (!first) return;
  for (const answer of answers) expect(comparable(answer), told.operation).toEqual(comparable(first));
  expect(
    answers.filter(({ replayed }) => !replayed),
    `${told.operation} ${told.key}`,
  ).toHaveLength(1);
}

/** What the request was answered with, in the words of its success. */
const answered = (told: Told): Partial<Schemas['Shipment'] & Schemas['TrackingStatus']> => kept(told)[0]?.body ?? {};

const createdId = (told: Told): string | undefined =>
  told.operation === 'createShipment' ? answered(told).id : undefined;

async function checkShipment(actor: Actor, shipment: Schemas['Shipment'], done: Told[]): Promise<void> {
  const { id, tracking_number, status } = shipment;
  const about = done.filter(({ path }) => path.includes(id) || path.includes(`/${tracking_number}/`));
  const of = (...operations: Told['operation'][]) => about.filter(({ operation }) => operations.includes(operation));

  const tracking = await ask<Schemas['TrackingStatus']>(actor, `/tracking/${tracking_number}`);
  const timeline = tracking?.timeline ?? [];
  expect([tracking?.status, timeline.at(-1)?.status], 'status is the last event’s').toEqual([status, status]);
  const path = timeline.map((event, at) => [timeline[at - 1]?.status ?? null, event.status]);
  for (const [from, to] of path) {
    expect(
      transitions.some((step) => step.from === from && step.to === to),
      `${from} → ${to}`,
    ).toBe(true);
  }
  const steps = of('recordTrackingEvent', 'cancelShipment', 'submitProofOfDelivery');
  expect(timeline, 'one entry for each acknowledged step').toHaveLength(1 + steps.length);
  const events = await actor.service.db
    .selectFrom('tracking_events as e')
    .innerJoin('shipments as s', (join) =>
      join.onRef('s.account_id', '=', 'e.account_id').onRef('s.id', '=', 'e.shipment_id'),
    )
    .select(['e.version', 's.version as last'])
    .where('s.account_id', '=', actor.world.account.id)
    .where('s.tracking_number', '=', tracking_number)
    .orderBy('e.version')
    .execute();
  expect(events.map(({ version }) => version)).toEqual(timeline.map((_, at) => at + 1));
  expect(events.at(-1)?.last).toBe(timeline.length);

  const told = of('recordPositions', 'recordTrackingEvent').flatMap(momentsOf);
  const route = await ask<Schemas['PositionList']>(actor, `/tracking/${tracking_number}/positions?limit=100`);
  const moments = route?.data.map(({ updated_at }) => updated_at) ?? [];
  expect(moments, 'the route is every moment once').toEqual([...new Set(told.map(({ at }) => at))].sort());
  const newest = told
    .flatMap(({ at, moves }) => (moves ? [at] : []))
    .sort()
    .at(-1);
  expect(tracking?.current_location?.updated_at, 'the place is the newest position').toBe(newest);
  // A report after delivery replaces a position of the route, but not the current location.
  if (told.some(({ at, moves }) => at === newest && !moves)) return;
  const current = route?.data.find(({ updated_at }) => updated_at === newest) ?? null;
  expect(tracking?.current_location, 'the place is the newest position').toEqual(current);
}

/** The moments that an acknowledged request told, and whether the shipment was still on its way when it did. */
function momentsOf(told: Told): { at: string; moves: boolean }[] {
  const { status } = answered(told);
  const { positions, location, timestamp } = told.body as Partial<Schemas['PositionsRequest']> &
    Partial<Schemas['TrackingEventRequest']>;
  const all = positions?.map(({ updated_at }) => updated_at) ?? (location && timestamp ? [timestamp] : []);
  return all.map((at) => ({ at, moves: status !== 'delivered' }));
}

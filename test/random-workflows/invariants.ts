import { transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { expect } from 'vitest';
import { positionsByStatus } from '../fixtures/lifecycle.ts';
import { effects } from '../idempotency/effects.ts';
import { comparable } from '../idempotency/post.ts';
import { type Actor, read, type SentRequest } from './environment.ts';

type Schemas = components['schemas'];

/** The responses that the key's request must repeat: 400 and 503 are not stored. */
const storedResponses = ({ responses }: SentRequest) =>
  responses.filter(({ status }) => status !== 400 && status !== 503);
const succeeded = (sent: SentRequest): boolean => storedResponses(sent).some(({ status }) => status < 300);

/** What must be true of an account after all requests have ended. */
export async function checkInvariants(actor: Actor): Promise<void> {
  const { known } = actor;
  for (const sent of known.sent) checkStoredResponse(sent);
  const done = known.sent.filter(succeeded);
  const count = (...operations: SentRequest['operation'][]): number =>
    done.filter(({ operation }) => operations.includes(operation)).length;

  const left = await effects(actor.service.db, known.account);
  expect(left.shipments, 'one shipment for each create').toHaveLength(count('createShipment'));
  expect(left.proof_uploads, 'one upload for each declaration').toHaveLength(count('createProofUpload'));
  expect(left.proofs, 'one proof for each delivery').toHaveLength(count('submitProofOfDelivery'));

  const open = new Map<string, string>();
  for (const id of new Set(done.flatMap((sent) => createdId(sent) ?? []))) {
    const shipment = await read<Schemas['Shipment']>(actor, `/shipments/${id}`);
    await checkShipment(actor, shipment, done);
    if (shipment.reference === undefined || shipment.status === 'cancelled') continue;
    expect(open.get(shipment.reference), `a second holder of ${shipment.reference}`).toBeUndefined();
    open.set(shipment.reference, id);
  }
}

/** All stored responses of a key are equal, and one of them is not a replay. */
function checkStoredResponse(sent: SentRequest): void {
  const responses = storedResponses(sent);
  const [first] = responses;
  if (!first) return;
  for (const response of responses) expect(comparable(response), sent.operation).toEqual(comparable(first));
  expect(
    responses.filter(({ replayed }) => !replayed),
    `${sent.operation} ${sent.key}`,
  ).toHaveLength(1);
}

/** The body of a request's first stored response, read as a success. */
const successBody = (sent: SentRequest): Partial<Schemas['Shipment'] & Schemas['TrackingStatus']> =>
  storedResponses(sent)[0]?.body ?? {};

const createdId = (sent: SentRequest): string | undefined =>
  sent.operation === 'createShipment' ? successBody(sent).id : undefined;

async function checkShipment(actor: Actor, shipment: Schemas['Shipment'], done: SentRequest[]): Promise<void> {
  const { id, tracking_number, status } = shipment;
  const about = done.filter(({ path }) => path.includes(id) || path.includes(`/${tracking_number}/`));
  const of = (...operations: SentRequest['operation'][]) =>
    about.filter(({ operation }) => operations.includes(operation));

  const tracking = await read<Schemas['TrackingStatus']>(actor, `/tracking/${tracking_number}`);
  const { timeline } = tracking;
  expect([tracking.status, timeline.at(-1)?.status], 'status is the last event’s').toEqual([status, status]);
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
    .where('s.account_id', '=', actor.known.account.id)
    .where('s.tracking_number', '=', tracking_number)
    .orderBy('e.version')
    .execute();
  expect(events.map(({ version }) => version)).toEqual(timeline.map((_, at) => at + 1));
  expect(events.at(-1)?.last).toBe(timeline.length);

  const sent = of('recordPositions', 'recordTrackingEvent').flatMap(timestampsOf);
  const route = await read<Schemas['PositionList']>(actor, `/tracking/${tracking_number}/positions?limit=100`);
  const timestamps = route.data.map(({ updated_at }) => updated_at);
  expect(timestamps, 'the route is every timestamp once').toEqual([...new Set(sent.map(({ at }) => at))].sort());
  const newest = sent
    .flatMap(({ at, moves }) => (moves ? [at] : []))
    .sort()
    .at(-1);
  expect(tracking.current_location?.updated_at, 'the position is the newest position').toBe(newest);
  // A position after delivery replaces a listed position, but not the current location.
  if (sent.some(({ at, moves }) => at === newest && !moves)) return;
  const current = route.data.find(({ updated_at }) => updated_at === newest) ?? null;
  expect(tracking.current_location, 'the position is the newest position').toEqual(current);
}

/** The timestamps of an acknowledged request's positions, and whether they moved the current location. */
function timestampsOf(sent: SentRequest): { at: string; moves: boolean }[] {
  const { status } = successBody(sent);
  const { positions, location, timestamp } = sent.body as Partial<Schemas['PositionsRequest']> &
    Partial<Schemas['TrackingEventRequest']>;
  const all = positions?.map(({ updated_at }) => updated_at) ?? (location && timestamp ? [timestamp] : []);
  const moves = status !== undefined && positionsByStatus[status] === 'stored as current location';
  return all.map((at) => ({ at, moves }));
}

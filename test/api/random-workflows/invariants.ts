import type { Shipment, TrackingStatus } from '@waybill/client';
import { transitions } from '@waybill/contract/lifecycle';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { expectOneResponse } from '../../fixtures/post.ts';
import { stateOf } from '../../fixtures/state.ts';
import type { Actor, SentRequest } from './environment.ts';

/** The responses that the key's request must repeat: 400 and 503 are not stored. */
const storedResponses = ({ responses }: SentRequest) =>
  responses.filter(({ status }) => status !== 400 && status !== 503);
const succeeded = (sent: SentRequest): boolean => storedResponses(sent).some(({ status }) => status < 300);

/** What must be true of an account after all requests have ended. */
export async function checkInvariants(actor: Actor): Promise<void> {
  const { known } = actor;
  for (const responses of known.sent.map(storedResponses)) if (responses.length > 0) expectOneResponse(responses);
  const done = known.sent.filter(succeeded);
  const count = (...operations: SentRequest['operation'][]): number =>
    done.filter(({ operation }) => operations.includes(operation)).length;

  const left = await stateOf(actor.service, known.account);
  expect(left.shipments, 'one shipment for each create').toHaveLength(count('createShipment'));
  expect(left.proof_uploads, 'one upload for each declaration').toHaveLength(count('createProofUpload'));
  expect(left.proofs, 'one proof for each delivery').toHaveLength(count('submitProofOfDelivery'));

  const open = new Map<string, string>();
  for (const id of new Set(done.flatMap((sent) => createdId(sent) ?? []))) {
    const shipment = await actor.client.getShipment({ shipment_id: id });
    await checkShipment(actor, shipment, done);
    if (shipment.reference === undefined || shipment.status === 'cancelled') continue;
    expect(open.get(shipment.reference), `a second holder of ${shipment.reference}`).toBeUndefined();
    open.set(shipment.reference, id);
  }
}

/** The body of a request's first stored response, read as a success. */
const successBody = (sent: SentRequest): Partial<Shipment & TrackingStatus> => storedResponses(sent)[0]?.body ?? {};

const createdId = (sent: SentRequest): string | undefined =>
  sent.operation === 'createShipment' ? successBody(sent).id : undefined;

async function checkShipment(
  { client, known, service }: Actor,
  shipment: Shipment,
  done: SentRequest[],
): Promise<void> {
  const { id, tracking_number, status } = shipment;
  const about = done.filter(({ path }) => path.includes(id) || path.includes(`/${tracking_number}/`));
  const of = (...operations: SentRequest['operation'][]) =>
    about.filter(({ operation }) => operations.includes(operation));

  const tracking = await client.getTracking({ tracking_number });
  const { timeline } = tracking;
  expect([tracking.status, timeline.at(-1)?.status], 'status is the last event’s').toEqual([status, status]);
  const made = timeline.map((event, at) => ({ from: timeline[at - 1]?.status ?? null, to: event.status }));
  for (const step of made) expect(transitions).toContainEqual(expect.objectContaining(step));
  const steps = of('recordTrackingEvent', 'cancelShipment', 'submitProofOfDelivery');
  expect(timeline, 'one entry for each acknowledged step').toHaveLength(1 + steps.length);
  const { rows } = await sql`
    select s.version as last, array_agg(e.version order by e.version) as versions
    from shipments s join tracking_events e on e.account_id = s.account_id and e.shipment_id = s.id
    where s.account_id = ${known.account.id} and s.tracking_number = ${tracking_number}
    group by s.version`.execute(service.db);
  expect(rows).toEqual([{ last: timeline.length, versions: timeline.map((_, at) => at + 1) }]);

  const sent = of('recordPositions', 'recordTrackingEvent').flatMap(timestampsOf);
  const route = await client.listPositions({ tracking_number, limit: 100 });
  const timestamps = route.data.map(({ updated_at }) => updated_at);
  expect(timestamps, 'the route is every timestamp once').toEqual([...new Set(sent)].sort());
  const { current_location } = tracking;
  const { data: events } = await client.listEvents({ types: ['tracking.location_changed'], limit: 100 });
  const changes = events.flatMap(({ data }) =>
    'tracking_change' in data && data.tracking_change.shipment_id === id ? data.tracking_change : [],
  );
  expect(changes.at(-1)?.current_location ?? null, 'the last event has the location').toEqual(current_location);
  if (current_location) expect(timestamps, 'the location is on the route').toContain(current_location.updated_at);
  // A position after delivery is stored, and does not move the location.
  if (status === 'delivered') return;
  expect(current_location, 'the location is the newest position').toEqual(route.data.at(-1) ?? null);
}

type Sent = { positions?: { updated_at: string }[]; location?: object; timestamp?: string };

/** The timestamps of an acknowledged request's positions. */
function timestampsOf(sent: SentRequest): string[] {
  const { positions, location, timestamp } = sent.body as Sent;
  return positions?.map(({ updated_at }) => updated_at) ?? (location && timestamp ? [timestamp] : []);
}

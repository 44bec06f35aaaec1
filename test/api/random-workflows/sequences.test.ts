import type { Shipment, TrackingStatus } from '@waybill/client';
import { transitions } from '@waybill/contract/lifecycle';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isLong, randomSeed } from '../../fixtures/long-form.ts';
import { expectOneResponse } from '../../fixtures/post.ts';
import { startService } from '../../fixtures/service.ts';
import { stateOf } from '../../fixtures/state.ts';
import { Actor, commands, newKnown, type SentRequest } from './clients.ts';

/** The responses that the key's request must repeat: 400 and 503 are not stored. */
const storedResponses = ({ responses }: SentRequest) =>
  responses.filter(({ status }) => status !== 400 && status !== 503);
const only = (sent: SentRequest[], ...operations: SentRequest['operation'][]) =>
  sent.filter(({ operation }) => operations.includes(operation));
/** The body of a request's first stored response, read as a success. */
const successBody = (sent: SentRequest): Partial<Shipment & TrackingStatus> => storedResponses(sent)[0]?.body ?? {};

/** What must be true of an account after all requests have ended. */
async function checkInvariants(actor: Actor): Promise<void> {
  const { account, sent } = actor.known;
  for (const responses of sent.map(storedResponses)) if (responses.length > 0) expectOneResponse(responses);
  const done = sent.filter((one) => storedResponses(one).some(({ status }) => status < 300));
  const created = only(done, 'createShipment');
  const left = await stateOf(actor.service, account);
  expect(left.shipments, 'one shipment for each create').toHaveLength(created.length);
  expect(left.proof_uploads, 'one upload for each declaration').toHaveLength(only(done, 'createProofUpload').length);
  expect(left.proofs, 'one proof for each delivery').toHaveLength(only(done, 'submitProofOfDelivery').length);

  const open = new Set<string>();
  for (const shipment_id of new Set(created.map((one) => successBody(one).id ?? ''))) {
    const shipment = await actor.client.getShipment({ shipment_id });
    await checkShipment(actor, shipment, done);
    if (shipment.reference === undefined || shipment.status === 'cancelled') continue;
    expect(open, 'one holder of a reference').not.toContain(shipment.reference);
    open.add(shipment.reference);
  }
}

async function checkShipment({ client, known, service }: Actor, shipment: Shipment, done: SentRequest[]) {
  const { id, tracking_number, status } = shipment;
  const about = done.filter(({ path }) => path.includes(id) || path.includes(`/${tracking_number}/`));
  const { timeline, current_location, ...tracking } = await client.getTracking({ tracking_number });
  expect([tracking.status, timeline.at(-1)?.status], 'status is the last event’s').toEqual([status, status]);
  for (const [at, event] of timeline.entries()) {
    const step = { from: timeline[at - 1]?.status ?? null, to: event.status };
    expect(transitions).toContainEqual(expect.objectContaining(step));
  }
  const steps = only(about, 'recordTrackingEvent', 'cancelShipment', 'submitProofOfDelivery');
  expect(timeline, 'one entry for each acknowledged step').toHaveLength(1 + steps.length);
  const { rows } = await sql`
    select s.version as last, array_agg(e.version order by e.version) as versions
    from shipments s join tracking_events e on e.account_id = s.account_id and e.shipment_id = s.id
    where s.account_id = ${known.account.id} and s.tracking_number = ${tracking_number}
    group by s.version`.execute(service.db);
  expect(rows).toEqual([{ last: timeline.length, versions: timeline.map((_, at) => at + 1) }]);

  const sent = only(about, 'recordPositions', 'recordTrackingEvent').flatMap(timestampsOf);
  const { data: route } = await client.listPositions({ tracking_number, limit: 100 });
  const timestamps = route.map(({ updated_at }) => updated_at);
  expect(timestamps, 'the route is every timestamp once').toEqual([...new Set(sent)].sort());
  const { data: events } = await client.listEvents({ types: ['tracking.location_changed'], limit: 100 });
  const changes = events.flatMap(({ data }) =>
    'tracking_change' in data && data.tracking_change.shipment_id === id ? data.tracking_change : [],
  );
  expect(changes.at(-1)?.current_location ?? null, 'the last event has the location').toEqual(current_location);
  if (current_location) expect(timestamps, 'the location is on the route').toContain(current_location.updated_at);
  // A position after delivery is stored, and does not move the location.
  if (status === 'delivered') return;
  expect(current_location, 'the location is the newest position').toEqual(route.at(-1) ?? null);
}

/** The timestamps of an acknowledged request's positions. */
function timestampsOf({ body }: SentRequest): string[] {
  const { positions, location, timestamp } = body as {
    positions?: { updated_at: string }[];
    location?: object;
    timestamp?: string;
  };
  return positions?.map(({ updated_at }) => updated_at) ?? (location && timestamp ? [timestamp] : []);
}

const runs = isLong ? 120 : 6;

test(`${runs} random sequences of three clients, two of one account, at two instances of the service break no invariant`, {
  timeout: 600_000 + runs * 10_000, // a safety net: the work is bounded, not the time
}, async () => {
  await using first = await startService();
  await using second = await startService({ STORAGE_URL: `file:${first.storageFolder}` });
  const property = fc.asyncProperty(fc.tuple(commands, commands, commands), async (sequences) => {
    const [mine, theirs] = [await newKnown(first), await newKnown(first)];
    const actors = [new Actor(first, mine), new Actor(second, mine), new Actor(first, theirs)];
    const played = await Promise.allSettled(actors.map((actor, n) => actor.run(sequences[n] ?? [])));
    for (const result of played) if (result.status === 'rejected') throw result.reason;
    for (const actor of actors.slice(1)) await checkInvariants(actor);
  });
  // The seed does not fix the order of concurrent requests, so failures are shrunk only for a given seed.
  const endOnFailure = process.env.WAYBILL_SEED === undefined;
  await fc.assert(property, { numRuns: runs, endOnFailure, seed: randomSeed() });
});

import type { ProofUpload, Shipment, TrackingStatus } from '@waybill/client';
import { transitions } from '@waybill/contract/lifecycle';
import fc from 'fast-check';
import { expect } from 'vitest';
import { uniquePng } from '../../fixtures/images.ts';
import { lifecycle } from '../../fixtures/lifecycle.ts';
import { declarationOf, put } from '../../fixtures/requests.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { type Actor, resend, send } from './environment.ts';

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
/** The next status towards delivery. */
const following = (status: string): string | undefined =>
  transitions.find(({ from, to }) => from === status && to !== 'cancelled')?.to;

/** Runs the commands of one client in order. It first creates a shipment. */
export async function runCommands(actor: Actor, commands: Command[]): Promise<void> {
  await create(actor, null);
  for (const command of commands) await runCommand(actor, command);
}

/** What a client does for a command. Invariants that need all responses are checked later. */
async function runCommand(actor: Actor, command: Command): Promise<unknown> {
  const { kind, which, ahead, status, lat, positions, hasEta, times } = command;
  const { shipments, sent } = actor.known;
  if (kind === 'create') return create(actor, command.reference);
  if (kind === 'repeat') {
    const request = sent.at(-1 - which);
    return request && Promise.all(Array.from({ length: times }, () => resend(actor, request)));
  }
  const shipment = shipments.at(-1 - (which % Math.max(1, shipments.length)));
  if (!shipment) return;
  const eta = hasEta && { eta: inSeconds(86_400) };
  const path = `/tracking/${shipment.tracking_number}`;
  const recordEvent = (event: object) =>
    send(actor, 'recordTrackingEvent', `${path}/events`, { timestamp: inSeconds(ahead), ...event });
  switch (kind) {
    case 'cancel':
      return send(actor, 'cancelShipment', `/shipments/${shipment.id}/cancel`, { reason: 'Changed.' });
    case 'step': {
      const next = following((await track(actor, shipment)).status);
      if (next === 'delivered') return deliver(actor, path);
      return (
        next && recordEvent({ status: next, ...eta, ...(lat !== null && { location: { lat: lat / 20, lng: 1 } }) })
      );
    }
    case 'event':
      return recordEvent({ status });
    case 'positions': {
      // Relative to the shipment's creation, so that several clients report the same timestamps.
      const start = Date.parse(shipment.created_at) - 100_000;
      const reports = positions.map((second) => {
        return {
          lat: Math.random() / 2,
          lng: 1 + second / 10_000,
          updated_at: new Date(start + second * 1000).toISOString(),
        };
      });
      return send(actor, 'recordPositions', `${path}/positions`, { positions: reports, ...eta });
    }
    case 'proof':
      return deliver(actor, path);
    case 'track':
      return track(actor, shipment);
  }
}

async function create(actor: Actor, reference: number | null): Promise<void> {
  const body = { ...shipmentRequest(), ...(reference !== null && { reference: `PO-${reference}` }) };
  const response = await send(actor, 'createShipment', '/shipments', body);
  if (response.status === 201) actor.known.shipments.push(response.body as Shipment);
}

async function deliver(actor: Actor, path: string): Promise<void> {
  const bytes = uniquePng(crypto.randomUUID());
  const declaration = { ...declarationOf(bytes), kind: 'signature' };
  const declared = await send(actor, 'createProofUpload', `${path}/pod/uploads`, declaration);
  if (declared.status !== 201) return; // delivered or cancelled, or it has too many files
  const { upload_id, upload_url } = declared.body as ProofUpload;
  expect((await put(upload_url, bytes)).status).toBe(204);
  await send(actor, 'submitProofOfDelivery', `${path}/pod`, {
    delivered_at: inSeconds(0),
    signed_by: 'Owen Castillo',
    signature: upload_id,
    location: { lat: 1, lng: 1 },
  });
}

/** Reads a shipment's tracking status, which must extend what this client read before. */
async function track(actor: Actor, { tracking_number }: Shipment): Promise<TrackingStatus> {
  const now = await actor.client.getTracking({ tracking_number });
  const before = actor.seen.get(tracking_number);
  expect(now.status).toBe(now.timeline.at(-1)?.status);
  if (before) {
    expect(now.timeline.slice(0, before.timeline.length)).toEqual(before.timeline);
    const [was = '', is = ''] = [before.current_location?.updated_at, now.current_location?.updated_at];
    expect(is >= was, `the position went back from ${was} to ${is}`).toBe(true);
  }
  actor.seen.set(tracking_number, now);
  return now;
}

const eventStatuses = Object.values(lifecycle)
  .flat()
  .filter(({ operation }) => operation === 'recordTrackingEvent')
  .map(({ to }) => to);

/** How often each command occurs. */
const weights = {
  create: 2,
  cancel: 1,
  step: 10,
  event: 1,
  positions: 4,
  proof: 1,
  track: 3,
  repeat: 4,
};

/** One command of a client. Each kind uses some of the values. */
const command = fc.record({
  kind: fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => {
      return { weight, arbitrary: fc.constant(kind as keyof typeof weights) };
    }),
  ),
  /** Which of the account's shipments or requests, counted from its last: most commands use the same few. */
  which: fc.nat(2),
  /** Seconds relative to the command's start. */
  ahead: fc.oneof({ arbitrary: fc.constant(0), weight: 12 }, fc.constantFrom(-900, -240, 60, 240, 600)),
  reference: fc.option(fc.nat(1)),
  status: fc.constantFrom(...eventStatuses),
  lat: fc.option(fc.nat(9)),
  /** Seconds of reported positions. */
  positions: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
  hasEta: fc.boolean(),
  times: fc.integer({ min: 1, max: 4 }),
});
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const commands = fc.array(command, { minLength: 8, maxLength: 24, size: 'max' });

/** The commands of three concurrent clients. */
export const sequences: fc.Arbitrary<Command[][]> = fc.tuple(commands, commands, commands);

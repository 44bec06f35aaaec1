import { createHash } from 'node:crypto';
import { statuses, transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { expect } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import type { Command } from './commands.ts';
import { type Actor, ask, retell, tell } from './world.ts';

type Schemas = components['schemas'];
type Shipment = Schemas['Shipment'];
type Tracking = Schemas['TrackingStatus'];
type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;
type Play = { [Kind in Command['kind']]: (actor: Actor, command: Of<Kind>) => Promise<void> };

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const pick = ({ shipments }: { shipments: Shipment[] }, which: number): Shipment | undefined =>
  shipments.at(-1 - (which % Math.max(1, shipments.length)));
const eta = (): string => inSeconds(86_400);
/** The next status on the way to delivery. */
const following = (status: string): string | undefined =>
  transitions.find(({ from, to }) => from === status && to !== 'cancelled')?.to;

/** What a client does for each command. What can be judged at once is judged here, the rest when all is quiet. */
const plays: Play = {
  async create(actor, { reference }) {
    const body = { ...shipmentRequest(), ...(reference !== null && { reference: `PO-${reference}` }) };
    const answer = await tell(actor, 'createShipment', '/shipments', body);
    const { id, shipment_id } = answer.body as { id?: string; shipment_id?: string };
    for (const named of [id, shipment_id]) if (named) actor.world.named.add(named);
    if (answer.status === 201) actor.world.shipments.push(answer.body as Shipment);
  },
  async cancel(actor, { which }) {
    const shipment = pick(actor.world, which);
    if (shipment) await tell(actor, 'cancelShipment', `/shipments/${shipment.id}/cancel`, { reason: 'Changed.' });
  },
  async step(actor, { which, ahead, place, eta: estimated }) {
    const shipment = pick(actor.world, which);
    const now = shipment && (await track(actor, shipment));
    const status = now && following(now.status);
    if (status === 'delivered') return plays.proof(actor, { kind: 'proof', which });
    if (!shipment || !status) return;
    await tell(actor, 'recordTrackingEvent', `/tracking/${shipment.tracking_number}/events`, {
      status,
      timestamp: inSeconds(ahead),
      ...(place !== null && { location: { lat: place, lng: 1 } }),
      ...(estimated && { eta: eta() }),
    });
  },
  async event(actor, { which, status, ahead }) {
    const shipment = pick(actor.world, which);
    if (!shipment) return;
    const path = `/tracking/${shipment.tracking_number}/events`;
    await tell(actor, 'recordTrackingEvent', path, { status, timestamp: inSeconds(ahead) });
  },
  async positions(actor, { which, moments, eta: estimated }) {
    const shipment = pick(actor.world, which);
    if (!shipment) return;
    // From the shipment's own beginning, so that several clients tell of the same moments, each in its own way.
    const since = Date.parse(shipment.created_at) - 100_000;
    const positions = moments.map((moment) => ({
      lat: Math.floor(Math.random() * 90),
      lng: moment,
      updated_at: new Date(since + moment * 1000).toISOString(),
    }));
    const body = { positions, ...(estimated && { eta: eta() }) };
    await tell(actor, 'recordPositions', `/tracking/${shipment.tracking_number}/positions`, body);
  },
  async proof(actor, { which }) {
    const shipment = pick(actor.world, which);
    if (!shipment) return;
    const bytes = uniquePng(crypto.randomUUID());
    const declared = await tell(actor, 'createProofUpload', `/tracking/${shipment.tracking_number}/pod/uploads`, {
      kind: 'signature',
      content_type: 'image/png',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    if (declared.status !== 201) return; // delivered or cancelled, or it has too many files
    const { upload_id, upload_url } = declared.body as Schemas['ProofUpload'];
    const headers = { 'content-type': 'image/png' };
    expect((await fetch(upload_url, { method: 'PUT', headers, body: bytes })).status).toBe(204);
    await tell(actor, 'submitProofOfDelivery', `/tracking/${shipment.tracking_number}/pod`, {
      delivered_at: inSeconds(0),
      signed_by: 'Owen Castillo',
      signature: upload_id,
      location: { lat: 1, lng: 1 },
    });
  },
  async walk(actor, { by, value, limit }) {
    const status = Object.keys(statuses)[value % 6];
    const filter: Record<string, string> = {
      nothing: {},
      status: { status: String(status) },
      reference: { reference: `PO-${value % 2}` },
      dates: { from_date: '2020-01-01', to_date: inSeconds(60) },
    }[by];
    const matches = (shipment: Shipment): boolean =>
      (!filter.status || shipment.status === filter.status) &&
      (!filter.reference || shipment.reference === filter.reference);
    const matching = async (known: Shipment[]): Promise<string[]> => {
      const now = await Promise.all(known.map(({ id }) => ask<Shipment>(actor, `/shipments/${id}`)));
      return now.flatMap((shipment) => (shipment && matches(shipment) ? [shipment.id] : []));
    };
    const known = [...actor.world.shipments];
    const before = await matching(known);
    const rows: Shipment[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ ...filter, limit: String(limit), ...(cursor !== null && { cursor }) });
      const page: Schemas['ShipmentList'] | undefined = await ask(actor, `/shipments?${query}`);
      rows.push(...(page?.data ?? []));
      expect(new Set(rows.map(({ id }) => id)).size, 'each row once').toBe(rows.length);
      cursor = page?.next_cursor ?? null;
    } while (cursor !== null);
    const ids = rows.map(({ id }) => id);
    for (const id of ids) actor.world.named.add(id);
    expect(ids, 'newest first').toEqual(ids.toSorted().reverse());
    expect(rows.filter((row) => !matches(row))).toEqual([]);
    // A status never comes back: what has it before and after had it throughout.
    const throughout = (await matching(known)).filter((id) => before.includes(id));
    expect(ids).toEqual(expect.arrayContaining(throughout));
  },
  async track(actor, { which }) {
    const shipment = pick(actor.world, which);
    if (shipment) await track(actor, shipment);
  },
  async repeat(actor, { request, times }) {
    const told = actor.world.told.at(-1 - request);
    if (told) await Promise.all(Array.from({ length: times }, () => retell(actor, told)));
  },
  async trespass(actor, { which }) {
    const theirs = pick(actor.foreign, which);
    if (!theirs) return;
    const { id, tracking_number: number } = theirs;
    for (const path of [`/shipments/${id}`, `/tracking/${number}`, `/tracking/${number}/positions`]) {
      expect(await ask(actor, path), path).toBeUndefined();
    }
    const cancelled = await tell(actor, 'cancelShipment', `/shipments/${id}/cancel`, { reason: 'Not mine.' });
    expect(cancelled.status).toBe(404);
  },
};

/** Reads a shipment's tracking; what this client saw of it before must still be true. */
async function track(actor: Actor, { tracking_number }: Shipment): Promise<Tracking> {
  const now = await ask<Tracking>(actor, `/tracking/${tracking_number}`);
  if (!now) throw new Error(`${tracking_number} is gone`);
  const before = actor.seen.get(tracking_number);
  expect(now.status).toBe(now.timeline.at(-1)?.status);
  if (before) {
    expect(now.timeline.slice(0, before.timeline.length)).toEqual(before.timeline);
    const [was = '', is = ''] = [before.current_location?.updated_at, now.current_location?.updated_at];
    expect(is >= was, `the place went back from ${was} to ${is}`).toBe(true);
  }
  actor.seen.set(tracking_number, now);
  return now;
}

export async function play(actor: Actor, commands: Command[]): Promise<void> {
  for (const command of commands)
    await (plays[command.kind] as (actor: Actor, command: Command) => Promise<void>)(actor, command);
}

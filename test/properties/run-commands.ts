import { createHash } from 'node:crypto';
import { statuses, transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { expect } from 'vitest';
import { uniquePng } from '../fixtures/images.ts';
import { shipmentRequest } from '../fixtures/shipments.ts';
import type { Command } from './commands.ts';
import { type Actor, read, resend, send } from './environment.ts';

type Schemas = components['schemas'];
type Shipment = Schemas['Shipment'];
type Tracking = Schemas['TrackingStatus'];
type Of<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;
type Runners = { [Kind in Command['kind']]: (actor: Actor, command: Of<Kind>) => Promise<void> };

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const pick = ({ shipments }: { shipments: Shipment[] }, which: number): Shipment | undefined =>
  shipments.at(-1 - (which % Math.max(1, shipments.length)));
const eta = (): string => inSeconds(86_400);
/** The next status towards delivery. */
const following = (status: string): string | undefined =>
  transitions.find(({ from, to }) => from === status && to !== 'cancelled')?.to;

/** What a client does for each command. Invariants that need all responses are checked later. */
const runners: Runners = {
  async create(actor, { reference }) {
    const body = { ...shipmentRequest(), ...(reference !== null && { reference: `PO-${reference}` }) };
    const response = await send(actor, 'createShipment', '/shipments', body);
    const { id, shipment_id } = response.body as { id?: string; shipment_id?: string };
    for (const named of [id, shipment_id]) if (named) actor.known.named.add(named);
    if (response.status === 201) actor.known.shipments.push(response.body as Shipment);
  },
  async cancel(actor, { which }) {
    const shipment = pick(actor.known, which);
    if (shipment) await send(actor, 'cancelShipment', `/shipments/${shipment.id}/cancel`, { reason: 'Changed.' });
  },
  async step(actor, { which, ahead, position, eta: estimated }) {
    const shipment = pick(actor.known, which);
    const now = shipment && (await track(actor, shipment));
    const status = now && following(now.status);
    if (status === 'delivered') return runners.proof(actor, { kind: 'proof', which });
    if (!shipment || !status) return;
    await send(actor, 'recordTrackingEvent', `/tracking/${shipment.tracking_number}/events`, {
      status,
      timestamp: inSeconds(ahead),
      ...(position !== null && { location: { lat: position, lng: 1 } }),
      ...(estimated && { eta: eta() }),
    });
  },
  async event(actor, { which, status, ahead }) {
    const shipment = pick(actor.known, which);
    if (!shipment) return;
    const path = `/tracking/${shipment.tracking_number}/events`;
    await send(actor, 'recordTrackingEvent', path, { status, timestamp: inSeconds(ahead) });
  },
  async positions(actor, { which, timestamps, eta: estimated }) {
    const shipment = pick(actor.known, which);
    if (!shipment) return;
    // Relative to the shipment's creation, so that several clients report the same timestamps.
    const since = Date.parse(shipment.created_at) - 100_000;
    const positions = timestamps.map((timestamp) => ({
      lat: Math.floor(Math.random() * 90),
      lng: timestamp,
      updated_at: new Date(since + timestamp * 1000).toISOString(),
    }));
    const body = { positions, ...(estimated && { eta: eta() }) };
    await send(actor, 'recordPositions', `/tracking/${shipment.tracking_number}/positions`, body);
  },
  async proof(actor, { which }) {
    const shipment = pick(actor.known, which);
    if (!shipment) return;
    const bytes = uniquePng(crypto.randomUUID());
    const declared = await send(actor, 'createProofUpload', `/tracking/${shipment.tracking_number}/pod/uploads`, {
      kind: 'signature',
      content_type: 'image/png',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    if (declared.status !== 201) return; // delivered or cancelled, or it has too many files
    const { upload_id, upload_url } = declared.body as Schemas['ProofUpload'];
    const headers = { 'content-type': 'image/png' };
    expect((await fetch(upload_url, { method: 'PUT', headers, body: bytes })).status).toBe(204);
    await send(actor, 'submitProofOfDelivery', `/tracking/${shipment.tracking_number}/pod`, {
      delivered_at: inSeconds(0),
      signed_by: 'Owen Castillo',
      signature: upload_id,
      location: { lat: 1, lng: 1 },
    });
  },
  async paginate(actor, { by, value, limit }) {
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
      const now = await Promise.all(known.map(({ id }) => read<Shipment>(actor, `/shipments/${id}`)));
      return now.flatMap((shipment) => (shipment && matches(shipment) ? [shipment.id] : []));
    };
    const known = [...actor.known.shipments];
    const before = await matching(known);
    const rows: Shipment[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ ...filter, limit: String(limit), ...(cursor !== null && { cursor }) });
      const page: Schemas['ShipmentList'] | undefined = await read(actor, `/shipments?${query}`);
      rows.push(...(page?.data ?? []));
      expect(new Set(rows.map(({ id }) => id)).size, 'each row once').toBe(rows.length);
      cursor = page?.next_cursor ?? null;
    } while (cursor !== null);
    const ids = rows.map(({ id }) => id);
    for (const id of ids) actor.known.named.add(id);
    expect(ids, 'newest first').toEqual(ids.toSorted().reverse());
    expect(rows.filter((row) => !matches(row))).toEqual([]);
    // A status never recurs: a shipment that has it before and after had it throughout.
    const throughout = (await matching(known)).filter((id) => before.includes(id));
    expect(ids).toEqual(expect.arrayContaining(throughout));
  },
  async track(actor, { which }) {
    const shipment = pick(actor.known, which);
    if (shipment) await track(actor, shipment);
  },
  async repeat(actor, { request, times }) {
    const sent = actor.known.sent.at(-1 - request);
    if (sent) await Promise.all(Array.from({ length: times }, () => resend(actor, sent)));
  },
  async crossAccount(actor, { which }) {
    const theirs = pick(actor.otherAccount, which);
    if (!theirs) return;
    const { id, tracking_number: number } = theirs;
    for (const path of [`/shipments/${id}`, `/tracking/${number}`, `/tracking/${number}/positions`]) {
      expect(await read(actor, path), path).toBeUndefined();
    }
    const cancelled = await send(actor, 'cancelShipment', `/shipments/${id}/cancel`, { reason: 'Not mine.' });
    expect(cancelled.status).toBe(404);
  },
};

/** Reads a shipment's tracking status, which must extend what this client read before. */
async function track(actor: Actor, { tracking_number }: Shipment): Promise<Tracking> {
  const now = await read<Tracking>(actor, `/tracking/${tracking_number}`);
  if (!now) throw new Error(`${tracking_number} is gone`);
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

export async function runCommands(actor: Actor, commands: Command[]): Promise<void> {
  for (const command of commands)
    await (runners[command.kind] as (actor: Actor, command: Command) => Promise<void>)(actor, command);
}

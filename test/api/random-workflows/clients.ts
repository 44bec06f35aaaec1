import { type Client, createClient, type ProofUpload, type Shipment, type TrackingStatus } from '@waybill/client';
import { transitions } from '@waybill/contract/lifecycle';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { OperationId } from '../../fixtures/contract.ts';
import { uniquePng } from '../../fixtures/images.ts';
import { lifecycle } from '../../fixtures/lifecycle.ts';
import { type Posted, post } from '../../fixtures/post.ts';
import { declarationOf, put } from '../../fixtures/requests.ts';
import type { Service } from '../../fixtures/service.ts';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';

/** A request that has an effect, with all of its responses. */
export interface SentRequest {
  operation: OperationId;
  path: string;
  body: object;
  key: string;
  responses: Posted[];
}

/** What was acknowledged to the clients of an account. */
interface Known {
  account: TestAccount;
  shipments: Shipment[];
  sent: SentRequest[];
}

export const newKnown = async (service: Service): Promise<Known> => {
  return { account: await newAccount(service), shipments: [], sent: [] };
};

const eventStatuses = Object.values(lifecycle)
  .flat()
  .filter(({ operation }) => operation === 'recordTrackingEvent')
  .map(({ to }) => to);
/** How often each command occurs. */
const weights = { create: 2, cancel: 1, step: 10, event: 1, positions: 4, proof: 1, track: 3, repeat: 4 };
const kinds = Object.entries(weights) as [keyof typeof weights, number][];

/** One command of a client. Each kind uses some of the values. */
const command = fc.record({
  kind: fc.oneof(...kinds.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
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
export const commands: fc.Arbitrary<Command[]> = fc.array(command, { minLength: 8, maxLength: 24, size: 'max' });

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
/** The next status towards delivery. */
const following = (status: string): string | undefined =>
  transitions.find(({ from, to }) => from === status && to !== 'cancelled')?.to;

/** One client: a key of an account, at one instance of the service. */
export class Actor {
  readonly service: Service;
  readonly known: Known;
  /** For reads. */
  readonly client: Client;
  /** The tracking status of a shipment that this client read last. */
  readonly #seen = new Map<string, TrackingStatus>();

  constructor(service: Service, known: Known) {
    this.service = service;
    this.known = known;
    this.client = createClient({ baseUrl: service.baseUrl, apiKey: known.account.key, maxRetries: 0 });
  }

  /** Creates a shipment, then runs commands in order. Invariants that need all responses are checked later. */
  async run(commands: Command[]): Promise<void> {
    await this.#create(null);
    for (const each of commands) await this.#runCommand(each);
  }

  /** Sends a request that has an effect, under a new key. */
  #send(operation: OperationId, path: string, body: object): Promise<Posted> {
    const request: SentRequest = { operation, path, body, key: crypto.randomUUID(), responses: [] };
    this.known.sent.push(request);
    return this.#resend(request);
  }

  /** Sends a request again, unchanged. */
  async #resend(request: SentRequest): Promise<Posted> {
    const response = await post(this.service, this.known.account, request);
    request.responses.push(response);
    const { status, body } = response;
    const report = `${request.operation}: ${JSON.stringify(body)}`;
    // The one 503 of a healthy service: a reference that was freed between two statements.
    if (request.operation === 'createShipment' && status === 503) return response;
    expect(status, report).toBeLessThan(500);
    // Only an event can be invalid: its timestamp may be too early or too late.
    if (request.operation !== 'recordTrackingEvent') expect(status, report).not.toBe(400);
    expect(report).not.toMatch(/"code":"(idempotency_in_progress|idempotency_key_reused|rate_limited)"/);
    return response;
  }

  async #runCommand({ kind, which, ahead, status, lat, positions, ...command }: Command): Promise<unknown> {
    const { shipments, sent } = this.known;
    if (kind === 'create') return this.#create(command.reference);
    if (kind === 'repeat') {
      const request = sent.at(-1 - which);
      return request && Promise.all(Array.from({ length: command.times }, () => this.#resend(request)));
    }
    const shipment = shipments.at(-1 - (which % Math.max(1, shipments.length)));
    if (!shipment) return;
    const { tracking_number, id, created_at } = shipment;
    const eta = command.hasEta && { eta: inSeconds(86_400) };
    const path = `/tracking/${tracking_number}`;
    const recordEvent = (event: object) =>
      this.#send('recordTrackingEvent', `${path}/events`, { timestamp: inSeconds(ahead), ...event });
    if (kind === 'track') return this.#track(tracking_number);
    if (kind === 'proof') return this.#deliver(path);
    if (kind === 'event') return recordEvent({ status });
    if (kind === 'cancel') return this.#send('cancelShipment', `/shipments/${id}/cancel`, { reason: 'Changed.' });
    if (kind === 'step') {
      const next = following((await this.#track(tracking_number)).status);
      if (next === 'delivered') return this.#deliver(path);
      const location = lat !== null && { location: { lat: lat / 20, lng: 1 } };
      return next && recordEvent({ status: next, ...eta, ...location });
    }
    // Relative to the shipment's creation, so that several clients report the same timestamps.
    const at = (second: number) => new Date(Date.parse(created_at) - 100_000 + second * 1000).toISOString();
    const reports = positions.map((second) => {
      return { lat: Math.random() / 2, lng: 1 + second / 10_000, updated_at: at(second) };
    });
    return this.#send('recordPositions', `${path}/positions`, { positions: reports, ...eta });
  }

  async #create(reference: number | null): Promise<void> {
    const body = { ...shipmentRequest(), ...(reference !== null && { reference: `PO-${reference}` }) };
    const response = await this.#send('createShipment', '/shipments', body);
    if (response.status === 201) this.known.shipments.push(response.body as Shipment);
  }

  async #deliver(path: string): Promise<void> {
    const bytes = uniquePng(crypto.randomUUID());
    const declaration = { ...declarationOf(bytes), kind: 'signature' };
    const declared = await this.#send('createProofUpload', `${path}/pod/uploads`, declaration);
    if (declared.status !== 201) return; // delivered or cancelled, or it has too many files
    const { upload_id: signature, upload_url } = declared.body as ProofUpload;
    expect((await put(upload_url, bytes)).status).toBe(204);
    const proof = { delivered_at: inSeconds(0), signed_by: 'Owen Castillo', signature, location: { lat: 1, lng: 1 } };
    await this.#send('submitProofOfDelivery', `${path}/pod`, proof);
  }

  /** Reads a shipment's tracking status, which must extend what this client read before. */
  async #track(tracking_number: string): Promise<TrackingStatus> {
    const now = await this.client.getTracking({ tracking_number });
    const before = this.#seen.get(tracking_number);
    expect(now.status).toBe(now.timeline.at(-1)?.status);
    if (before) {
      expect(now.timeline.slice(0, before.timeline.length)).toEqual(before.timeline);
      const [was = '', is = ''] = [before.current_location?.updated_at, now.current_location?.updated_at];
      expect(is >= was, `the position went back from ${was} to ${is}`).toBe(true);
    }
    this.#seen.set(tracking_number, now);
    return now;
  }
}

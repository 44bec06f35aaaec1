import { maxBodyBytes } from '@waybill/contract/body-limit';
import type { ProblemCode } from '@waybill/http/problems';
import { signedLinks } from '@waybill/server/operations/signed-urls';
import { sql } from 'kysely';
import { expect, inject, vi } from 'vitest';
import { otherBody } from '../../api/idempotency/requests.ts';
import { operationOf, pathOf } from '../../fixtures/contract/contract.ts';
import { includedIn, scopeOf } from '../../fixtures/contract/scopes.ts';
import { holdKey } from '../../fixtures/database/locks.ts';
import { files, images, uniquePng } from '../../fixtures/images.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import type { Problem, Received, Sent } from '../../fixtures/requests/send.ts';
import {
  closedUrl,
  declare,
  newPosition,
  queuedDelivery,
  type Ready,
  ready,
  readyFile,
  tokenOf,
} from '../../fixtures/requests/valid-requests.ts';
import { signingKey } from '../../fixtures/service/service.ts';
import { newShipment, proofFor, type Status, shipmentIn, shipmentRequest, upload } from '../../fixtures/shipments.ts';
import { allScopes, type TestAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { createEndpoint, deliveries } from '../../webhooks/endpoint-state.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { completed } from './complete.ts';
import type { Context } from './environment.ts';

export type Scenario = (context: Context) => Promise<Received>;

/** Few calls at a time: they wait for one lock, and the client for 30 s at most. */
async function inTurns(count: number, call: () => Promise<unknown>): Promise<void> {
  for (let left = count; left > 0; left -= 5) await concurrently(Math.min(left, 5), call);
}

const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } });
const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A body of the right type, for requests that are refused before it is read. */
function anyBody({ operation }: Context): Pick<Ready, 'body' | 'file'> {
  if (operation.method === 'GET') return {};
  const body = operation.body as Ready['body'];
  return body ? { body } : { file: { type: 'image/png', bytes: images['image/png']() } };
}

const text = (body: string, type = 'application/json') => ({
  file: { type, bytes: Uint8Array.from(Buffer.from(body, 'latin1')) },
});

/** The operation's valid request; a POST has an Idempotency-Key. */
async function valid({ operation, account }: Context): Promise<Ready & { headers?: Record<string, string> }> {
  return { ...(await ready(operation.id, account)), ...(operation.method === 'POST' && keyed()) };
}

/** The refusal of an invalid request, whose correction succeeds with the same Idempotency-Key. */
async function notStored(context: Context, change: (request: Sent) => Promise<Sent> | Sent): Promise<Received> {
  const request = await valid(context);
  const refused = await context.send(await change(request));
  if (context.operation.method === 'POST') expect((await context.send(request)).status).toBeLessThan(300);
  return refused;
}

async function twice({ send }: Context, sent: Sent): Promise<Received> {
  await send(sent);
  return send(sent);
}

function completeRequest(): ReturnType<typeof shipmentRequest> {
  const request = shipmentRequest();
  const { bodySchema = {} } = operationOf('createShipment');
  return completed(bodySchema, { ...request, delivery_window: request.pickup_window }) as typeof request;
}

/** The operation's success; a body also with every optional field, and a POST replayed. */
export const success: Scenario = async (context) => {
  const { bodySchema } = context.operation;
  if (context.operation.id === 'getShipment') {
    const { client, keyWith } = context.account;
    const { id: shipment_id } = await client.createShipment(completeRequest());
    await client.cancelShipment({ shipment_id, reason: 'The consignee moved.' });
    const key = await keyWith(['shipments:read', 'shipments:write']); // it gets the handover code, too
    await context.send({ path: { shipment_id }, key });
    await sql`update accounts set dispatcher_phone = '+1 253 555 0100' where account_id = ${context.account.id}`.execute(
      context.environment.db,
    );
    const { token } = await client.createAccess({ shipment_id, kind: 'drive' });
    await context.send({ path: { shipment_id }, key: token });
  }
  if (context.operation.id === 'getException') {
    const { path } = await valid(context);
    const { tracking_number = '', exception_id = '' } = path;
    await context.account.client.voidException({ tracking_number, exception_id, reason: 'Wrong shipment' });
    await context.send({ path });
  }
  if (!bodySchema) return context.send(await valid(context));
  await context.send(await valid(context));
  const request = await valid(context);
  if (context.operation.id === 'recordPositions') {
    const positions = [newPosition(), { ...newPosition(), lat: 0, lng: 0 }];
    await context.send({ ...request, ...keyed(), body: { positions } });
  }
  const complete = { ...request, body: completed(bodySchema, request.body) as NonNullable<Ready['body']> };
  return context.operation.method === 'POST' ? twice(context, complete) : context.send(complete);
};

/** Creates two shipments and two positions of one of them, and returns its path values. */
export async function longLists(account: TestAccount): Promise<{ shipment_id: string; tracking_number: string }> {
  const { id, tracking_number } = await shipmentIn(account, 'dispatched');
  await newShipment(account);
  const positions = [newPosition(), { ...newPosition(), address: 'Ritzville', updated_at: hoursFromNow(-1) }];
  // Events with only the one, only the other, and both.
  const [timestamp, eta] = [hoursFromNow(0), hoursFromNow(1)];
  const other = (await newShipment(account)).tracking_number;
  await account.client.recordTrackingEvent({ tracking_number: other, status: 'dispatched', timestamp, eta });
  await account.client.recordPositions({ tracking_number, positions });
  await account.client.recordPositions({ tracking_number, positions, eta });
  return { shipment_id: id, tracking_number };
}

/** Attempts of two deliveries, one without a response, and returns the path values of their disabled endpoint. */
async function attemptedDeliveries({ client }: TestAccount): Promise<{ webhook_endpoint_id: string }> {
  await using receiver = await startReceiver();
  const { path } = await createEndpoint({ client }, receiver.url);
  await client.sendTestWebhook(path);
  await deliveries({ client }, path, ([last]) => last?.status === 'delivered');
  await client.updateWebhookEndpoint({ ...path, url: closedUrl });
  await client.sendTestWebhook(path);
  await deliveries({ client }, path, ([last]) => (last?.attempts ?? 0) > 0);
  await client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  return path;
}

/** Creates shipments with every field of a list: one as complete as a request can be, with an exception, and a cancelled one. */
async function completeShipments(account: TestAccount): Promise<void> {
  const { tracking_number } = await account.client.createShipment(completeRequest());
  await account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  await account.client.raiseException({ tracking_number, code: 'damaged', occurred_at: new Date() });
  await shipmentIn(account, 'cancelled');
}

export const page: Scenario = async ({ account, operation, send }) => {
  const isOfWebhooks = operation.id === 'listWebhookDeliveries';
  const path = isOfWebhooks ? await attemptedDeliveries(account) : await longLists(account);
  if (operation.id === 'listShipments') {
    await completeShipments(account);
    await send({ key: account.key, query: 'include=tracking&total_count=true' }); // which needs another scope
  } else await send({ path });
  return send({ path, query: 'limit=1' });
};

export const notModified: Scenario = async (context) => {
  const request = await valid(context);
  const { headers } = await context.send(request);
  return context.send({ ...request, headers: { 'if-none-match': headers.get('etag') ?? '' } });
};

export const file: (type: string) => Scenario = (type) => async (context) => {
  const { account, operation, send } = context;
  const known = type as keyof typeof files;
  if (!files[known]) throw new Error(`Add a file of the type ${type}: test/fixtures/images.ts`);
  if (operation.id === 'putProofFile') return send(await readyFile(account, files[known](), known));
  const { tracking_number } = await newShipment(account);
  const upload_id = await account.client.uploadProofFile({ tracking_number, kind: 'document', file: files[known]() });
  const { url } = await account.client.addDocument({ tracking_number, upload_id, type: 'other' });
  return send({ path: { file_token: tokenOf(url) } });
};

const repeated: Scenario = async (context) => {
  const { headers, ...request } = await valid(context);
  await context.send(request);
  return twice(context, { ...request, ...keyed() });
};

/** The refusal of a request because of the status of its shipment, and its replay. */
const ofShipment =
  (status: Status): Scenario =>
  async (context) => {
    const { tracking_number } = await shipmentIn(context.account, status);
    return twice(context, { ...(await valid(context)), path: { tracking_number } });
  };

/** Submits the proof of a shipment with a handover code, once with each of these codes or without one, and repeats the last. */
async function handOver({ account, send }: Context, codes: string[]): Promise<Received> {
  const { tracking_number } = await shipmentIn(account, 'in_transit', { handover_code: '4821' });
  const proof = await proofFor(account, tracking_number);
  const submit = async (handover_code?: string): Promise<Received> => {
    const request = { path: { tracking_number }, body: { ...proof, handover_code }, ...keyed() };
    await send(request);
    return send(request);
  };
  for (const wrong of codes.slice(0, -1)) expect((await submit(wrong)).code).toBe('handover_code_wrong');
  return submit(codes.at(-1));
}

/** Adds a proof of delivery on paper that completes a new shipment. */
async function addPaperProof({ account, send }: Context, status: Status, more: object = {}): Promise<Received> {
  const { tracking_number } = await shipmentIn(account, status, more);
  const upload_id = await upload(account, tracking_number, 'document');
  const body = { upload_id, type: 'proof_of_delivery', delivered_at: hoursFromNow(0) };
  return send({ path: { tracking_number }, body, ...keyed() });
}
const addsDocument = ({ operation }: Context): boolean => operation.id === 'addDocument';

const recordsEvent = ({ operation }: Context): boolean => operation.id === 'recordTrackingEvent';

/** Records a delivery without a proof, and repeats the request. */
async function recordDelivery(context: Context, more: Parameters<typeof shipmentIn>[2]): Promise<Received> {
  const { tracking_number } = await shipmentIn(context.account, 'in_transit', more);
  const body = { status: 'delivered', timestamp: new Date().toISOString() };
  return twice(context, { path: { tracking_number }, body, ...keyed() });
}

function withoutSent({ body }: Received): object {
  const { request_id: _, instance, detail, ...problem } = body as Problem;
  const sent = instance.split('/').find((part) => detail.includes(`\`${part}\``));
  return { ...problem, detail: sent ? detail.replace(sent, 'sent') : detail };
}

/** For each problem code a request that returns it, for any operation that documents it. */
export const refusals: Partial<Record<ProblemCode, Scenario>> = {
  invalid_request: async (context) => {
    if (context.operation.bodySchema && !context.operation.isBodyOptional) {
      const { body } = await context.send({ ...(await valid(context)), ...text('') });
      expect(body).toMatchObject({ errors: [{ in: 'body', pointer: '', code: 'required' }] });
    }
    const refused = await notStored(context, (request) => ({ ...request, query: 'expand=events' }));
    expect(refused.body).toMatchObject({ errors: [{ in: 'query', pointer: '/expand', code: 'unknown_field' }] });
    return refused;
  },
  malformed_request: async (context) => {
    expect((await context.send(text('{"a":"\xff"}'))).code).toBe('malformed_request');
    return notStored(context, (request) => ({ ...request, ...text('{') }));
  },
  cursor_mismatch: async (context) => context.send({ ...(await valid(context)), query: 'cursor=AAAA' }),
  unknown_upload: async (context) => {
    const { path, body } = await ready(context.operation.id, context.account);
    const unknown = 'upl_01kjwjfxt6fsytr0x9a1xe4sfc';
    const named = addsDocument(context) ? { upload_id: unknown } : { photos: [unknown] };
    return context.send({ path, body: { ...body, ...named } });
  },
  file_mismatch: async ({ account, send }) => {
    const { path, file } = await readyFile(account);
    return send({ path, file: { ...file, bytes: file.bytes.with(-1, 0) } });
  },
  unauthenticated: (context) =>
    notStored(context, (request) => ({ ...request, key: undefined, query: 'expand=events' })),
  insufficient_scope: async (context) => {
    const required = scopeOf[context.operation.id];
    const others = allScopes.filter((scope) => scope !== required && scope !== (required && includedIn[required]));
    return notStored(context, async (request) => ({ ...request, key: await context.account.keyWith(others) }));
  },
  not_found: async (context) => {
    const { operation, environment } = context;
    const { scope, parameters } = operation;
    const nonexistent = parameters.map(({ name, schema, example }) => {
      // An unsigned token; else the contract's example, as a tracking number of a year without any.
      const isToken = scope === null;
      return [name, isToken ? 'A'.repeat(Number(schema.maxLength)) : String(example).replace('-2026-', '-1999-')];
    });
    const request = await valid(context);
    const refused = await twice(context, { ...request, path: Object.fromEntries(nonexistent) });
    if (scope === null) return refused; // a signed URL is valid for any caller
    const others = new Map(environment.others.map((values) => [pathOf(operation, values), values]));
    for (const [url, path] of others) {
      const received = await context.send({ ...request, path, ...(operation.method === 'POST' && keyed()) });
      expect(withoutSent(received), url).toEqual(withoutSent(refused));
    }
    return refused;
  },
  reference_taken: async (context) => {
    const { account, operation } = context;
    const reference = `PO ${crypto.randomUUID()}`;
    const { tracking_number } = await shipmentIn(account, 'cancelled', { reference });
    const { timeline } = await account.client.getTracking({ tracking_number });
    await newShipment(account, { reference });
    if (operation.id === 'voidTrackingEvent') {
      const path = { tracking_number, event_id: timeline.at(-1)?.id ?? '' };
      return twice(context, { path, body: { reason: 'Cancelled by mistake.' }, ...keyed() });
    }
    const { path, body } = await valid(context);
    return twice(context, { path, body: { ...body, reference }, ...keyed() });
  },
  webhook_limit_reached: async (context) => {
    await inTurns(16, () => context.account.client.createWebhookEndpoint({ url: closedUrl }));
    return twice(context, await valid(context));
  },
  secret_limit_reached: async (context) => {
    const { path } = await createEndpoint(context.account, closedUrl);
    await inTurns(4, () => context.account.client.rotateWebhookSecret(path));
    return context.send({ path, ...keyed() });
  },
  access_limit_reached: async (context) => {
    const request = await valid(context);
    const { shipment_id = '' } = request.path;
    await inTurns(20, () => context.account.client.createAccess({ shipment_id, kind: 'track' }));
    return twice(context, request);
  },
  document_limit_reached: async (context) => {
    const request = await valid(context);
    const { tracking_number = '' } = request.path;
    const { account } = context;
    await inTurns(20, async () => {
      const upload_id = await upload(account, tracking_number, 'document');
      await account.client.addDocument({ tracking_number, upload_id, type: 'photo' });
    });
    return twice(context, request);
  },
  delivery_limit_reached: async (context) => {
    if (context.operation.id === 'replayWebhookEvents') {
      const { path } = await createEndpoint(context.account, closedUrl);
      await context.account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
      const range = (day: number) => ({ from: `2026-01-${day}T00:00:00Z`, to: '2026-02-01T00:00:00Z' });
      for (let day = 10; day < 30; day++) await context.account.client.replayWebhookEvents({ ...path, ...range(day) });
      return context.send({ path, body: range(30), ...keyed() });
    }
    const path = await queuedDelivery(context.account); // of its endpoint, the first one
    const { webhook_endpoint_id } = path;
    await inTurns(99, () => context.account.client.sendTestWebhook({ webhook_endpoint_id }));
    return context.send({ path, ...keyed() });
  },
  invalid_transition: async (context) => {
    if (addsDocument(context)) return addPaperProof(context, 'cancelled');
    const { tracking_number, id: shipment_id } = await shipmentIn(context.account, 'delivered');
    const body = {
      ...(await valid(context)).body,
      ...(context.operation.id !== 'cancelShipment' && { status: 'lost' }),
    };
    const proof = { ...body, status: 'returned' };
    return twice(context, {
      path: { tracking_number, shipment_id },
      body: context.operation.id === 'submitProofOfDelivery' ? proof : body,
      ...keyed(),
    });
  },
  status_recorded: repeated,
  proof_submitted: repeated,
  void_not_allowed: repeated,
  tracking_event_limit_reached: async (context) => {
    const request = await valid(context);
    await sql`
      insert into tracking_events (account_id, shipment_id, version, id, status, occurred_at, description, voided_at)
      select account_id, id, 100 + n, gen_random_uuid(), 'picked_up', now(), 'Again', now()
      from shipments, generate_series(1, 50) n where tracking_number = ${request.path.tracking_number}`.execute(
      context.environment.db,
    );
    return context.send(request);
  },
  change_not_allowed: async (context) => {
    const { id: shipment_id, tracking_number } = await shipmentIn(context.account, 'cancelled');
    return context.send({ ...(await valid(context)), path: { shipment_id, tracking_number } });
  },
  signature_required: async (context) => {
    if (recordsEvent(context)) return recordDelivery(context, { signature_required: true });
    if (addsDocument(context)) return addPaperProof(context, 'in_transit', { signature_required: true });
    const { account, send } = context;
    const submit = async (signature_required: boolean) => {
      const { tracking_number } = await shipmentIn(account, 'in_transit', { signature_required });
      const { signed_by: _, signature: __, ...proof } = await proofFor(account, tracking_number);
      return send({ path: { tracking_number }, body: { ...proof, unattended: true }, ...keyed() });
    };
    expect(await submit(false)).toMatchObject({ status: 201 });
    return submit(true);
  },
  handover_code_required: (context) => {
    if (recordsEvent(context)) return recordDelivery(context, { handover_code: '4821' });
    return addsDocument(context)
      ? addPaperProof(context, 'in_transit', { handover_code: '4821' })
      : handOver(context, []);
  },
  handover_code_wrong: (context) => handOver(context, ['1111']),
  handover_code_locked: (context) => handOver(context, ['1111', '1112', '1113', '1114', '1115', '4821']),
  exception_not_accepted: ofShipment('scheduled'),
  exception_limit_reached: async (context) => {
    const request = await valid(context);
    const { tracking_number = '' } = request.path;
    const exception = { code: 'facility_delay', occurred_at: hoursFromNow(0) } as const;
    const { client } = context.account;
    const { id: exception_id } = await client.raiseException({ tracking_number, ...exception });
    await inTurns(49, () => client.raiseException({ tracking_number, ...exception }));
    await client.resolveException({ tracking_number, exception_id, resolved_at: hoursFromNow(0) }); // it still counts
    return twice(context, { ...request, body: exception });
  },
  exception_resolved: repeated,
  exception_void_not_allowed: repeated,
  positions_not_accepted: ofShipment('scheduled'),
  uploads_not_accepted: ofShipment('cancelled'),
  upload_limit_reached: async (context) => {
    const request = await valid(context);
    const { tracking_number = '' } = request.path;
    await inTurns(20, () => declare(context.account, tracking_number, uniquePng('')));
    return context.send(request);
  },
  too_many_streams: async (context) => {
    const { account, environment, operation, send } = context;
    const headers = { authorization: `Bearer ${account.key}` };
    const open = () => fetch(`${environment.streaming.baseUrl}/events/stream`, { headers });
    // Each instance of a cluster has its own limit.
    const streams = await concurrently(inject('cluster') ? 60 : 20, open);
    const query = operation.id === 'listEvents' ? 'wait=30' : '';
    const refused = await send({ key: account.key, query }, environment.streaming);
    await Promise.all(streams.map(({ body }) => body?.cancel()));
    return refused;
  },
  storage_quota_exceeded: async (context) => {
    const { db } = context.environment;
    await sql`insert into stored_bytes (account_id, bytes) values (${context.account.id}, 1e13)`.execute(db);
    return context.send(await valid(context));
  },
  events_expired: ({ send }) => send({ query: 'after=evt_01kjpx8p02e00800000000010h' }),
  proof_not_available: ofShipment('in_transit'),
  file_conflict: async ({ account, send }) => {
    const { path, file } = await readyFile(account);
    await send({ path, file });
    return send({ path, file: { ...file, bytes: uniquePng('other') } });
  },
  idempotency_in_progress: async (context) => {
    const request = await valid(context);
    const { db, impatient } = context.environment;
    await using held = await holdKey(db, context.account, request.headers?.['idempotency-key'] ?? '');
    // A repeat at the other instance would wait for the key in PostgreSQL, too.
    if (inject('cluster')) return await context.send(request, impatient);
    const first = context.send(request, impatient);
    await held.waiting(1);
    const second = await context.send(request, impatient);
    await held.release();
    await first;
    return second;
  },
  precondition_failed: async (context) => {
    const request = await valid(context);
    return context.send({ ...request, headers: { 'if-match': '"earlier-version"' } });
  },
  link_expired: async (context) => {
    const purpose = context.operation.id === 'putProofFile' ? 'upload' : 'file';
    const longAgo = new Date('2020-01-01');
    const { url } = signedLinks([signingKey], '', '').sign(purpose, context.account.id, crypto.randomUUID(), longAgo);
    return context.send({ path: { upload_token: tokenOf(url), file_token: tokenOf(url) }, ...anyBody(context) });
  },
  payload_too_large: async (context) => {
    const { file, body, ...request } = await valid(context);
    if (file) return context.send({ ...request, file: { ...file, bytes: Uint8Array.from([...file.bytes, 0]) } });
    const sized = (length: number) => text(JSON.stringify(body).padEnd(length)).file;
    const refused = await context.send({ ...request, file: sized(maxBodyBytes + 1) });
    const accepted = await context.send({ ...request, file: sized(maxBodyBytes) });
    expect(accepted.status).toBeLessThan(300);
    return refused;
  },
  unsupported_media_type: async (context) => {
    const { body, ...request } = await valid(context);
    const plain = await context.send({ ...request, ...text(JSON.stringify(body ?? {}), 'text/plain') });
    expect(plain.status).toBe(415);
    return context.send({ ...request, body, headers: { ...request.headers, 'content-encoding': 'gzip' } });
  },
  idempotency_key_reused: async (context) => {
    const { operation, account, send } = context;
    const request = await valid(context);
    await send(request);
    const body = otherBody(operation, request.body ?? {});
    const { path } = await ready(operation.id, account);
    const others = [...(body ? [{ body }] : []), ...(operation.path.includes('{') ? [{ path }] : [])];
    const refused = [];
    for (const other of others) refused.push(await send({ ...request, ...other }));
    expect(refused.map(({ code }) => code)).toEqual(others.map(() => 'idempotency_key_reused'));
    expect((await send(request)).headers.get('idempotent-replayed')).toBe('true');
    return refused[0] ?? expect.unreachable();
  },
  rate_limited: async (context) => {
    const send = () => context.send(anyBody(context), context.environment.limited);
    let received = await send();
    // The second request of a minute is refused. A minute may end between two requests.
    for (let count = 1; count < 4 && received.status !== 429; count++) received = await send();
    return received;
  },
  internal_error: async (context) => context.send(await valid(context), context.environment.restricted),
  unavailable: async (context) => {
    const { network, disconnectable } = context.environment;
    const request = await valid(context);
    await network.set({ kind: 'none' });
    // The service caches the key, so that the operation's own query fails.
    const headers = { authorization: `Bearer ${context.account.key}` };
    const read = async () =>
      expect(await fetch(`${disconnectable.baseUrl}/shipments`, { headers })).toMatchObject({ ok: true });
    // A proxy sends no requests to an instance until it has reconnected, then to one after the other.
    await (inject('cluster') ? vi.waitFor(() => read().then(read), waitTimeout) : read());
    await network.set({ kind: 'cut' });
    return context.send(request, disconnectable);
  },
};

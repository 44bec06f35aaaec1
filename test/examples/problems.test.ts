import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { freePort } from '@waybill/tools/free-port';
import { sql } from 'kysely';
import { afterEach, expect, vi } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type OperationId, operationOf } from '../fixtures/contract.ts';
import { problemOf, type Sent } from '../fixtures/http.ts';
import { uniquePng } from '../fixtures/images.ts';
import { declarationOf, tokenOf } from '../fixtures/requests.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { type TestAccount, test } from '../fixtures/test.ts';
import { holdAccount } from '../idempotency/locks.ts';
import { requestExamples, responseExamples, sendExample, withoutRandomParts } from './requests.ts';
import { createShipmentIn, type ShipmentPath, sendable, setClock, timestampOf } from './shipment-history.ts';

type Body = Record<string, unknown>;
type Who = Service & TestAccount;
type Sender = Pick<Who, 'baseUrl' | 'key'>;

type Examples = typeof contract.components.examples;
/** The name of an example of a problem. */
type ProblemName = { [N in keyof Examples]: Examples[N]['value'] extends { code: string } ? N : never }[keyof Examples];
/** Sends a request that returns a problem, and names its operation. */
type ProblemRequest = (who: Who) => Promise<[OperationId, Response]>;

const request = async (who: Sender, id: OperationId, sent: Sent = {}): Promise<[OperationId, Response]> => [
  id,
  await sendExample(who, operationOf(id), sent),
];

const validRequest = operationOf('createShipment').body as Body & { origin: Body; pickup_window: Body };
const create = (who: Sender, sent?: Sent) => request(who, 'createShipment', sent);
const otherKey = () => ({ 'idempotency-key': crypto.randomUUID() });

/** Declares a file and sends its bytes, or others. */
async function upload(who: Who, bytes: Uint8Array<ArrayBuffer>, declared = bytes): Promise<Response> {
  const path = await createShipmentIn(who, 'in_transit');
  const { data } = await who.client.createProofUpload({ path, body: declarationOf(declared) });
  return put(data.upload_url, bytes);
}

const declare = (who: Who, path: ShipmentPath) =>
  request(who, 'createProofUpload', { path: { ...path }, headers: otherKey() });

const put = (url: string, body: Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body });

/**
 * For every problem example of the contract a request that returns this problem. The requests are the contract's own
 * examples, with the one error that the problem reports.
 */
const problemRequests: Record<ProblemName, ProblemRequest> = {
  cursor_mismatch: async (who) => {
    const { example } = operationOf('listShipments').parameters.find(({ name }) => name === 'cursor') ?? {};
    return request(who, 'listShipments', { query: `cursor=${example}&status=in_transit` });
  },
  file_conflict: async (who) => {
    const { url } = await upload(who, uniquePng('a'));
    return ['putProofFile', await put(url, uniquePng('b'))];
  },
  file_mismatch: async (who) => ['putProofFile', await upload(who, uniquePng('a'), uniquePng('b'))],
  idempotency_in_progress: async (who) => {
    await using impatient = await startService({ IDEMPOTENCY_WAIT_MS: '200' });
    await using hold = await holdAccount(who.db, who);
    const to = { ...who, baseUrl: impatient.baseUrl };
    const first = create(to);
    await hold.waiting(1);
    const second = await create(to);
    await hold.release();
    await first;
    return second;
  },
  idempotency_key_reused: async (who) => {
    await create(who);
    return create(who, { body: { ...validRequest, notes: 'Another one.' } });
  },
  insufficient_scope: async (who) => create({ ...who, key: await who.keyWith(['shipments:read']) }),
  internal_error: async (who) => {
    await create(who);
    // Shorter than the contract allows: the response check fails.
    await sql`update shipments set cancellation_reason = '' where account_id = ${who.id}`.execute(who.db);
    return request(who, 'listShipments');
  },
  invalid_query: (who) => request(who, 'listShipments', { query: 'limit=101' }),
  invalid_request: (who) => {
    const { city, ...origin } = validRequest.origin;
    const { start } = validRequest.pickup_window;
    return create(who, { body: { ...validRequest, origin, pickup_window: { start, end: start } } });
  },
  invalid_transition: async (who) => {
    const path = await createShipmentIn(who, 'scheduled');
    setClock(timestampOf('in_transit'));
    const body = requestExamples(operationOf('recordTrackingEvent')).EventInTransit;
    return request(who, 'recordTrackingEvent', { path, body });
  },
  link_expired: async (who) => {
    const path = await createShipmentIn(who, 'delivered');
    const { data } = await who.client.getProofOfDelivery({ path });
    setClock(Date.now() + 24 * 60 * 60 * 1000);
    return request(who, 'getProofFile', { path: { file_token: tokenOf(data.signature_url) } });
  },
  malformed_request: (who) =>
    create(who, { file: { type: 'application/json', bytes: Uint8Array.from(Buffer.from('{"type":')) } }),
  not_delivered: async (who) => request(who, 'getProofOfDelivery', { path: await createShipmentIn(who, 'in_transit') }),
  not_found: (who) => request(who, 'getShipment'),
  payload_too_large: (who) => create(who, { body: { ...validRequest, notes: 'x'.repeat(1024 * 1024) } }),
  positions_not_accepted: async (who) => {
    const path = await createShipmentIn(who, 'scheduled');
    setClock(timestampOf('delivered'));
    return request(who, 'recordPositions', { path });
  },
  rate_limited: async (who) => {
    await using strict = await startService({ RATE_LIMIT: '1' });
    await create({ ...who, baseUrl: strict.baseUrl });
    return await create({ ...who, baseUrl: strict.baseUrl });
  },
  uploads_not_accepted: async (who) => declare(who, await createShipmentIn(who, 'cancelled')),
  upload_limit_reached: async (who) => {
    const path = await createShipmentIn(who, 'scheduled');
    for (let count = 0; count < 20; count++) await declare(who, path);
    return declare(who, path);
  },
  storage_quota_exceeded: async (who) => {
    await sql`insert into stored_bytes (account_id, bytes) values (${who.id}, ${10 * 1024 ** 3})`.execute(who.db);
    return declare(who, await createShipmentIn(who, 'scheduled'));
  },
  reference_taken: async (who) => {
    await createShipmentIn(who, 'scheduled');
    return create(who, { headers: otherKey() });
  },
  unauthenticated: (who) => create({ ...who, key: '' }),
  unavailable: async (who) => {
    await using lost = await startService({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none` });
    return await create({ ...who, baseUrl: lost.baseUrl });
  },
  unknown_parameter: (who) => request(who, 'getShipment', { query: 'expand=events' }),
  unknown_upload: async (who) => {
    const path = await createShipmentIn(who, 'in_transit');
    setClock(timestampOf('delivered'));
    const proof = operationOf('submitProofOfDelivery').body as Body;
    const { signature } = (await sendable(who, path, proof)) as Body;
    return request(who, 'submitProofOfDelivery', { path, body: { ...proof, signature } });
  },
  unsupported_media_type: (who) => create(who, { headers: { 'content-type': 'text/plain' } }),
};

afterEach(() => void vi.useRealTimers());

test.for(Object.entries(problemRequests))(
  'the example %s equals the problem that the service returns',
  async ([name, requestProblem], { service, account }) => {
    setClock(timestampOf('scheduled'));
    const [id, response] = await requestProblem({ ...service, ...account });
    const problem = await problemOf(response.clone());
    // The example's limit would take thousands of requests.
    problem.detail = problem.detail.replace('The limit of 1 requests', 'The limit of 6000 requests');
    const { value } = contract.components.examples[name as ProblemName];
    expect(withoutRandomParts(problem, service)).toEqual(withoutRandomParts(value, service));

    const { status, headers } = response;
    expect(violations(operationOf(id), { status, headers, body: problem })).toEqual([]);
    expect(responseExamples(operationOf(id), String(status)), `${id} documents the example`).toHaveProperty(name);
  },
);

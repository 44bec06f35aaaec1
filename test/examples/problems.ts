import { freePort } from '@waybill/tools/free-port';
import { sql } from 'kysely';
import { type OperationId, operationOf } from '../fixtures/contract.ts';
import { uniquePng } from '../fixtures/images.ts';
import { declarationOf, tokenOf } from '../fixtures/requests.ts';
import { type Service, startService } from '../fixtures/service.ts';
import type { TestAccount } from '../fixtures/test.ts';
import { holdAccount } from '../idempotency/held.ts';
import { ask, type Parameters, requestExamples } from './requests.ts';
import { momentOf, sendable, setClock, type Told, tell } from './story.ts';

type Body = Record<string, unknown>;
export type Who = Service & TestAccount;
/** Makes a problem, and tells which operation had it. */
export type Maker = (who: Who) => Promise<[OperationId, Response]>;

const asked = async (
  who: Pick<Who, 'baseUrl' | 'key'>,
  id: OperationId,
  parameters: Parameters = {},
  body?: unknown,
): Promise<[OperationId, Response]> => [id, await ask(who, operationOf(id), parameters, body)];

const booking = operationOf('createShipment').body as Body & { origin: Body; pickup_window: Body };
const create = (who: Pick<Who, 'baseUrl' | 'key'>, body: unknown = booking, headers = {}) =>
  asked(who, 'createShipment', { headers }, body);
const otherKey = () => ({ 'idempotency-key': crypto.randomUUID() });

/** Declares a file of the story's shipment and sends its bytes, or others. */
async function upload(who: Who, bytes: Uint8Array<ArrayBuffer>, declared = bytes): Promise<Response> {
  const path = await tell(who, 'in_transit');
  const { data } = await who.client.createProofUpload({ path, body: declarationOf(declared) });
  return put(data.upload_url, bytes);
}

const declare = (who: Who, path: Told) =>
  asked(who, 'createProofUpload', { path: { ...path }, headers: otherKey() }, operationOf('createProofUpload').body);

const put = (url: string, body: Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body });

/**
 * For every problem example of the contract a request that has just this problem. Like the requests of the story they
 * are the contract's own examples, with the one fault that the problem speaks of.
 */
export const makers: Record<string, Maker> = {
  cursor_mismatch: async (who) => {
    const { example } = operationOf('listShipments').parameters.find(({ name }) => name === 'cursor') ?? {};
    return asked(who, 'listShipments', { query: { cursor: example, status: 'in_transit' } });
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
    return create(who, { ...booking, notes: 'Another one.' });
  },
  insufficient_scope: async (who) => create({ ...who, key: await who.keyWith(['shipments:read']) }),
  internal_error: async (who) => {
    await create(who);
    // Shorter than the contract has it: the service finds that it would break its promise.
    await sql`update shipments set cancellation_reason = '' where account_id = ${who.id}`.execute(who.db);
    return asked(who, 'listShipments');
  },
  invalid_query: (who) => asked(who, 'listShipments', { query: { limit: 101 } }),
  invalid_request: (who) => {
    const { city, ...origin } = booking.origin;
    const { start } = booking.pickup_window;
    return create(who, { ...booking, origin, pickup_window: { start, end: start } });
  },
  invalid_transition: async (who) => {
    const path = await tell(who, 'scheduled');
    setClock(momentOf('in_transit'));
    return asked(
      who,
      'recordTrackingEvent',
      { path },
      requestExamples(operationOf('recordTrackingEvent')).EventInTransit,
    );
  },
  link_expired: async (who) => {
    const path = await tell(who, 'delivered');
    const { data } = await who.client.getProofOfDelivery({ path });
    setClock(Date.now() + 24 * 60 * 60 * 1000);
    return asked(who, 'getProofFile', { path: { file_token: tokenOf(data.signature_url) } });
  },
  malformed_request: (who) => create(who, '{"type": "freight",'),
  not_delivered: async (who) => asked(who, 'getProofOfDelivery', { path: await tell(who, 'in_transit') }),
  not_found: (who) => asked(who, 'getShipment'),
  payload_too_large: (who) => create(who, { ...booking, notes: 'x'.repeat(1024 * 1024) }),
  positions_not_accepted: async (who) => {
    const path = await tell(who, 'scheduled');
    setClock(momentOf('delivered'));
    return asked(who, 'recordPositions', { path }, operationOf('recordPositions').body);
  },
  rate_limited: async (who) => {
    await using strict = await startService({ RATE_LIMIT: '1' });
    await create({ ...who, baseUrl: strict.baseUrl });
    return await create({ ...who, baseUrl: strict.baseUrl });
  },
  uploads_not_accepted: async (who) => declare(who, await tell(who, 'cancelled')),
  upload_limit_reached: async (who) => {
    const path = await tell(who, 'scheduled');
    for (let count = 0; count < 20; count++) await declare(who, path);
    return declare(who, path);
  },
  storage_quota_exceeded: async (who) => {
    await sql`insert into stored_bytes (account_id, bytes) values (${who.id}, ${10 * 1024 ** 3})`.execute(who.db);
    return declare(who, await tell(who, 'scheduled'));
  },
  reference_taken: async (who) => {
    await tell(who, 'scheduled');
    return create(who, booking, otherKey());
  },
  unauthenticated: (who) => create(who, booking, { authorization: '' }),
  unavailable: async (who) => {
    await using lost = await startService({ DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none` });
    return await create({ ...who, baseUrl: lost.baseUrl });
  },
  unknown_parameter: (who) => asked(who, 'getShipment', { query: { expand: 'events' } }),
  unknown_upload: async (who) => {
    const path = await tell(who, 'in_transit');
    setClock(momentOf('delivered'));
    const proof = operationOf('submitProofOfDelivery').body as Body;
    const { signature } = (await sendable(who, path, proof)) as Body;
    return asked(who, 'submitProofOfDelivery', { path }, { ...proof, signature });
  },
  unsupported_media_type: (who) => create(who, booking, { 'content-type': 'text/plain' }),
};

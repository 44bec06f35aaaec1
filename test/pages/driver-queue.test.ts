import { ConnectionError, UnexpectedResponseError, WaybillError } from '@waybill/client';
import {
  type Action,
  codesIn,
  failureOf,
  hasReached,
  hasRoom,
  isHandoverCode,
  isPossible,
  limits,
  linkOf,
  needsCode,
  nextStep,
  pauseAfter,
  type QueueItem,
  renewed,
  resent,
  statusAfter,
} from '@waybill/pages/driver/queue';
import { expect, test } from 'vitest';

const context = { operation: 'recordTrackingEvent', idempotencyKey: 'one', attempts: 1, requestId: null } as const;

function problem(status: number, code: string, given: { detail?: string; operation?: string; wait?: string } = {}) {
  const { detail = '', operation = context.operation, wait } = given;
  const body = { type: '', title: '', status, detail, code, instance: '/v1/', request_id: 'one' };
  const headers = new Headers(wait ? { 'Retry-After': wait } : {});
  return new WaybillError(body as never, { status, headers }, { ...context, operation: operation as never });
}

const event = (status: string): Action => ({ kind: 'event', status: status as 'dispatched' });
const proof: Action = { kind: 'proof', signed_by: 'R. Alvarez', location: { lat: 1, lng: 2 } };
const itemOf = (action: Action, files: Blob[] = []): QueueItem => ({
  id: 1,
  shipmentId: 'ship_1',
  action,
  at: '2026-03-02T17:00:00.000Z',
  key: 'one',
  renewals: 0,
  files: files.map((file) => ({ kind: 'photo', file, key: 'two', uploadId: 'upl_1' })),
});

test('the steps of a driver lead from scheduled to delivered, and a cancellation is none of them', () => {
  const steps = ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered', 'cancelled', 'unknown'];
  const next = ['dispatched', 'picked_up', 'in_transit', 'delivered', undefined, undefined, undefined];
  expect(steps.map((status) => nextStep(status)?.to)).toEqual(next);
  expect(hasReached('in_transit', 'dispatched')).toBe(true);
  expect(hasReached('dispatched', 'dispatched')).toBe(true);
  expect(hasReached('dispatched', 'in_transit')).toBe(false);
  expect(hasReached('cancelled', 'dispatched')).toBe(false);
});

test('an action is possible once: what waits counts as done', () => {
  const status = statusAfter('dispatched', [
    itemOf(event('picked_up')),
    itemOf({ kind: 'exception', code: 'damaged' }),
  ]);
  expect(status).toBe('picked_up');
  expect(isPossible(status, event('picked_up'))).toBe(false);
  expect(isPossible(status, event('in_transit'))).toBe(true);
  expect(isPossible(status, proof)).toBe(false);
  expect(isPossible('in_transit', proof)).toBe(true);
  expect(isPossible(statusAfter('in_transit', [itemOf(proof)]), proof)).toBe(false);
});

test('exceptions are those that the contract permits in the status', () => {
  expect(codesIn('scheduled')).toEqual([]);
  expect(codesIn('delivered')).toEqual(['damaged', 'short']);
  expect(codesIn('in_transit')).toHaveLength(13);
  expect(isPossible('delivered', { kind: 'exception', code: 'nobody_there' })).toBe(false);
});

test('the queue is limited by its items and by the bytes of all files', () => {
  const small = itemOf(event('picked_up'));
  const large = itemOf(proof, [new Blob([new Uint8Array(limits.bytes / 2)])]);
  expect(hasRoom(Array(limits.items - 1).fill(small), small)).toBe(true);
  expect(hasRoom(Array(limits.items).fill(small), small)).toBe(false);
  expect(hasRoom([large], large)).toBe(true);
  expect(hasRoom([large, itemOf(proof, [new Blob(['1'])])], large)).toBe(false);
});

test.for([
  [new ConnectionError('', context), { kind: 'retry', after: null, isOffline: true }],
  // A portal of a guest network returns its own page.
  [
    new UnexpectedResponseError({ status: 200, headers: new Headers() }, '<html>', context),
    { kind: 'retry', after: null, isOffline: false },
  ],
  [problem(429, 'rate_limited', { wait: '7' }), { kind: 'retry', after: 7000, isOffline: false }],
  [problem(503, 'unavailable'), { kind: 'retry', after: null, isOffline: false }],
  [problem(409, 'idempotency_in_progress', { wait: '1' }), { kind: 'retry', after: 1000, isOffline: false }],
  [problem(401, 'unauthenticated', { detail: 'The access token has expired.' }), { kind: 'closed', reason: 'expired' }],
  [problem(401, 'unauthenticated', { detail: 'unknown or revoked' }), { kind: 'closed', reason: 'unknown' }],
  [problem(410, 'link_expired', { operation: 'putProofFile' }), { kind: 'renew' }],
  [problem(400, 'unknown_upload'), { kind: 'renew' }],
  [problem(409, 'invalid_transition'), { kind: 'refused', code: 'invalid_transition' }],
  [problem(400, 'invalid_request'), { kind: 'refused', code: 'invalid_request' }],
  [problem(404, 'not_found'), { kind: 'refused', code: 'not_found' }],
] as const)('%s means %o', ([error, failure]) => {
  expect(failureOf(error)).toEqual(failure);
});

test('pauses double to a minute, and come after Retry-After', () => {
  expect([1, 2, 3, 20].map((attempts) => pauseAfter(attempts, null, 1))).toEqual([1000, 2000, 4000, 60_000]);
  expect(pauseAfter(1, 5000, 0.5)).toBe(5500);
});

test('uploads that have ended are made anew three times, with new keys', () => {
  let item: QueueItem | undefined = itemOf(proof, [new Blob(['1'])]);
  for (let count = 0; count < 3; count++) {
    const next: QueueItem | undefined = renewed(item as QueueItem);
    expect(next?.files).toEqual([{ kind: 'photo', file: expect.any(Blob), key: expect.any(String) }]);
    expect([next?.key, next?.files[0]?.key]).not.toEqual([item?.key, item?.files[0]?.key]);
    item = next;
  }
  expect(renewed(item as QueueItem)).toBeUndefined();
});

test('what is sent again after a refusal has a new key, and the present time only if its time was refused', () => {
  const now = new Date('2026-03-02T18:00:00Z');
  const item = itemOf(event('picked_up'));
  const again = resent({ ...item, refusal: 'invalid_request' }, now);
  expect(again).toEqual({ ...item, at: now.toISOString(), key: expect.any(String) });
  expect(again.key).not.toBe(item.key);
  expect(resent({ ...item, refusal: 'invalid_transition' }, now).at).toBe(item.at);
});

test('a proof that is refused for its handover code is sent again with another one', () => {
  const now = new Date('2026-03-02T18:00:00Z');
  const item = itemOf({ ...proof, handover_code: '1111' } as Action);
  for (const refusal of ['handover_code_required', 'handover_code_wrong', 'handover_code_locked']) {
    expect(needsCode({ ...item, refusal })).toBe(true);
    const again = resent({ ...item, refusal }, now, '2222');
    expect(again).toEqual({ ...item, action: { ...proof, handover_code: '2222' }, key: expect.any(String) });
    expect(again.key).not.toBe(item.key);
  }
  expect(needsCode(item)).toBe(false);
  expect(needsCode({ ...item, refusal: 'invalid_transition' })).toBe(false);
  expect(resent({ ...item, refusal: 'invalid_transition' }, now).action).toEqual(item.action);
});

test.for([
  ['123', false],
  ['1234', true],
  ['12345678', true],
  ['123456789', false],
  ['12a4', false],
  ['', false],
] as const)('%s is a handover code: %s', ([text, isCode]) => {
  expect(isHandoverCode(text)).toBe(isCode);
});

test('a link has a token and a shipment', () => {
  expect(linkOf('#wba_01kj_x-Y/ship_01kj')).toEqual({ token: 'wba_01kj_x-Y', shipmentId: 'ship_01kj' });
  for (const fragment of ['', '#wba_01kj', '#wbk_01kj_x/ship_01kj', '#wba_x/ship_y/z'])
    expect(linkOf(fragment), fragment).toBeUndefined();
});

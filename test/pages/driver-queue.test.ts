import { ConnectionError, UnexpectedResponseError, WaybillError } from '@waybill/client';
import { createClock, offsetAfter } from '@waybill/pages/driver/clock';
import {
  type Action,
  codesIn,
  failureOf,
  hasReached,
  hasRoom,
  holdLeft,
  isHandoverCode,
  isPossible,
  limits,
  linkOf,
  namedPositions,
  needsCode,
  nextStep,
  pauseAfter,
  type QueueItem,
  renewed,
  resent,
  statusAfter,
  timed,
  truePosition,
} from '@waybill/pages/driver/queue';
import { expect, test } from 'vitest';

const context = { operation: 'recordTrackingEvent', idempotencyKey: 'one', attempts: 1, requestId: null } as const;

interface Given {
  detail?: string;
  operation?: string;
  wait?: string;
  pointer?: string;
}

function problem(status: number, code: string, given: Given = {}) {
  const { detail = '', operation = context.operation, wait, pointer } = given;
  const errors = pointer === undefined ? {} : { errors: [{ in: 'body', pointer, code: 'x', detail: 'x' }] };
  const body = { type: '', title: '', status, detail, code, instance: '/v1/', request_id: 'one', ...errors };
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
  [problem(400, 'invalid_request', { pointer: '/timestamp' }), { kind: 'refused', code: 'invalid_request' }],
  [problem(400, 'invalid_request', { pointer: '/signed_by' }), { kind: 'refused', code: 'invalid_entry' }],
  [
    problem(429, 'upload_limit_reached', { wait: '60' }),
    { kind: 'retry', after: 60_000, isOffline: false, limit: 'upload_limit_reached' },
  ],
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

const noon = Date.parse('2026-03-02T12:00:00Z');
const minute = 60_000;

test.for([
  ['a phone that is right', 0, 0, 0, '2026-03-02T12:00:00.000Z'],
  ['a position of before', -30 * minute, 0, 0, '2026-03-02T11:30:00.000Z'],
  ['a phone 12 minutes ahead, which measures with its own clock', 0, 0, -12 * minute, '2026-03-02T11:48:00.000Z'],
  [
    'a phone 12 minutes ahead, which measures with satellites',
    -12 * minute,
    0,
    -12 * minute,
    '2026-03-02T11:48:00.000Z',
  ],
  ['satellites two hours ago, on a phone 3 hours behind', 60 * minute, 0, 180 * minute, '2026-03-02T13:00:00.000Z'],
  ['a week counter that has overflowed', -1024 * 7 * 24 * 60 * minute, 0, 0, undefined],
  ['a position an hour ahead', 60 * minute, 0, 0, undefined],
  ['a position a minute ahead', minute, 0, 0, '2026-03-02T12:01:00.000Z'],
  ['a position more than a minute ahead', minute + 1, 0, 0, undefined],
  ['no time', Number.NaN, 0, 0, undefined],
] as const)('the time of a position of %s', ([, measured, heard, offset, expected]) => {
  const fix = { lat: 45, lng: 0, at: noon + measured, heard: noon + heard };
  expect(truePosition(fix, offset)?.updated_at).toBe(expected);
});

test('a position off the earth or where the equator meets the prime meridian is none, and one on either of them is', () => {
  const fix = { at: noon, heard: noon };
  expect(truePosition({ ...fix, lat: 0, lng: 0 }, 0)).toBeUndefined();
  for (const place of [
    { lat: 90.1, lng: 0 },
    { lat: 9, lng: -180.1 },
    { lat: Number.NaN, lng: 9 },
  ])
    expect(truePosition({ ...fix, ...place }, 0)).toBeUndefined();
  expect(truePosition({ ...fix, lat: 0, lng: 9 }, 0)).toMatchObject({ lat: 0, lng: 9 });
  expect(truePosition({ ...fix, lat: 9, lng: 0 }, 0)).toMatchObject({ lat: 9, lng: 0 });
});

test('the errors of a problem name positions', () => {
  const errors = ['/positions/3/updated_at', 'positions/12', '/positions/3/lat', '/eta', '/positions'];
  expect(namedPositions(errors.map((pointer) => ({ pointer })))).toEqual([3, 12]);
});

test.for([
  ['is right', undefined, 0, 1_000, 0],
  ['is right, with a slow network', undefined, -40_000, 50_000, 0],
  ['is 12 minutes ahead', undefined, -720_000, 0, -719_500],
  ['is still 12 minutes ahead', -719_500, -728_000, 0, -719_500],
  ['was set', -719_500, 0, 0, 500],
] as const)('the difference of the clock of a phone that %s', ([, known, ahead, duration, expected]) => {
  expect(offsetAfter(known, { date: noon + ahead, arrived: noon, duration })).toBe(expected);
});

test('an item gets its time once: that of the service, and not before the last step', () => {
  const item = { ...itemOf(event('picked_up')), isPhoneTime: true };
  const first = timed(item, minute, '2026-03-02T16:00:00.000Z');
  expect(first).toMatchObject({ at: '2026-03-02T17:01:00.000Z', isTimed: true });
  expect(timed(first, 2 * minute, '2026-03-02T18:00:00.000Z')).toBe(first);
  expect(timed(item, 0, '2026-03-02T17:30:00.000Z').at).toBe('2026-03-02T17:30:00.000Z');
  expect(timed(itemOf({ kind: 'exception', code: 'damaged' }), 0, '2026-03-02T17:30:00.000Z').at).toBe(item.at);
});

test('the clock of the service is that of its responses, not of the portal of a guest network', () => {
  const clock = createClock();
  const responseHeaders = new Headers({ Date: 'Mon, 02 Mar 2026 12:00:00 GMT' });
  clock.observe({ responseHeaders, duration: 100, requestId: null });
  expect(clock.offset()).toBeUndefined();
  clock.observe({ responseHeaders, duration: 100, requestId: 'one' });
  expect(Math.abs(clock.now().getTime() - Date.parse('2026-03-02T12:00:00Z'))).toBeLessThan(60_000);
});

test('an item is held for 5 seconds at most, whatever the clock does', () => {
  expect([4_000, 5_000, 3_600_000, -1].map((left) => holdLeft(noon + left, noon))).toEqual([4_000, 5_000, 5_000, 0]);
});

test('a link has a token and a shipment', () => {
  expect(linkOf('#wba_01kj_x-Y/ship_01kj')).toEqual({ token: 'wba_01kj_x-Y', shipmentId: 'ship_01kj' });
  for (const fragment of ['', '#wba_01kj', '#wbk_01kj_x/ship_01kj', '#wba_x/ship_y/z'])
    expect(linkOf(fragment), fragment).toBeUndefined();
});

import { ConnectionError, UnexpectedResponseError, WaybillError } from '@waybill/client';
import { createClock, offsetAfter } from '@waybill/pages/driver/clock';
import type { Action, QueueItem } from '@waybill/pages/driver/queue';
import * as queue from '@waybill/pages/driver/queue';
import { expect, test } from 'vitest';

const context = { operation: 'recordTrackingEvent', idempotencyKey: 'one', attempts: 1, requestId: null } as const;

type Operation = 'recordTrackingEvent' | 'putProofFile';
type Given = { detail?: string; operation?: Operation; wait?: string; pointer?: string };

function problem(status: number, code: string, { detail = '', wait, pointer, ...given }: Given = {}) {
  const errors = pointer === undefined ? {} : { errors: [{ in: 'body', pointer, code: 'x', detail: 'x' }] };
  const body = { type: '', title: '', status, detail, code, instance: '/v1/', request_id: 'one', ...errors };
  const headers = new Headers(wait ? { 'Retry-After': wait } : {});
  return new WaybillError(body as never, { status, headers }, { ...context, ...given });
}

const event = (status: string): Action => ({ kind: 'event', status: status as 'dispatched' });
const damage: Action = { kind: 'exception', code: 'damaged' };
const proof = { kind: 'proof', signed_by: 'R. Alvarez', location: { lat: 1, lng: 2 } } as const;
const itemOf = (action: Action, files: Blob[] = []): QueueItem => ({
  id: 1,
  shipmentId: 'ship_1',
  action,
  at: '2026-03-02T17:00:00.000Z',
  key: 'one',
  renewals: 0,
  files: files.map((file) => ({ kind: 'photo', file, key: 'two', uploadId: 'upl_1' })),
});

test('the steps of a driver lead from scheduled to delivered, and each is possible once', () => {
  const steps = ['scheduled', 'dispatched', 'picked_up', 'in_transit', 'delivered', 'cancelled', 'unknown'];
  const next = ['dispatched', 'picked_up', 'in_transit', 'delivered', undefined, undefined, undefined];
  expect(steps.map((status) => queue.nextStep(status))).toEqual(next);
  expect(queue.hasReached('in_transit', 'dispatched')).toBe(true);
  expect(queue.hasReached('dispatched', 'dispatched')).toBe(true);
  expect(queue.hasReached('dispatched', 'in_transit')).toBe(false);
  expect(queue.hasReached('cancelled', 'picked_up')).toBe(false);
  // What waits counts as done.
  const status = queue.statusAfter('dispatched', [itemOf(event('picked_up')), itemOf(damage)]);
  expect(status).toBe('picked_up');
  expect(queue.isPossible(status, event('picked_up'))).toBe(false);
  expect(queue.isPossible(status, event('in_transit'))).toBe(true);
  expect(queue.isPossible(status, proof)).toBe(false);
  expect(queue.isPossible('in_transit', proof)).toBe(true);
  expect(queue.isPossible(queue.statusAfter('in_transit', [itemOf(proof)]), proof)).toBe(false);
  // A step that is undone is possible again.
  const undoing = { kind: 'void', status: 'picked_up', eventId: 'tev_1', back: 'dispatched' } as const;
  expect(queue.isPossible('picked_up', undoing)).toBe(true);
  expect(queue.isPossible('in_transit', undoing)).toBe(false);
  expect(queue.isPossible(queue.statusAfter('picked_up', [itemOf(undoing)]), event('picked_up'))).toBe(true);
  // Exceptions are those that the contract permits.
  expect([queue.codesIn('scheduled'), queue.codesIn('delivered')]).toEqual([[], ['damaged', 'short', 'over']]);
  expect(queue.codesIn('in_transit')).toHaveLength(14);
  expect(queue.isPossible('delivered', { kind: 'exception', code: 'nobody_there' })).toBe(false);
});

test('the queue is limited by its items and by the bytes of all files', () => {
  const small = itemOf(event('picked_up'));
  const large = itemOf(proof, [new Blob([new Uint8Array(queue.limits.bytes / 2)])]);
  expect(queue.hasRoom(Array(queue.limits.items - 1).fill(small), small)).toBe(true);
  expect(queue.hasRoom(Array(queue.limits.items).fill(small), small)).toBe(false);
  expect(queue.hasRoom([large], large)).toBe(true);
  expect(queue.hasRoom([large, itemOf(proof, [new Blob(['1'])])], large)).toBe(false);
});

const ofPortal = new UnexpectedResponseError({ status: 200, headers: new Headers() }, '<html>', context);
const retry = { kind: 'retry', after: null, isOffline: false };
const refused = (code: string) => ({ kind: 'refused', code });

test.for<[Error, object]>([
  [new ConnectionError('', context), { ...retry, isOffline: true }],
  [ofPortal, retry], // a guest network returns its own page
  [problem(429, 'rate_limited', { wait: '7' }), { ...retry, after: 7000 }],
  [problem(503, 'unavailable'), retry],
  [problem(409, 'idempotency_in_progress', { wait: '1' }), { ...retry, after: 1000 }],
  [problem(401, 'unauthenticated', { detail: 'The access token has expired.' }), { kind: 'closed', reason: 'expired' }],
  [problem(401, 'unauthenticated', { detail: 'unknown or revoked' }), { kind: 'closed', reason: 'unknown' }],
  [problem(410, 'link_expired', { operation: 'putProofFile' }), { kind: 'renew' }],
  [problem(400, 'unknown_upload'), { kind: 'renew' }],
  [problem(409, 'invalid_transition'), refused('invalid_transition')],
  [problem(400, 'invalid_request'), refused('invalid_request')],
  [problem(400, 'invalid_request', { pointer: '/timestamp' }), refused('invalid_request')],
  [problem(400, 'invalid_request', { pointer: '/signed_by' }), refused('invalid_entry')],
  [problem(429, 'upload_limit_reached', { wait: '60' }), { ...retry, after: 60_000, limit: 'upload_limit_reached' }],
  [problem(429, 'storage_quota_exceeded'), { ...retry, limit: 'storage_quota_exceeded' }],
  [problem(404, 'not_found'), refused('not_found')],
])('the queue takes %s as %o', ([error, failure]) => {
  expect(queue.failureOf(error)).toEqual(failure);
});

test('pauses double to a minute, and come after Retry-After', () => {
  expect([1, 2, 3, 20].map((attempts) => queue.pauseAfter(attempts, null, 1))).toEqual([1000, 2000, 4000, 60_000]);
  expect(queue.pauseAfter(1, 5000, 0.5)).toBe(5500);
});

test('uploads that have ended are made anew three times, with new keys', () => {
  let item = itemOf(proof, [new Blob(['1'])]);
  for (let count = 0; count < 3; count++) {
    const next: QueueItem = queue.renewed(item) ?? expect.unreachable();
    expect(next.files).toEqual([{ kind: 'photo', file: expect.any(Blob), key: expect.any(String) }]);
    expect([next.key, next.files[0]?.key]).not.toEqual([item.key, item.files[0]?.key]);
    item = next;
  }
  expect(queue.renewed(item)).toBeUndefined();
});

const handover = { ...proof, handover_code: '1111' };
const changedHandover = { action: { ...proof, handover_code: '2222' } };
const now = new Date('2026-03-02T18:00:00Z');

test.for<[refusal: string, Action, code: string | undefined, change: Partial<QueueItem>]>([
  ['invalid_request', event('picked_up'), undefined, { at: now.toISOString() }],
  ['invalid_transition', event('picked_up'), undefined, {}],
  ['handover_code_required', handover, '2222', changedHandover],
  ['handover_code_wrong', handover, '2222', changedHandover],
  ['handover_code_locked', handover, '2222', changedHandover],
])('after %s, %o is sent again with a new key and what the driver changes', ([refusal, action, code, change]) => {
  const item = itemOf(action);
  const again = queue.resent({ ...item, refusal }, now, code);
  expect(again).toEqual({ ...item, ...change, key: expect.any(String) });
  expect(again.key).not.toBe(item.key);
  expect(queue.needsCode({ ...item, refusal })).toBe(code !== undefined);
  expect(queue.needsCode(item)).toBe(false);
});

const noon = Date.parse('2026-03-02T12:00:00Z');
const minute = 60_000;

test.for([
  ['a phone that is right', 0, 0, 0, '12:00'],
  ['a position of before', -30 * minute, 0, 0, '11:30'],
  ['a phone 12 minutes ahead, which measures with its own clock', 0, 0, -12 * minute, '11:48'],
  ['a phone 12 minutes ahead, which measures with satellites', -12 * minute, 0, -12 * minute, '11:48'],
  ['satellites two hours ago, on a phone 3 hours behind', 60 * minute, 0, 180 * minute, '13:00'],
  ['a week counter that has overflowed', -1024 * 7 * 24 * 60 * minute, 0, 0, undefined],
  ['a position an hour ahead', 60 * minute, 0, 0, undefined],
  ['a position more than a minute ahead', minute + 1, 0, 0, undefined],
] as const)('the time of %s is true or none', ([, measured, heard, offset, time]) => {
  const fix = { lat: 45, lng: 0, at: noon + measured, heard: noon + heard };
  expect(queue.truePosition(fix, offset)?.updated_at).toBe(time && `2026-03-02T${time}:00.000Z`);
});

test.for([
  [0, 0, false],
  [90.1, 0, false],
  [Number.NaN, 9, false],
] as const)('a position at %d, %d is one: %s', ([lat, lng, isPlace]) => {
  expect(queue.truePosition({ at: noon, heard: noon, lat, lng }, 0) !== undefined).toBe(isPlace);
});

test.for([
  ['is right', undefined, 0, 1_000, 0],
  ['is right, with a slow network', undefined, -40_000, 50_000, 0],
  ['is 12 minutes ahead', undefined, -720_000, 0, -719_500],
  ['was set', -719_500, 0, 0, 500],
] as const)('the difference of the clock of a phone that %s', ([, known, ahead, duration, expected]) => {
  expect(offsetAfter(known, { date: noon + ahead, arrived: noon, duration })).toBe(expected);
});

test('an item gets its time once: that of the service, and not before the last step', () => {
  const item = { ...itemOf(event('picked_up')), isPhoneTime: true };
  const first = queue.timed(item, minute, '2026-03-02T16:00:00.000Z');
  expect(first).toMatchObject({ at: '2026-03-02T17:01:00.000Z', isTimed: true });
  expect(queue.timed(first, 2 * minute, '2026-03-02T18:00:00.000Z')).toBe(first);
  expect(queue.timed(item, 0, '2026-03-02T17:30:00.000Z').at).toBe('2026-03-02T17:30:00.000Z');
  expect(queue.timed(itemOf(damage), 0, '2026-03-02T17:30:00.000Z').at).toBe(item.at);
  const since = '2026-03-02T17:02:00.000Z';
  const end = itemOf({ kind: 'resolve', code: 'damaged', exceptionId: 'exc_1', since });
  expect(queue.timed(end, 0, undefined).at).toBe(since);
  // It is held for 5 seconds at most, whatever the clock does.
  expect([4_000, 5_000, 3_600_000, -1].map((left) => queue.holdLeft(noon + left, noon))).toEqual([
    4_000, 5_000, 5_000, 0,
  ]);
});

const there = { lat: 45, lng: -122 };

test.for([
  ['known then', event('picked_up'), {}, there],
  ['known then, on a phone an hour ahead that did not know it', damage, { isPhoneTime: true, offset: -60 }, there],
  ['measured by satellites, on that phone', damage, { isPhoneTime: true, offset: -60, measured: -60 }, there],
  ['of two minutes before', proof, { measured: -2 }, there],
  ['of more than two minutes before', proof, { measured: -2.01 }, undefined],
  ['of hours before', damage, { isPhoneTime: true, measured: -180 }, undefined],
  ['of a minute after, because the page has asked again', damage, { measured: 1, heard: 1 }, there],
  ['of a time in the future', event('picked_up'), { measured: 30 }, undefined],
  ['known then, of a step that is dated later', event('picked_up'), { last: 3 }, undefined],
] as const)('a place %s is sent with %o only if it is of its time', ([, action, given, expected]) => {
  const { isPhoneTime, offset = 0, measured = 0, heard = 0, last = -1 } = given as Record<string, number | undefined>;
  const { location: _, ...unplaced } = { location: there, ...action };
  const at = Date.parse('2026-03-02T17:00:00.000Z');
  const item = { ...itemOf(unplaced), ...(isPhoneTime ? { isPhoneTime: true } : {}) };
  const fix = { ...there, at: at + measured * minute, heard: at + heard * minute };
  const located = queue.withFix(item, fix, offset * minute);
  const sent = queue.timed(located, offset * minute, new Date(at + last * minute).toISOString());
  expect(sent.action).toEqual({ ...unplaced, ...(expected && { location: expected }) });
  expect(sent).not.toHaveProperty('fix');
  // Sent again after its time was refused, it is not there any more; changed by the driver, it still is.
  expect(queue.resent({ ...sent, refusal: 'invalid_request' }, now).action).toEqual(unplaced);
  const draft = queue.draftOf({ ...sent, refusal: 'invalid_entry' })?.draft;
  if (draft) expect(draft.happened).toEqual({ at: sent.at, ...(expected && { location: expected }) });
});

test('the clock of the service is that of its responses, not of the portal of a guest network', () => {
  const clock = createClock();
  const responseHeaders = new Headers({ Date: 'Mon, 02 Mar 2026 12:00:00 GMT' });
  clock.observe({ responseHeaders, duration: 100, requestId: null });
  expect(clock.offset()).toBeUndefined();
  clock.observe({ responseHeaders, duration: 100, requestId: 'one' });
  expect(Math.abs(clock.now().getTime() - noon)).toBeLessThan(60_000);
});

test('a link has a token and a shipment', () => {
  for (const end of ['', '.', ')', '%3E', '>,', '%E2%80%9D', '/', '%'])
    expect(queue.linkOf(`#wba_01kj_x-Y/ship_01kj${end}`)).toEqual({ token: 'wba_01kj_x-Y', shipmentId: 'ship_01kj' });
  for (const fragment of ['', '#wba_01kj', '#wbk_01kj_x/ship_01kj', '#wba_x/ship_y/z'])
    expect(queue.linkOf(fragment), fragment).toBeUndefined();
});

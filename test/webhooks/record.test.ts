import { uuidFromPublicId } from '@waybill/http/identifiers';
import { selectDue } from '@waybill/server/webhooks/due-deliveries';
import { type EndedAttempt, failingSince, recordAttempts } from '@waybill/server/webhooks/record';
import { expect } from 'vitest';
import { disabledEndpoint } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';
import { firstAttempt } from './endpoints.ts';

const before = new Date(0);
const now = new Date();
const ended = (succeeded: boolean[]) =>
  succeeded.map((each) => ({ status: each ? 'delivered' : 'pending', attempted_at: now }) as EndedAttempt);

test.for<[Date | null, boolean[], 'before' | 'now' | null]>([
  [null, [true], null],
  [null, [false], 'now'],
  [before, [false, false], 'before'],
  [before, [false, true], null],
  [before, [true, false], 'now'],
])('after %s, results %j', ([since, succeeded, expected]) => {
  expect(failingSince(since, ended(succeeded))).toBe({ before, now, null: null }[String(expected)]);
});

test('an event that has expired without an attempt changes nothing', () => {
  const expired = { status: 'failed', attempted_at: null } as EndedAttempt;
  expect(failingSince(null, [expired])).toBe(null);
  expect(failingSince(before, [expired])).toBe(before);
});

test('a late result is ignored when another instance has recorded a later attempt', async ({
  service: { db },
  account,
}) => {
  const path = await disabledEndpoint(account);
  const queued = await account.client.sendTestWebhook(path);
  const endpoint = [account.id, uuidFromPublicId('whe', path.webhook_endpoint_id)] as const;
  const id = uuidFromPublicId('whd', queued.id);
  const succeed = (attempts: number) => recordAttempts(db, ...endpoint, [{ ...firstAttempt(id, id), attempts }]);
  const fail = (attempts: number) =>
    recordAttempts(db, ...endpoint, [
      { ...firstAttempt(id, id), attempts, status: 'pending', next_attempt_at: now, response_status: 500 },
    ]);
  const stored = async () => {
    const { data } = await account.client.listWebhookDeliveries(path);
    return data.map(({ status, attempts }) => [status, attempts]);
  };
  await fail(1);
  await succeed(1);
  expect(await stored()).toEqual([['pending', 1]]);
  await succeed(2);
  await fail(2);
  expect(await stored()).toEqual([['delivered', 2]]);
});

test('no delivery of a disabled endpoint is selected', async ({ service: { db }, account }) => {
  const path = await disabledEndpoint(account);
  await account.client.sendTestWebhook(path);
  const selected = () => selectDue(db, account.id, uuidFromPublicId('whe', path.webhook_endpoint_id), [], 10);
  expect(await selected()).toEqual([]);
  await db.updateTable('webhook_endpoints').set({ status: 'enabled' }).where('account_id', '=', account.id).execute();
  expect(await selected()).toHaveLength(1);
});

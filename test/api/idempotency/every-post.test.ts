import { sql } from 'kysely';
import { expect } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { contractOperations } from '../../fixtures/contract.ts';
import { expectOneResponse, expectReplay, post } from '../../fixtures/post.ts';
import { stateOf } from '../../fixtures/state.ts';
import { allScopes, newAccount, test } from '../../fixtures/test.ts';
import { ready } from './requests.ts';

/** Everything that is stored for an account, except its keys and the log of them. */
async function effects(...of: Parameters<typeof stateOf>) {
  const { api_keys: _keys, audit_log: _log, ...others } = await stateOf(...of);
  return others;
}
const countOf = (found: Awaited<ReturnType<typeof effects>>): number => Object.values(found).flat().length;

/** API keys, access tokens, webhook secrets and signed URLs. */
const secretForm = /\b(wb[ak]_\w{26}_|whsec_|https?:\/\/[^"]*\/(files|uploads)\/)/;

const posts = contractOperations.filter(({ method }) => method === 'POST');

// contract/coverage sends every operation another request with a used key, and an invalid request before the valid one.
test.for(posts)('$id has one effect however often a key is repeated', async ({ id }, { service, account }) => {
  const request = await ready(id, account);
  const before = await effects(service, account);
  const responses = await concurrently(6, () => post(service, account, request));
  expectOneResponse(responses);
  const first = responses.find(({ replayed }) => !replayed) ?? expect.unreachable();
  expect(first.status).toBeLessThan(300);
  expect(first.headers.has('idempotent-replayed')).toBe(false);
  const after = await effects(service, account);
  expect(after).not.toEqual(before);
  const hint = `Name the body of ${id} in packages/server/src/operations/serialize.ts.`;
  const { rows } = await sql`select body from idempotency_keys where account_id = ${account.id}`.execute(service.db);
  expect(JSON.stringify(rows), hint).not.toMatch(secretForm);

  expectReplay(await post(service, { key: await account.keyWith(allScopes) }, request), first);
  expect(await effects(service, account)).toEqual(after);

  // A single request of another account, with an equal key, leaves as much behind.
  const other = await newAccount(service);
  const single = await ready(id, other);
  expect(countOf(await effects(service, other))).toBe(countOf(before));
  expect(await post(service, other, single)).toMatchObject({ status: first.status, replayed: false });
  expect(countOf(await effects(service, other))).toBe(countOf(after));
});

test.for(posts)(
  '$id executes another request with its key after 24 hours, and not before',
  async ({ id }, { service, account }) => {
    const start = new Date();
    const age = (time: string) =>
      sql`update idempotency_keys set created_at = ${start}::timestamptz - ${time}::interval
      where account_id = ${account.id}`.execute(service.db);
    const first = await post(service, account, await ready(id, account));
    const other = await ready(id, account);
    await age('23 h 50 min');
    const early = await post(service, account, other);
    // It is the same request if neither its path nor its body names a resource.
    expect(early.replayed || early.status === 422).toBe(true);
    await age('24 h');
    const late = await post(service, account, other);
    expect(late).toMatchObject({ status: first.status, replayed: false });
    expectReplay(await post(service, account, other), late);
  },
);

import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { describe, expect } from 'vitest';
import { newAccount, test } from '../fixtures/test.ts';
import { countOf, effects } from './effects.ts';
import { comparable, post } from './post.ts';
import { otherBody, posts, ready } from './requests.ts';

describe.each(posts)('%s', (id) => {
  test(`${id} has one effect, and a repeat returns the same response with Idempotent-Replayed`, async ({
    service,
    account,
  }) => {
    const request = { ...(await ready(id, account)), key: 'k' };
    const before = await effects(service.db, account);
    const first = await post(service, account, request);
    expect(first.status).toBeLessThan(300);
    expect(first.headers.has('idempotent-replayed')).toBe(false);
    const after = await effects(service.db, account);
    expect(after).not.toEqual(before);

    const repeat = await post(service, account, request);
    expect(repeat.replayed).toBe(true);
    expect(comparable(repeat)).toEqual(comparable(first));
    expect(await effects(service.db, account)).toEqual(after);
  });

  test(`${id} sent 20 times concurrently with one key has one effect and returns 20 equal responses`, async ({
    service,
    account,
  }) => {
    const request = await ready(id, account);
    const before = await effects(service.db, account);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post(service, account, { ...request, key: 'k' })),
    );
    expect(new Set(responses.map((response) => JSON.stringify(comparable(response)))).size).toBe(1);
    expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const after = await effects(service.db, account);
    expect(after).not.toEqual(before);

    // A single request elsewhere leaves as much behind.
    const other = await newAccount(service);
    const single = await ready(id, other);
    expect(countOf(await effects(service.db, other))).toBe(countOf(before));
    await post(service, other, { ...single, key: 'k' });
    expect(countOf(await effects(service.db, other))).toBe(countOf(after));
  });

  test(`${id} returns 422 for a key that was used with another body, path or operation`, async ({
    service,
    account,
  }) => {
    const request = await ready(id, account);
    const elsewhere = await ready(id, account);
    const first = await post(service, account, { ...request, key: 'k' });
    const after = await effects(service.db, account);
    const reversed = posts[(posts.indexOf(id) + 1) % posts.length] ?? id;
    const others = [
      { path: request.path, body: otherBody(request.body) },
      ...(elsewhere.path === request.path ? [] : [{ path: elsewhere.path, body: request.body }]),
    ];
    for (const other of others) {
      const refused = await post(service, account, { ...other, key: 'k' });
      expect(refused).toMatchObject({ status: 422, replayed: false, body: { code: 'idempotency_key_reused' } });
    }
    expect(await effects(service.db, account)).toEqual(after);
    const otherOperation = { ...(await ready(reversed, account)), key: 'k' };
    const prepared = await effects(service.db, account);
    expect(await post(service, account, otherOperation)).toMatchObject({ status: 422 });
    expect(await effects(service.db, account)).toEqual(prepared);
    expect(comparable(await post(service, account, { ...request, key: 'k' }))).toEqual(comparable(first));
  });

  test(`${id} is executed again for another account's equal key`, async ({ service, account }) => {
    const other = await newAccount(service);
    const [mine, theirs] = [await ready(id, account), await ready(id, other)];
    const first = await post(service, account, { ...mine, key: 'k' });
    const second = await post(service, other, { ...theirs, key: 'k' });
    expect([first, second].map(({ status, replayed }) => [status, replayed])).toEqual([
      [first.status, false],
      [first.status, false],
    ]);
    expect(countOf(await effects(service.db, other))).toBe(countOf(await effects(service.db, account)));
  });

  test(`${id} stores no response to a request that was refused before its handler`, async ({ service, account }) => {
    const request = { ...(await ready(id, account)), key: 'k' };
    const reader = { key: await account.keyWith(['shipments:read', 'tracking:read']) };
    const text = JSON.stringify(request.body);
    const refusals = [
      await post(service, account, { ...request, body: { ...request.body, surprise: 1 } }),
      await post(service, account, { ...request, body: '{' }),
      await post(service, { key: 'invalid' }, request),
      await post(service, reader, request),
      await post(service, account, { ...request, body: text + ' '.repeat(contract['x-max-body']) }),
      await post(service, account, { ...request, headers: { 'content-type': 'text/plain' } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 401, 403, 413, 415]);
    for (const { headers } of refusals) expect(headers.has('idempotent-replayed')).toBe(false);
    const done = await post(service, account, request);
    expect([done.status < 300, done.replayed]).toEqual([true, false]);
  });

  test(`${id} without a key is executed every time and never replayed`, async ({ service, account }) => {
    const request = await ready(id, account);
    for (const response of [await post(service, account, request), await post(service, account, request)]) {
      expect(response.headers.has('idempotent-replayed')).toBe(false);
    }
  });
});

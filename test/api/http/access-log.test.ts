import { createClient } from '@waybill/client';
import { expect, vi } from 'vitest';
import { holdFeed } from '../../fixtures/database/locks.ts';
import { png } from '../../fixtures/images.ts';
import { get } from '../../fixtures/requests/send.ts';
import { newUploadUrl, put, tokenOf } from '../../fixtures/requests/valid-requests.ts';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

test('every response is logged with its client and key, without secrets and signed URLs', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info', TRUST_PROXY: '127.0.0.1' }, log);
  const account = await newAccount(service);
  const url = await newUploadUrl(account, png());
  await put(url, Uint8Array.of(1));
  const token = tokenOf(url);
  await fetch(`${service.baseUrl}/files/${token}?surprise=1`);
  const key = await account.keyWith(['tracking:read']);
  const forwarded = { 'x-forwarded-for': '2001:db8::1:2' };
  await get(service, { key }, '/shipments', forwarded);
  await get(service, { key: `${key}x` }, '/shipments', forwarded);
  const [, keyId, secret] = account.key.split('_');
  const expected = [
    ['POST', 201, '127.0.0.1', account.id, keyId],
    ['POST', 201, '127.0.0.1', account.id, keyId],
    ['PUT', 400, '127.0.0.1', undefined, undefined],
    ['GET', 400, '127.0.0.1', undefined, undefined],
    ['GET', 403, '2001:db8::1:2', account.id, key.split('_')[1]],
    ['GET', 401, '2001:db8::1:2', undefined, undefined],
  ];
  const logged = () =>
    log.filter(({ method }) => method).map((line) => [line.method, line.status, line.ip, line.accountId, line.keyId]);
  await vi.waitFor(() => expect(logged()).toEqual(expected), waitTimeout);
  const route = { route: '/v1/shipments', operation: 'createShipment' };
  expect(log.find(({ method }) => method)).toMatchObject({
    ...route,
    reqId: expect.any(String),
    ms: expect.any(Number),
  });
  for (const hidden of [token, secret, key.split('_')[2]]) expect(JSON.stringify(log)).not.toContain(hidden);
});

test('a statement that takes SLOW_STATEMENT_MS is logged with its text and without its parameters', async () => {
  const [log, logOfOther]: [Record<string, unknown>[], Record<string, unknown>[]] = [[], []];
  await using service = await startService({ LOG_LEVEL: 'warn', SLOW_STATEMENT_MS: '1' }, log);
  await using other = await startService({ LOG_LEVEL: 'warn', SLOW_STATEMENT_MS: '600000' }, logOfOther);
  const account = await newAccount(service);
  const [first, second] = [await newShipment(account), await newShipment(account)];
  const record = ({ baseUrl }: Service, { tracking_number }: typeof first) =>
    createClient({ baseUrl, apiKey: account.key }).recordTrackingEvent({
      tracking_number,
      status: 'dispatched',
      timestamp: new Date(),
      description: 'A secret errand',
    });
  await using lock = await holdFeed(service.db, account);
  const recorded = [record(service, first), record(other, second)];
  await lock.waiting(2); // longer than a millisecond
  await lock.release();
  await Promise.all(recorded);
  const statement = expect.stringMatching(/^select pg_advisory_xact_lock/);
  expect(log).toContainEqual(expect.objectContaining({ msg: 'slow statement', ms: expect.any(Number), statement }));
  expect(logOfOther).toEqual([]);
  for (const secret of [account.id, 'errand', account.key, first.tracking_number])
    expect(JSON.stringify(log)).not.toContain(secret);
});

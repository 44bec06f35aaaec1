import { createClient } from '@waybill/client';
import { expect, vi } from 'vitest';
import { holdFeed } from '../../fixtures/locks.ts';
import { declarationOf, tokenOf } from '../../fixtures/requests.ts';
import { type Service, startService } from '../../fixtures/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';

test('the service logs every response without keys and signed URLs', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info' }, log);
  const account = await newAccount(service);
  const { client, key } = account;
  const { tracking_number } = await newShipment({ client });
  const body = declarationOf(Uint8Array.of(1));
  const data = await client.createProofUpload({ tracking_number, ...body });
  const token = tokenOf(data.upload_url);
  await fetch(data.upload_url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: 'x' });
  await fetch(`${service.baseUrl}/files/${token}?surprise=1`);
  const responses = [
    ['POST', 201],
    ['POST', 201],
    ['PUT', 400],
    ['GET', 400],
  ];
  const logged = () => log.filter(({ method }) => method).map(({ method, status }) => [method, status]);
  await vi.waitFor(() => expect(logged()).toEqual(responses), waitTimeout);
  expect(log.find(({ status }) => status === 201)).toMatchObject({
    reqId: expect.any(String),
    accountId: account.id,
    keyId: key.split('_')[1],
    ip: '127.0.0.1',
    method: 'POST',
    route: '/v1/shipments',
    operation: 'createShipment',
    ms: expect.any(Number),
  });
  expect(JSON.stringify(log)).not.toContain(token);
  expect(JSON.stringify(log)).not.toContain(key.split('_')[2]);
});

test('the log names the client that a trusted proxy reports, and the key of a request without the scope', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info', TRUST_PROXY: '127.0.0.1' }, log);
  const { id, keyWith } = await newAccount(service);
  const key = await keyWith(['tracking:read']);
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '2001:db8::1:2' };
  await fetch(`${service.baseUrl}/shipments`, { headers });
  await fetch(`${service.baseUrl}/shipments`, { headers: { authorization: `${headers.authorization}x` } });
  const logged = () =>
    log.filter(({ method }) => method).map(({ ip, accountId, keyId, status }) => [ip, accountId, keyId, status]);
  const expected = [
    ['2001:db8::1:2', id, key.split('_')[1], 403],
    ['127.0.0.1', undefined, undefined, 401],
  ];
  await vi.waitFor(() => expect(logged()).toEqual(expected), waitTimeout);
});

test('a statement that takes SLOW_STATEMENT_MS is logged with its text and without its parameters', async () => {
  const [log, logOfOther]: Record<string, unknown>[][] = [[], []];
  await using service = await startService({ LOG_LEVEL: 'warn', SLOW_STATEMENT_MS: '1' }, log);
  await using other = await startService({ LOG_LEVEL: 'warn', SLOW_STATEMENT_MS: '600000' }, logOfOther);
  const account = await newAccount(service);
  const shipments = [await newShipment(account), await newShipment(account)];
  const body = { status: 'dispatched' as const, timestamp: new Date().toISOString(), description: 'A secret errand' };
  const record = ({ baseUrl }: Service, tracking_number = '') =>
    createClient({ baseUrl, apiKey: account.key }).recordTrackingEvent({ tracking_number, ...body });
  await using lock = await holdFeed(service.db, account);
  const recorded = [service, other].map((each, index) => record(each, shipments[index]?.tracking_number));
  await lock.waiting(2); // longer than a millisecond
  await lock.release();
  await Promise.all(recorded);
  const slow = log?.filter(({ msg }) => msg === 'slow statement') ?? [];
  expect(slow).toContainEqual(
    expect.objectContaining({
      ms: expect.any(Number),
      statement: expect.stringMatching(/^select pg_advisory_xact_lock/),
    }),
  );
  expect(logOfOther).toEqual([]);
  for (const secret of [
    account.id,
    'errand',
    account.key,
    ...shipments.map(({ tracking_number }) => tracking_number),
  ]) {
    expect(JSON.stringify(log)).not.toContain(secret);
  }
});

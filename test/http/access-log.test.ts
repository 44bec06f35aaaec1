import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { holdShipment } from '../fixtures/locks.ts';
import { declarationOf, tokenOf } from '../fixtures/requests.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('the service logs every response without keys and signed URLs', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'info' }, log);
  const account = await newAccount(service);
  const { client, key } = account;
  const { tracking_number } = await newShipment({ client });
  const body = declarationOf(Uint8Array.of(1));
  const { data } = await client.createProofUpload({ path: { tracking_number }, body });
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

test('a slow statement is logged with its text and without its parameters', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await startService({ LOG_LEVEL: 'warn', SLOW_STATEMENT_MS: '100' }, log);
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const slow = () => log.filter(({ msg }) => msg === 'slow statement');
  const statements = slow().length;
  await using lock = await holdShipment(service.db, tracking_number);
  const body = { status: 'dispatched' as const, timestamp: new Date().toISOString(), description: 'A secret errand' };
  const recorded = account.client.recordTrackingEvent({ path: { tracking_number }, body });
  await lock.waiting(1);
  await sql`select pg_sleep(0.2)`.execute(service.db); // the statement takes longer than SLOW_STATEMENT_MS
  await lock.release();
  await recorded;
  expect(slow().length).toBeGreaterThan(statements);
  const locked = slow().find(({ statement }) =>
    /shipments .*for (no key )?update|update .*shipments/i.test(String(statement)),
  );
  expect(Number(locked?.ms)).toBeGreaterThanOrEqual(100);
  for (const secret of [tracking_number, account.id, 'errand', account.key]) {
    expect(JSON.stringify(log)).not.toContain(secret);
  }
});

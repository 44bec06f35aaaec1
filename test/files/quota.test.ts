import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { png } from '../fixtures/images.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { type Posted, post } from '../fixtures/post.ts';
import { declarationOf } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';

const mebibyte = 1024 * 1024;

const declare = (
  service: Service,
  account: TestAccount,
  trackingNumber: string,
  { size = 1000, key = crypto.randomUUID() } = {},
) => {
  const body = { ...declarationOf(png()), size };
  return post(service, account, { path: `/tracking/${trackingNumber}/pod/uploads`, body, key });
};

const count = (responses: Posted[], status: number): number =>
  responses.filter((response) => response.status === status).length;

test('createProofUpload accepts 20 of 30 concurrent declarations until those expire', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const responses = await concurrently(30, () => declare(service, account, tracking_number));
  expect([count(responses, 201), count(responses, 429)]).toEqual([20, 10]);
  const other = await newShipment(account);
  expect((await declare(service, account, other.tracking_number)).status).toBe(201);

  const key = crypto.randomUUID();
  const refused = await declare(service, account, tracking_number, { key });
  expect(refused).toMatchObject({ status: 429, body: { code: 'upload_limit_reached' } });

  // The oldest expires; a refusal is not stored under its key.
  const oldest = sql`select id from proof_uploads where account_id = ${account.id} order by created_at limit 1`;
  await sql`update proof_uploads set created_at = now() - interval '24 hours'
    where account_id = ${account.id} and id = (${oldest})`.execute(service.db);
  expect((await declare(service, account, tracking_number, { key })).status).toBe(201);
  expect((await declare(service, account, tracking_number)).status).toBe(429);
});

test('createProofUpload refuses bytes over STORAGE_BYTES_PER_ACCOUNT until clean-up has removed others', async () => {
  await using service = await startOwnService({ STORAGE_BYTES_PER_ACCOUNT: String(25 * mebibyte) });
  const [account, another] = [await newAccount(service), await newAccount(service)];
  const shipments = await concurrently(8, () => newShipment(account));
  const numbers = shipments.map(({ tracking_number }) => tracking_number);
  const declared = (size: number, number = numbers[0] ?? '') => declare(service, account, number, { size });
  const responses = await Promise.all(numbers.map((number) => declared(10 * mebibyte, number)));
  expect([count(responses, 201), count(responses, 429)]).toEqual([2, 6]);
  expect(await declared(5 * mebibyte + 1)).toMatchObject({ status: 429, body: { code: 'storage_quota_exceeded' } });
  expect((await declared(5 * mebibyte)).status).toBe(201);
  const refused = await declared(1);
  expect(refused).toMatchObject({ status: 429, body: { code: 'storage_quota_exceeded' } });
  expect(refused.headers.get('retry-after')).toBe('3600');
  const { tracking_number } = await newShipment(another);
  expect((await declare(service, another, tracking_number, { size: 10 * mebibyte })).status).toBe(201);

  await sql`update proof_uploads set created_at = now() - interval '26 hours'`.execute(service.db);
  expect((await cleanUp(service.db, service.storage, 7)).uploads).toBe(4);
  expect((await declared(10 * mebibyte)).status).toBe(201);
  expect((await declared(10 * mebibyte)).status).toBe(201);
  expect((await declared(5 * mebibyte + 1)).status).toBe(429);
});

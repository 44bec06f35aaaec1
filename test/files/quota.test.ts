import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { newAccess } from '../access/accesses.ts';
import { concurrently } from '../fixtures/concurrently.ts';
import { png } from '../fixtures/images.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { type Posted, post } from '../fixtures/post.ts';
import { declarationOf } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
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

test('uploads without bytes count for the link that created them, and end with it or after an hour', async ({
  service,
  account,
}) => {
  const shipment = await shipmentIn(account, 'picked_up');
  const { tracking_number } = shipment;
  const link = () => newAccess(account, shipment, { kind: 'drive' });
  const [first, second] = [await link(), await link()];
  const { size } = declarationOf(png());
  const declareAs = (key: string) => declare(service, { ...account, key }, tracking_number, { size });
  const uploads = await concurrently(21, () => declareAs(first.token));
  expect([count(uploads, 201), count(uploads, 429)]).toEqual([20, 1]);
  const [refused] = uploads.filter(({ status }) => status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3500);
  expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
  // Another link and the keys of the shipper have uploads of their own.
  for (const key of [second.token, account.key]) expect((await declareAs(key)).status).toBe(201);

  const put = ({ body }: Posted) =>
    fetch((body as { upload_url: string }).upload_url, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: png(),
    });
  const [received, ...unfinished] = uploads.filter(({ status }) => status === 201) as [Posted, ...Posted[]];
  expect((await put(received)).status).toBe(204);
  await account.client.deleteAccess({ shipment_id: shipment.id, access_id: first.id });
  expect((await put(unfinished[0] as Posted)).status).toBe(404);
  // The shipper can use what has arrived.
  expect((await put(received)).status).toBe(204);
  await sql`update proof_uploads set created_at = now() - interval '23 hours'
    where account_id = ${account.id} and verified_at is not null`.execute(service.db);
  const photos = [(received.body as { upload_id: string }).upload_id];
  const damage = { tracking_number, code: 'damaged', occurred_at: new Date().toISOString(), photos } as const;
  expect((await account.client.raiseException(damage)).photo_count).toBe(1);

  const [late, later] = [await declareAs(second.token), await declareAs(account.key)];
  await sql`update proof_uploads set created_at = now() - interval '59 minutes' where account_id = ${account.id}`.execute(
    service.db,
  );
  expect((await put(late)).status).toBe(204);
  await sql`update proof_uploads set created_at = now() - interval '61 minutes' where account_id = ${account.id}`.execute(
    service.db,
  );
  expect((await put(later)).status).toBe(404);
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@waybill/server/database/migrate';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { openStorage } from '@waybill/server/storage/folder';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { ownDatabase } from '../fixtures/own-database.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment, type Status, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { type Posted, post } from '../idempotency/post.ts';

const mebibyte = 1024 * 1024;
const day = 24 * 60 * 60;

const declare = (
  service: { baseUrl: string },
  account: TestAccount,
  trackingNumber: string,
  { size = 1000, key = crypto.randomUUID() } = {},
): Promise<Posted> =>
  post(service, account, {
    path: `/tracking/${trackingNumber}/pod/uploads`,
    body: { kind: 'photo', content_type: 'image/png', size, sha256: '0'.repeat(64) },
    key,
  });

const count = (responses: Posted[], status: number): number =>
  responses.filter((response) => response.status === status).length;

test('createProofUpload accepts 20 of 64 concurrent declarations and refuses the others until those expire', async ({
  service,
  account,
}) => {
  const { tracking_number } = await newShipment(account);
  const responses = await Promise.all(Array.from({ length: 64 }, () => declare(service, account, tracking_number)));
  expect([count(responses, 201), count(responses, 429)]).toEqual([20, 44]);
  const other = await newShipment(account);
  expect((await declare(service, account, other.tracking_number)).status).toBe(201);

  const key = crypto.randomUUID();
  const refused = await declare(service, account, tracking_number, { key });
  expect(refused).toMatchObject({ status: 429, body: { code: 'upload_limit_reached' } });
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(day - 600);
  expect(wait).toBeLessThanOrEqual(day);

  // The oldest expires; a refusal is not stored under its key.
  const oldest = sql`select id from proof_uploads where account_id = ${account.id} order by created_at limit 1`;
  await sql`update proof_uploads set created_at = now() - interval '24 hours'
    where account_id = ${account.id} and id = (${oldest})`.execute(service.db);
  expect((await declare(service, account, tracking_number, { key })).status).toBe(201);
  expect((await declare(service, account, tracking_number)).status).toBe(429);
});

test('createProofUpload refuses bytes over STORAGE_BYTES_PER_ACCOUNT until clean-up has removed others', async () => {
  await using database = await ownDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-quota-'));
  {
    await using service = await startService({
      DATABASE_URL: database.url,
      STORAGE_BYTES_PER_ACCOUNT: String(25 * mebibyte),
      STORAGE_URL: `file:${folder}`,
    });
    await migrate(service.db);
    const [account, another] = [await newAccount(service), await newAccount(service)];
    const shipments = await Promise.all(Array.from({ length: 16 }, () => newShipment(account)));
    const declared = (size: number) => declare(service, account, shipments[0]?.tracking_number ?? '', { size });
    const responses = await Promise.all(
      shipments.map(({ tracking_number }) => declare(service, account, tracking_number, { size: 10 * mebibyte })),
    );
    expect([count(responses, 201), count(responses, 429)]).toEqual([2, 14]);
    expect(await declared(5 * mebibyte + 1)).toMatchObject({ status: 429, body: { code: 'storage_quota_exceeded' } });
    expect((await declared(5 * mebibyte)).status).toBe(201);
    const refused = await declared(1);
    expect(refused).toMatchObject({ status: 429, body: { code: 'storage_quota_exceeded' } });
    expect(refused.headers.get('retry-after')).toBe('3600');
    const { tracking_number } = await newShipment(another);
    expect((await declare(service, another, tracking_number, { size: 10 * mebibyte })).status).toBe(201);

    await sql`update proof_uploads set created_at = now() - interval '26 hours'`.execute(service.db);
    expect((await cleanUp(service.db, openStorage(`file:${folder}`), 90)).uploads).toBe(4);
    expect((await declared(10 * mebibyte)).status).toBe(201);
    expect((await declared(10 * mebibyte)).status).toBe(201);
    expect((await declared(5 * mebibyte + 1)).status).toBe(429);
  }
  await rm(folder, { recursive: true });
});

test.for<[Status, number]>([
  ['scheduled', 201],
  ['dispatched', 201],
  ['picked_up', 201],
  ['in_transit', 201],
  ['delivered', 409],
  ['cancelled', 409],
])('createProofUpload for a shipment that is %s returns %i', async ([current_status, status], { service, account }) => {
  const { tracking_number } = await shipmentIn(account, current_status);
  const response = await declare(service, account, tracking_number);
  expect(response.status).toBe(status);
  if (status === 409) expect(response.body).toMatchObject({ code: 'uploads_not_accepted', current_status });
});

import { createClient } from '@waybill/client';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { png } from '../../fixtures/images.ts';
import { startOwnService } from '../../fixtures/own-database.ts';
import { type Posted, post } from '../../fixtures/post.ts';
import { declarationOf, declare as declareFile, put } from '../../fixtures/requests.ts';
import type { Service } from '../../fixtures/service.ts';
import { inTransit, newShipment, proofFor, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { newAccess } from '../access/accesses.ts';

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

const created = ({ body }: Posted): string => (body as { upload_id: string }).upload_id;

test('deleteProofUpload frees an upload of a full link for the link and for the shipper', async ({
  service,
  account,
}) => {
  const shipment = await newShipment(account);
  const { tracking_number } = shipment;
  const link = async () => {
    const { id, token: key } = await newAccess(account, shipment, { kind: 'drive' });
    return { id, key, client: createClient({ baseUrl: service.baseUrl, accessToken: key }) };
  };
  const [driver, another] = [await link(), await link()];
  const declareAs = ({ key }: { key: string }) => declare(service, { ...account, key }, tracking_number);
  const [ofKey, ofAnother] = [await declareAs(account), await declareAs(another)];
  const own = (await concurrently(20, () => declareAs(driver))).map(created);

  const listed = (await driver.client.listProofUploads({ tracking_number })).data;
  expect(listed.map(({ upload_id }) => upload_id).sort()).toEqual([...own].sort());
  const [first] = listed;
  expect(first).toEqual({
    upload_id: expect.any(String),
    kind: 'photo',
    content_type: 'image/png',
    size: 1000,
    access_id: driver.id,
    created_at: first?.created_at,
    ends_at: new Date(Date.parse(first?.created_at ?? '') + 3_600_000).toISOString(),
  });
  const all = (await account.client.listProofUploads({ tracking_number })).data;
  expect(all.map(({ upload_id }) => upload_id).sort()).toEqual([...own, created(ofKey), created(ofAnother)].sort());
  expect(all.filter(({ access_id }) => access_id === undefined)).toMatchObject([{ upload_id: created(ofKey) }]);

  const refused = { status: 404, code: 'not_found' };
  for (const upload of [ofKey, ofAnother]) {
    const path = { tracking_number, upload_id: created(upload) };
    await expect(driver.client.deleteProofUpload(path)).rejects.toMatchObject(refused);
  }
  const [mine = '', yours = ''] = own;
  await driver.client.deleteProofUpload({ tracking_number, upload_id: mine });
  await expect(driver.client.deleteProofUpload({ tracking_number, upload_id: mine })).rejects.toMatchObject(refused);
  await account.client.deleteProofUpload({ tracking_number, upload_id: yours });
  expect([(await declareAs(driver)).status, (await declareAs(driver)).status]).toEqual([201, 201]);
  expect((await declareAs(driver)).status).toBe(429);
});

test('deleteProofUpload returns 404 for uploads of others, of other shipments and of a proof', async ({
  service,
  account,
}) => {
  const refused = { status: 404, code: 'not_found' };
  const { tracking_number } = await inTransit(account);
  const { upload_id, upload_url } = await declareFile(account, tracking_number, png());
  const path = { tracking_number, upload_id };
  const other = { ...path, tracking_number: (await newShipment(account)).tracking_number };
  await expect(account.client.deleteProofUpload(other)).rejects.toMatchObject(refused);
  const { client } = await newAccount(service);
  await expect(client.deleteProofUpload(path)).rejects.toMatchObject(refused);
  await expect(client.listProofUploads({ tracking_number })).rejects.toMatchObject(refused);

  // An upload whose bytes have arrived is removed, too, and is not part of a proof then.
  expect((await put(upload_url, png())).status).toBe(204);
  const [arrived] = (await account.client.listProofUploads({ tracking_number })).data;
  expect(arrived).toMatchObject({ upload_id, received_at: expect.any(String) });
  await account.client.deleteProofUpload(path);
  const proof = await proofFor(account, tracking_number);
  const removed = account.client.submitProofOfDelivery({ tracking_number, ...proof, photos: [upload_id] });
  await expect(removed).rejects.toMatchObject({ code: 'unknown_upload' });
  const used = { tracking_number, upload_id: proof.signature ?? '' };
  await account.client.submitProofOfDelivery({ tracking_number, ...proof });
  await expect(account.client.deleteProofUpload(used)).rejects.toMatchObject(refused);
  expect((await account.client.listProofUploads({ tracking_number })).data).toEqual([]);
});

test('createProofUpload accepts 40 uploads of a caller in an hour when those are removed', async ({
  service,
  account,
}) => {
  const { tracking_number } = await newShipment(account);
  for (let count = 0; count < 40; count++) {
    const upload_id = created(await declare(service, account, tracking_number));
    await account.client.deleteProofUpload({ tracking_number, upload_id });
  }
  const refused = await declare(service, account, tracking_number);
  expect(refused).toMatchObject({ status: 429, body: { code: 'upload_limit_reached' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  await sql`update proof_uploads set created_at = now() - interval '61 minutes' where account_id = ${account.id}`.execute(
    service.db,
  );
  expect((await declare(service, account, tracking_number)).status).toBe(201);
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
  expect((await cleanUp({ ...service, retention: { positionDays: 7 } })).uploads).toBe(4);
  expect((await declared(10 * mebibyte)).status).toBe(201);
  expect((await declared(10 * mebibyte)).status).toBe(201);
  expect((await declared(5 * mebibyte + 1)).status).toBe(429);

  // The bytes of a removed upload count until clean-up has removed them.
  const path = { tracking_number: numbers[0] ?? '' };
  const [{ upload_id = '' } = {}] = (await account.client.listProofUploads(path)).data;
  await account.client.deleteProofUpload({ ...path, upload_id });
  expect((await declared(5 * mebibyte + 1)).status).toBe(429);
  await sql`update proof_uploads set created_at = now() - interval '2 hours', ended_at = now() - interval '61 minutes',
    verified_at = now() where ended_at is not null`.execute(service.db);
  expect((await cleanUp({ ...service, retention: { positionDays: 7 } })).uploads).toBe(1);
  expect((await declared(5 * mebibyte + 1)).status).toBe(201);
});

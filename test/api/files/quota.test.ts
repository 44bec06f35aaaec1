import { createClient } from '@waybill/client';
import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { startOwnService } from '../../fixtures/database/own-database.ts';
import { png } from '../../fixtures/images.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { type Posted, post } from '../../fixtures/requests/post.ts';
import { declarationOf, declare as declareFile, put } from '../../fixtures/requests/valid-requests.ts';
import type { Service } from '../../fixtures/service/service.ts';
import { inTransit, newShipment, proofFor, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { newAccess } from '../access/accesses.ts';

const mebibyte = 1024 * 1024;
const notFound = { status: 404, code: 'not_found' };

interface Upload extends Posted {
  body: { upload_id: string; upload_url: string };
}
const declare = (service: Service, caller: { key: string }, trackingNumber: string, size?: number, key = '') => {
  const body = { ...declarationOf(png()), ...(size && { size }) };
  const request = { path: `/tracking/${trackingNumber}/pod/uploads`, body, ...(key && { key }) };
  return post(service, caller, request) as Promise<Upload>;
};
const count = (responses: Posted[], status: number): number =>
  responses.filter((response) => response.status === status).length;
/** Sets the age of the uploads of an account. @param which a condition */
const age = ({ db }: Service, { id }: TestAccount, time: string, which = sql`true`) =>
  sql`update proof_uploads set created_at = now() - ${time}::interval where account_id = ${id} and ${which}`.execute(
    db,
  );

test('20 uploads without bytes fit a link, and end with it or after an hour', async ({ service, account }) => {
  const shipment = await shipmentIn(account, 'picked_up');
  const { tracking_number } = shipment;
  const [first, second] = [await newAccess(account, shipment, { kind: 'drive' }), await newAccess(account, shipment)];
  const declareAs = (key: string) => declare(service, { key }, tracking_number);
  const send = async ({ body }: Upload) => (await put(body.upload_url, png())).status;
  const uploads = await concurrently(21, () => declareAs(first.token));
  expect([count(uploads, 201), count(uploads, 429)]).toEqual([20, 1]);
  const refused = uploads.find(({ status }) => status === 429);
  expect(Math.ceil(Number(refused?.headers.get('retry-after')) / 60)).toBe(60);
  // Another link and the keys of the shipper have uploads of their own.
  const [late, later] = [await declareAs(second.token), await declareAs(account.key)];
  const [received, unfinished] = uploads.filter(({ status }) => status === 201) as [Upload, Upload];
  expect(await send(received)).toBe(204);
  await account.client.deleteAccess({ shipment_id: shipment.id, access_id: first.id });
  expect([await send(unfinished), await send(received)]).toEqual([404, 204]);
  // The shipper can use what has arrived.
  await age(service, account, '23 hours', sql`verified_at is not null`);
  const photos = [received.body.upload_id];
  const damage = { tracking_number, code: 'damaged', occurred_at: new Date(), photos } as const;
  expect((await account.client.raiseException(damage)).photo_count).toBe(1);

  await age(service, account, '59 minutes');
  expect(await send(late)).toBe(204);
  await age(service, account, '61 minutes');
  expect(await send(later)).toBe(404);
});

test('deleteProofUpload frees an upload of a full link', async ({ service, account }) => {
  const shipment = await newShipment(account);
  const path = { tracking_number: shipment.tracking_number };
  const link = () => newAccess(account, shipment, { kind: 'drive' });
  const [driver, another] = [await link(), await link()];
  const client = createClient({ baseUrl: service.baseUrl, accessToken: driver.token });
  const declareAs = (caller: string, key?: string) =>
    declare(service, { key: caller }, path.tracking_number, 1000, key);
  const others = [await declareAs(account.key), await declareAs(another.token)].map(({ body }) => body.upload_id);
  const own = (await concurrently(20, () => declareAs(driver.token))).map(({ body }) => body.upload_id);
  const listed = (await client.listProofUploads(path)).data;
  expect(listed.map(({ upload_id }) => upload_id).sort()).toEqual([...own].sort());
  const all = (await account.client.listProofUploads(path)).data;
  expect(all.map(({ upload_id }) => upload_id).sort()).toEqual([...own, ...others].sort());
  expect(all.filter(({ access_id }) => !access_id)).toMatchObject([{ upload_id: others[0] }]);

  const [mine = '', yours = ''] = own;
  await client.deleteProofUpload({ ...path, upload_id: mine });
  for (const upload_id of [...others, mine])
    await expect(client.deleteProofUpload({ ...path, upload_id })).rejects.toMatchObject(notFound);
  await account.client.deleteProofUpload({ ...path, upload_id: yours });
  const statuses = [];
  for (const key of ['a', 'b', 'c']) statuses.push((await declareAs(driver.token, key)).status);
  expect(statuses).toEqual([201, 201, 429]);
});

// contract/coverage sends the tracking numbers of another account.
test('deleteProofUpload returns 404 for uploads of other shipments and of a proof', async ({ account }) => {
  const { client } = account;
  const { tracking_number } = await inTransit(account);
  const { upload_id, upload_url } = await declareFile(account, tracking_number, png());
  const remove = (upload_id: string, number = tracking_number) =>
    client.deleteProofUpload({ tracking_number: number, upload_id });
  await expect(remove(upload_id, (await newShipment(account)).tracking_number)).rejects.toMatchObject(notFound);
  // An upload whose bytes have arrived is removed, too, and is not part of a proof then.
  expect((await put(upload_url, png())).status).toBe(204);
  const [arrived] = (await client.listProofUploads({ tracking_number })).data;
  expect(arrived).toMatchObject({ upload_id, received_at: expect.any(String) });
  await remove(upload_id);
  const proof = { tracking_number, ...(await proofFor(account, tracking_number)) };
  const removed = client.submitProofOfDelivery({ ...proof, photos: [upload_id] });
  await expect(removed).rejects.toMatchObject({ code: 'unknown_upload' });
  await client.submitProofOfDelivery(proof);
  await expect(remove(proof.signature ?? '')).rejects.toMatchObject(notFound);
  expect((await client.listProofUploads({ tracking_number })).data).toEqual([]);
});

test('a caller can create and remove 40 uploads in an hour', async ({ service, account }) => {
  const path = { tracking_number: (await newShipment(account)).tracking_number };
  const next = () => declare(service, account, path.tracking_number);
  for (let n = 0; n < 40; n++) {
    const { upload_id } = (await next()).body;
    await account.client.deleteProofUpload({ ...path, upload_id });
  }
  const refused = await next();
  expect(refused).toMatchObject({ status: 429, body: { code: 'upload_limit_reached' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  await age(service, account, '61 minutes');
  expect((await next()).status).toBe(201);
});

test('createProofUpload refuses bytes over STORAGE_BYTES_PER_ACCOUNT until clean-up has removed others', async () => {
  await using service = await startOwnService({ STORAGE_BYTES_PER_ACCOUNT: String(25 * mebibyte) });
  const [account, another] = [await newAccount(service), await newAccount(service)];
  const numbers = (await concurrently(8, () => newShipment(account))).map(({ tracking_number }) => tracking_number);
  const [number = ''] = numbers;
  const statusOf = async (size: number) => (await declare(service, account, number, size)).status;
  const removed = async () => (await cleanUp({ ...service, retention: { positionDays: 7 } })).uploads;
  const responses = await Promise.all(numbers.map((each) => declare(service, account, each, 10 * mebibyte)));
  expect([count(responses, 201), count(responses, 429)]).toEqual([2, 6]);
  expect([await statusOf(5 * mebibyte + 1), await statusOf(5 * mebibyte)]).toEqual([429, 201]);
  const refused = await declare(service, account, number, 1);
  expect(refused).toMatchObject({ status: 429, body: { code: 'storage_quota_exceeded' } });
  expect(refused.headers.get('retry-after')).toBe('3600');
  const { tracking_number } = await newShipment(another);
  expect((await declare(service, another, tracking_number, 10 * mebibyte)).status).toBe(201);

  for (const { id } of [account, another]) await age(service, { id } as TestAccount, '26 hours');
  expect(await removed()).toBe(4);
  expect([await statusOf(10 * mebibyte), await statusOf(10 * mebibyte)]).toEqual([201, 201]);
  expect(await statusOf(5 * mebibyte + 1)).toBe(429);
});

import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { testWithOwnService } from '../fixtures/own-database.ts';
import { signatureUrl } from '../fixtures/requests.ts';
import { inTransit, newShipment, proofFor, upload } from '../fixtures/shipments.ts';

/** Clean-up is for all accounts, so this file has its own database. */
const test = testWithOwnService;

test('clean-up removes uploads without a proof, and their files, after 25 hours', async ({ service, account }) => {
  const { db, storage, files } = service;
  const { tracking_number } = await inTransit(account);
  const body = await proofFor(account, tracking_number);
  const proof = await account.client.submitProofOfDelivery({ tracking_number, ...body });
  const bound = (await files.list(account.id)).map(({ name }) => name);
  await upload(account, (await newShipment(account)).tracking_number, 'photo');
  const age = (hours: string) => sql`update proof_uploads set created_at = now() - ${hours}::interval`.execute(db);
  await age('24 h 50 min');
  expect((await cleanUp(db, storage, 7)).uploads).toBe(0);
  expect(await files.list(account.id)).toHaveLength(bound.length + 1);
  await age('25 h');
  expect((await cleanUp(db, storage, 7)).uploads).toBe(1);
  expect((await files.list(account.id)).map(({ name }) => name)).toEqual(bound);
  expect((await fetch(signatureUrl(proof))).status).toBe(200);
});

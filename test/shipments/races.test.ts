import { expect } from 'vitest';
import { inTransit, newShipment, proofFor } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const statusesOf = (results: PromiseSettledResult<{ status: number }>[]): number[] =>
  results.map((result) => (result.status === 'fulfilled' ? result.value.status : result.reason.status));

test('one of 50 concurrent requests for the same transition succeeds', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const path = { tracking_number };
  const body = { status: 'dispatched' as const, timestamp: new Date().toISOString() };
  const racers = Array.from({ length: 50 }, () => account.client.recordTrackingEvent({ path, body }));
  const statuses = statusesOf(await Promise.allSettled(racers));
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  expect((await account.client.getTracking({ path })).data.timeline).toHaveLength(2);
});

test('one of 10 concurrent proofs with different files is stored', async ({ account }) => {
  const { tracking_number } = await inTransit(account);
  const proofs = await Promise.all(Array.from({ length: 10 }, () => proofFor(account, tracking_number)));
  const results = await Promise.allSettled(
    proofs.map((body) => account.client.submitProofOfDelivery({ path: { tracking_number }, body })),
  );
  expect(statusesOf(results).filter((status) => status === 201)).toHaveLength(1);
  expect(statusesOf(results).filter((status) => status === 409)).toHaveLength(9);
});

test('submitProofOfDelivery refuses an upload that is part of another proof', async ({ account }) => {
  const shipment = await inTransit(account);
  const body = await proofFor(account, shipment.tracking_number);
  await account.client.submitProofOfDelivery({ path: { tracking_number: shipment.tracking_number }, body });
  const other = await inTransit(account);
  await expect(
    account.client.submitProofOfDelivery({ path: { tracking_number: other.tracking_number }, body }),
  ).rejects.toMatchObject({ status: 400, code: 'unknown_upload' });
});

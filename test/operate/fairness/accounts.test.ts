import { expect } from 'vitest';
import { holdFeed } from '../../fixtures/database/locks.ts';
import { concurrently } from '../../fixtures/requests/concurrently.ts';
import { post } from '../../fixtures/requests/post.ts';
import { get } from '../../fixtures/requests/send.ts';
import { newShipment, shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';

test('an account whose requests wait for the database delays no others and no pages', async ({ service, account }) => {
  const other = await newAccount(service);
  const { tracking_number } = await shipmentIn(other, 'dispatched');
  const shipment = await newShipment(account);
  const { url = '' } = await account.client.createAccess({ shipment_id: shipment.id, kind: 'track', detail: 'status' });
  await using held = await holdFeed(service.db, account);
  const create = { path: '/shipments', body: shipmentRequest() };
  const waiting = concurrently(200, async (n) => (await post(service, account, { ...create, key: String(n) })).status);
  await held.waiting(2); // the share of an account in the 5 connections of the pool
  const { id } = await newShipment(other);
  await other.client.getShipment({ shipment_id: id });
  await other.client.listShipments();
  await other.client.recordPositions({ tracking_number, positions: [{ lat: 1, lng: 2, updated_at: new Date() }] });
  const page = await fetch(service.origin + new URL(url).pathname);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(shipment.tracking_number)]);
  await held.release();
  expect(new Set(await waiting)).toEqual(new Set([201]));
});

test('waiting requests of an account occupy no slot of its other requests', async ({ service, account }) => {
  const keys = await concurrently(5, () => account.keyWith(['events:read']));
  const waiting = keys.flatMap((key) => Array.from({ length: 20 }, () => get(service, { key }, '/events?wait=30')));
  expect((await get(service, account, '/events')).status).toBe(200);
  await newShipment(account);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(100).fill(200));
});

import { createClient } from '@waybill/client';
import { expect } from 'vitest';
import { shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { json } from './run.ts';

const day = 24 * 60 * 60 * 1000;

interface Made {
  url: string;
  key_id: string;
  expires_at: string;
}

test('`waybill board` prints a link with a key that only reads, expires, and is listed and revoked', async ({
  service,
}) => {
  const { id, client } = await newAccount(service);
  const settings = { BASE_URL: service.baseUrl };
  const before = Date.now();
  const { url, key_id, expires_at } = await json<Made>(['board', id], settings);
  const [page, apiKey = ''] = url.split('#');
  expect(page).toBe(`${service.origin}/board`);
  expect(Math.round((Date.parse(expires_at) - before) / day)).toBe(30);
  const { id: shipment_id } = await client.createShipment(shipmentRequest());
  const own = createClient({ baseUrl: service.baseUrl, apiKey });
  expect((await own.listShipments({ include: 'tracking' })).data).toMatchObject([{ id: shipment_id }]);
  expect((await own.listEvents()).data).toHaveLength(1);
  const refused = { status: 403, code: 'insufficient_scope' };
  await expect(own.cancelShipment({ shipment_id, reason: 'x' })).rejects.toMatchObject(refused);
  await expect(own.listWebhookEndpoints()).rejects.toMatchObject(refused);

  const listed = await json<{ key_id: string }[]>(['keys', 'list', id]);
  expect(listed.at(-1)).toMatchObject({ key_id, name: 'board', expires_at });
  await json(['keys', 'revoke', id, key_id]);
  const { url: shorter, expires_at: end } = await json<Made>(
    ['board', id, '--days', '2', '--name', 'The wall'],
    settings,
  );
  expect(shorter).not.toBe(url);
  expect(Math.round((Date.parse(end) - before) / day)).toBe(2);
});

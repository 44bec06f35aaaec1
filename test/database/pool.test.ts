import { expect, test } from 'vitest';
import { startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';

test('four concurrent workflows complete with a pool of one connection', async () => {
  await using service = await startService({ DATABASE_POOL_SIZE: '1' });
  const accounts = await Promise.all(Array.from({ length: 4 }, () => newAccount(service)));
  await Promise.all(
    accounts.map(async (account) => {
      const { id, tracking_number } = await shipmentIn(account, 'delivered');
      const { client } = account;
      expect((await client.getShipment({ path: { shipment_id: id } })).data.status).toBe('delivered');
      const proof = (await client.getProofOfDelivery({ path: { tracking_number } })).data;
      expect((await fetch(proof.signature_url)).status).toBe(200);
    }),
  );
});

test('the workflow completes without prepared statements', async () => {
  await using service = await startService({ DATABASE_PREPARED: 'false' });
  const account = await newAccount(service);
  await shipmentIn(account, 'delivered');
  await newShipment(account);
});

import { expect, test } from 'vitest';
import { concurrently } from '../fixtures/concurrently.ts';
import { startService } from '../fixtures/service.ts';
import { shipmentIn } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';

test.for([{ DATABASE_POOL_SIZE: '1' }, { DATABASE_PREPARED: 'false' }])(
  'four concurrent workflows complete with %o',
  async (settings) => {
    await using service = await startService(settings);
    await concurrently(4, async () => {
      const { client } = await newAccount(service);
      const { id, tracking_number } = await shipmentIn({ client }, 'delivered');
      expect((await client.getShipment({ path: { shipment_id: id } })).data.status).toBe('delivered');
      const proof = (await client.getProofOfDelivery({ path: { tracking_number } })).data;
      expect((await fetch(proof.signature_url)).status).toBe(200);
    });
  },
);

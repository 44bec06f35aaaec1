import { connect } from '@waybill/server/database/connect';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
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

test('a statement that follows the end of a session uses another session', async () => {
  await using db = connect({ url: inject('databaseUrl'), poolSize: 1, prepared: false });
  for (let count = 0; count < 20; count++) {
    const end = sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
    await expect(end).rejects.toMatchObject({ code: '57P01' }); // admin_shutdown
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  }
});

import type { Client } from '@waybill/client';

/** Makes the link for the driver of a shipment, for a week. Send it to the driver only: whoever has it can deliver the shipment. */
export async function makeDriverLink(client: Client, shipment_id: string): Promise<string> {
  const { url } = await client.createAccess({
    shipment_id,
    kind: 'drive',
    name: 'Driver',
    expires_at: new Date(Date.now() + 7 * 24 * 3_600_000),
  });
  return url ?? ''; // a kind has a link
}

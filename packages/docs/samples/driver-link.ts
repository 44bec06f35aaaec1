import type { Client } from '@waybill/client';

/**
 * Makes the link for the driver of a shipment, for a week. Send it to the driver only: whoever has it can deliver the shipment.
 * @param origin where the service is, such as https://api.example.com
 */
export async function makeDriverLink(client: Client, shipment_id: string, origin: string): Promise<string> {
  const { token } = await client.createAccess({
    shipment_id,
    name: 'Driver',
    scopes: ['shipments:read', 'tracking:read', 'tracking:write'],
    detail: 'proof',
    expires_at: new Date(Date.now() + 7 * 24 * 3_600_000),
  });
  return `${origin}/d/#${token}/${shipment_id}`;
}

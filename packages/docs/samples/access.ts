import { type Client, createClient, type TrackingStatus } from '@waybill/client';

/** Gives a carrier access to one shipment for a week. Send the carrier the token: no other response contains it. */
export async function giveAccess(client: Client, shipment_id: string, carrier: string): Promise<string> {
  const access = await client.createAccess({
    shipment_id,
    name: carrier,
    scopes: ['shipments:read', 'tracking:read', 'tracking:write'],
    detail: 'proof',
    expires_at: new Date(Date.now() + 7 * 24 * 3_600_000),
  });
  return access.token;
}

/** Runs in the app of the carrier, or in a web page. */
export async function readShipment(
  baseUrl: string,
  accessToken: string,
  tracking_number: string,
): Promise<TrackingStatus> {
  const client = createClient({ baseUrl, accessToken });
  return await client.getTracking({ tracking_number });
}

/** Ends the access of a carrier. */
export async function endAccess(client: Client, shipment_id: string, carrier: string): Promise<void> {
  const { data } = await client.listAccesses({ shipment_id });
  for (const { id, name } of data) {
    if (name === carrier) await client.deleteAccess({ shipment_id, access_id: id });
  }
}

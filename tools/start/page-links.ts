import { type Client, createClient } from '@waybill/client';
import { shipmentRequest } from '../shipment-request.ts';
import { lastEvent } from './live-events.ts';

/** Hours for which the links are valid. */
const validHours = 24;

/**
 * Prints links of the pages: the driver's page of a new shipment, and the tracking page of the first one that is picked up
 * from now on.
 * @param options the base URL, and a key with all scopes
 */
export async function printPageLinks(
  options: { baseUrl: string; apiKey: string },
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const client = createClient(options);
  const { origin } = new URL(options.baseUrl);
  const after = await lastEvent(client);
  const { id } = await client.createShipment(shipmentRequest);
  print(`Driver page    ${origin}/d/#${await tokenOf(client, id, ['tracking:write'])}/${id}`);
  const types = ['tracking.status_reached' as const];
  for await (const { data } of client.streamEvents({ after, types }, { signal })) {
    const { status, tracking_number } = data.tracking ?? {};
    if (status !== 'picked_up') continue;
    const [shipment] = (await client.listShipments({ tracking_number })).data;
    if (!shipment) continue;
    print(`Tracking page  ${origin}/t/${await tokenOf(client, shipment.id, [])}`);
    return;
  }
}

/** The token of a new access to a shipment, with which a page shows everything. */
async function tokenOf(client: Client, shipment_id: string, more: 'tracking:write'[]): Promise<string> {
  const { token } = await client.createAccess({
    ...{ shipment_id, detail: 'proof', name: 'A link of the demo' },
    scopes: ['shipments:read', 'tracking:read', 'events:read', ...more],
    expires_at: new Date(Date.now() + validHours * 3_600_000),
  });
  return token;
}

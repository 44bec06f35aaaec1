import { type Client, createClient } from '@waybill/client';
import { type Environment, waybill } from '../service.ts';
import { shipmentRequest } from '../shipment-request.ts';
import { lastEvent } from './live-events.ts';

/** Prints a link of the board of an account, which is valid for a day. */
export async function printBoardLink(
  env: Environment,
  accountId: string,
  print: (line: string) => void,
): Promise<void> {
  const { url } = await waybill<{ url: string }>(env, 'board', accountId, '--days', '1');
  print(`Board          ${url}`);
}
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
  const after = await lastEvent(client);
  const { id } = await client.createShipment(shipmentRequest);
  print(`Driver page    ${await linkTo(client, id, 'drive')}`);
  const types = ['tracking.status_reached' as const];
  for await (const { data } of client.streamEvents({ after, types }, { signal })) {
    const { status, tracking_number } = data.tracking ?? {};
    if (status !== 'picked_up') continue;
    const [shipment] = (await client.listShipments({ tracking_number })).data;
    if (!shipment) continue;
    print(`Tracking page  ${await linkTo(client, shipment.id, 'track')}`);
    return;
  }
}

/** A new link of a page of a shipment. */
async function linkTo(client: Client, shipment_id: string, kind: 'track' | 'drive'): Promise<string> {
  const expires_at = new Date(Date.now() + validHours * 3_600_000);
  const { url } = await client.createAccess({ shipment_id, kind, name: 'A link of the demo', expires_at });
  if (url === undefined) throw new Error('The service has returned an access without a link');
  return url;
}

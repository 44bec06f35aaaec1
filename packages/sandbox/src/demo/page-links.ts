import { type Client, createClient } from '@waybill/client';
import { isFinal } from '@waybill/contract/statuses';
import type { Environment } from '../environment.ts';
import { waybill } from '../service.ts';
import { demoRequest } from '../shipment-request.ts';
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

/** The shipment for the driver's page. */
const reference = 'DEMO-DRIVER';

/**
 * Prints links of the pages: the driver's page of a shipment for it, and the tracking page of the first one that is picked up
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
  print(`Driver page    ${await linkTo(client, await driverShipment(client), 'drive')}`);
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

/** @returns the id of the shipment of an earlier start that has not ended, with a new pickup window; or of a new shipment */
async function driverShipment(client: Client): Promise<string> {
  for await (const { id: shipment_id, status } of client.listShipments({ reference })) {
    if (isFinal(status)) continue;
    const { pickup_window, delivery_window } = demoRequest();
    if (status === 'scheduled') await client.updateShipment({ shipment_id, pickup_window, delivery_window });
    return shipment_id;
  }
  return (await client.createShipment({ ...demoRequest(), reference })).id;
}

/** A new link of a page of a shipment. */
async function linkTo(client: Client, shipment_id: string, kind: 'track' | 'drive'): Promise<string> {
  const expires_at = new Date(Date.now() + validHours * 3_600_000);
  const { url } = await client.createAccess({ shipment_id, kind, name: 'A link of the demo', expires_at });
  if (url === undefined) throw new Error('The service has returned an access without a link');
  return url;
}

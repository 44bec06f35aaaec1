import { type Client, createClient } from '@waybill/client';
import { activeStatuses } from '@waybill/contract/statuses';
import type { Environment } from '../environment.ts';
import { referencePrefix, simulate } from '../simulate/simulate.ts';
import type { DemoFile } from './demo-file.ts';
import { printEvents } from './live-events.ts';
import { printBoardLink, printPageLinks } from './page-links.ts';

/** Simulates ten shipments at a time until the signal aborts, and prints links of their pages, and their events. */
export async function showSimulation(
  { account_id, api_key, carrier_api_key, base_url: baseUrl }: DemoFile,
  env: Environment,
  signal: AbortSignal,
): Promise<void> {
  const shipper = { baseUrl, apiKey: api_key };
  const carrier = { baseUrl, apiKey: carrier_api_key };
  await endEarlier(createClient(shipper), createClient(carrier));
  await printBoardLink(env, account_id, console.log);
  const running = [
    simulate({ shipper, carrier, shipments: 10, speed: 60, endless: true, signal }),
    printPageLinks(shipper, signal, console.log),
    printEvents(shipper, signal, console.log),
  ];
  for (const each of running) each.catch(({ message }) => signal.aborted || console.error(message));
}

/** Ends what an earlier simulation has left on the road: it would be late from now on. */
export async function endEarlier(shipper: Client, carrier: Client): Promise<void> {
  const left = shipper.listShipments({ status: activeStatuses });
  for await (const { id, reference, status, tracking_number } of left) {
    if (!reference?.startsWith(referencePrefix)) continue;
    if (status === 'scheduled' || status === 'dispatched')
      await shipper.cancelShipment({ shipment_id: id, reason: 'The simulation was stopped.' });
    else await carrier.recordTrackingEvent({ tracking_number, status: 'returned', timestamp: new Date() });
  }
}

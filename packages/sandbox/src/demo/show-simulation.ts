import type { Environment } from '../environment.ts';
import { simulate } from '../simulate/simulate.ts';
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
  await printBoardLink(env, account_id, console.log);
  const running = [
    simulate({ shipper, carrier, shipments: 10, speed: 60, endless: true, signal }),
    printPageLinks(shipper, signal, console.log),
    printEvents(shipper, signal, console.log),
  ];
  for (const each of running) each.catch(({ message }) => signal.aborted || console.error(message));
}

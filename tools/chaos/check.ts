import type { Client } from '@waybill/client';
import type { Entry } from './journal.ts';
import { checkShipment, type Findings } from './shipment-check.ts';
import { readStates, type State } from './state.ts';

/**
 * Compares shipments with the journal. The service must be idle.
 * @param references the shipments to check; all when absent
 */
export async function check(
  client: Client,
  entries: Iterable<Entry>,
  references?: Set<string>,
): Promise<Findings & { states: Map<string, State> }> {
  const byReference = Map.groupBy(entries, ({ write }) => write.reference);
  const states = await readStates(client, references ?? byReference.keys());
  const findings: Findings = { lost: [], duplicated: [] };
  for (const [reference, state] of states) {
    const { lost, duplicated } = checkShipment(reference, byReference.get(reference) ?? [], state);
    findings.lost.push(...lost);
    findings.duplicated.push(...duplicated);
  }
  findings.duplicated.push(...(await unexpectedShipments(client, byReference)));
  return { ...findings, states };
}

/** Lists all shipments of the account: each must have a reference of the journal, and no two the same. */
async function unexpectedShipments(client: Client, byReference: Map<string, Entry[]>): Promise<string[]> {
  const seen = new Set<string>();
  const unexpected: string[] = [];
  for await (const { id, reference = '' } of client.eachShipment({ limit: 100 })) {
    if (!byReference.has(reference)) unexpected.push(`${id}: a shipment without a request`);
    if (seen.has(reference)) unexpected.push(`${id}: a second shipment ${reference}`);
    seen.add(reference);
  }
  return unexpected;
}

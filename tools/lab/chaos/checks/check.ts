import { type Client, WaybillError } from '@waybill/client';
import { image } from '@waybill/sandbox/simulate/travel';
import { type Entry, withoutSignedFields } from '@waybill/sandbox/simulate/writes';
import { checkShipment, type Findings, type State } from './shipment-check.ts';

/** What the checks of a run share. */
export interface Run {
  client: Client;
  /** Every write. */
  entries: Entry[];
  signal: AbortSignal;
  /** Prints a finding and makes the run fail. */
  report(finding: string): void;
}

/** Compares shipments with the writes. The service must be idle. */
export async function check({ client, entries, signal }: Run): Promise<Findings & { states: Map<string, State> }> {
  const byReference = Map.groupBy(entries, ({ write }) => write.reference);
  const states = new Map<string, State>();
  await inParallel(byReference.keys(), async (reference) => {
    states.set(reference, await readState(client, reference, signal));
  });
  const findings: Findings = { lost: [], duplicated: [] };
  for (const [reference, state] of states) {
    const { lost, duplicated } = checkShipment(reference, byReference.get(reference) ?? [], state);
    findings.lost.push(...lost);
    findings.duplicated.push(...duplicated);
  }
  // Each shipment of the account must have a reference of a write, and no two the same.
  const seen = new Set<string>();
  for await (const { id, reference = '' } of client.listShipments({ limit: 100 }, { signal })) {
    if (!byReference.has(reference)) findings.duplicated.push(`${id}: a shipment without a request`);
    if (seen.has(reference)) findings.duplicated.push(`${id}: a second shipment ${reference}`);
    seen.add(reference);
  }
  return { ...findings, states };
}

async function readState(client: Client, reference: string, signal: AbortSignal): Promise<State> {
  const state: State = { shipments: [], positions: [] };
  for await (const shipment of client.listShipments({ reference }, { signal })) state.shipments.push(shipment);
  const [shipment] = state.shipments;
  if (!shipment) return state;
  const path = { tracking_number: shipment.tracking_number };
  for await (const position of client.listPositions({ ...path, limit: 100 }, { signal }))
    state.positions.push(position);
  state.tracking = await client.getTracking(path, { signal });
  try {
    const data = await client.getProofOfDelivery(path, { signal });
    state.proof = withoutSignedFields(data);
    const files = [data.signature_url ?? [], data.photos].flat().map((url) => isStored(url, signal));
    state.hasFiles = (await Promise.all(files)).every(Boolean);
  } catch (error) {
    if (!(error instanceof WaybillError && error.code === 'proof_not_available')) throw error;
  }
  return state;
}

/** Whether the URL returns the file that the simulation uploads. */
async function isStored(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(url, { signal });
  return image.equals(new Uint8Array(await response.arrayBuffer()));
}

/** Calls `work` with all items, 24 at a time. */
export async function inParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const pending = [...items].values();
  const worker = async (): Promise<void> => {
    for (const item of pending) await work(item);
  };
  await Promise.all(Array.from({ length: 24 }, worker));
}

import { type Client, ProblemError, type Schemas } from '@waybill/client';
import { withoutSignedFields } from '../simulate/writes.ts';

/** Everything that the service returns about a shipment. */
export interface State {
  /** All shipments with its reference. */
  shipments: Schemas['Shipment'][];
  tracking?: Schemas['TrackingStatus'];
  positions: Schemas['CurrentLocation'][];
  /** Without signed URLs; undefined before delivery. */
  proof?: unknown;
}

/** Shipments that are read concurrently. */
const parallel = 24;

/** Reads shipments through the client. @returns states by reference */
export async function readStates(client: Client, references: Iterable<string>): Promise<Map<string, State>> {
  const states = new Map<string, State>();
  const pending = [...references].values();
  const reader = async (): Promise<void> => {
    for (const reference of pending) states.set(reference, await readState(client, reference));
  };
  await Promise.all(Array.from({ length: parallel }, reader));
  return states;
}

async function readState(client: Client, reference: string): Promise<State> {
  const shipments: State['shipments'] = [];
  for await (const shipment of client.eachShipment({ reference })) shipments.push(shipment);
  const [shipment] = shipments;
  if (!shipment) return { shipments, positions: [] };
  const path = { tracking_number: shipment.tracking_number };
  const positions: State['positions'] = [];
  for await (const position of client.eachPosition(path, { limit: 100 })) positions.push(position);
  const { data: tracking } = await client.getTracking({ path });
  if (tracking === undefined || shipment.status !== 'delivered')
    return tracking ? { shipments, positions, tracking } : { shipments, positions };
  return { shipments, positions, tracking, proof: await readProof(client, path) };
}

async function readProof(client: Client, path: { tracking_number: string }): Promise<unknown> {
  try {
    return withoutSignedFields((await client.getProofOfDelivery({ path })).data);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_delivered') return undefined;
    throw error;
  }
}

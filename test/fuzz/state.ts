import type { components } from '@waybill/contract/types';
import { tokenOf } from '../fixtures/requests.ts';
import type { Environment, Shipment } from './environment.ts';
import { type Received, read } from './send.ts';

type Schemas = components['schemas'];

/** Reads a shipment and its tracking status; without a shipment, the id of the account's last one. */
export async function readState(environment: Environment, shipment: Shipment | undefined): Promise<unknown> {
  if (!shipment) return (await read<Schemas['ShipmentList']>(environment, '/shipments?limit=1')).data[0]?.id;
  const { id, tracking_number } = shipment;
  return [await read(environment, `/tracking/${tracking_number}`), await read(environment, `/shipments/${id}`)];
}

/** Updates the environment with a successful response. */
export async function updateEnvironment(
  environment: Environment,
  about: Shipment | undefined,
  { sent, body }: Received,
): Promise<void> {
  const operation = sent.operation.id;
  const shipment = operation === 'createShipment' ? shipmentFrom(body as Schemas['Shipment']) : about;
  if (!shipment) return;
  if (shipment !== about) environment.shipments.push(shipment);
  if (operation === 'createProofUpload') shipment.declared++;
  if (operation === 'createProofUpload' && sent.file) {
    const { upload_id, upload_url } = body as Schemas['ProofUpload'];
    shipment.uploads.push({ id: upload_id, token: tokenOf(upload_url), file: sent.file });
  }
  if (operation === 'submitProofOfDelivery') {
    const { signature, photos = [] } = sent.body as Schemas['ProofOfDeliveryRequest'];
    shipment.proof = [signature, ...photos];
  }
  shipment.seen = await readState(environment, shipment);
  const [{ status, timeline }] = shipment.seen as [Schemas['TrackingStatus']];
  shipment.status = status;
  shipment.previous = Date.parse(timeline.at(-1)?.timestamp ?? '');
}

const shipmentFrom = ({ id, tracking_number, reference, status, created_at }: Schemas['Shipment']): Shipment => ({
  ...{ id, tracking_number, reference, status, previous: Date.parse(created_at) },
  ...{ uploads: [], declared: 0, proof: [], seen: undefined },
});

/** A program against the client that hey-api made from the contract, exactly as generated. */

import { createClient } from './hey-api/client/index.js';
import * as waybill from './hey-api/index.js';

const token = (url: string): string => url.split('/').at(-1) ?? '';
const timestamp = (): string => new Date().toISOString();

/** Brings a shipment from its creation to its proof of delivery, and returns the responses. */
export async function runWorkflow(baseUrl: string, auth: string, image: Uint8Array<ArrayBuffer>) {
  const client = createClient({ baseUrl, auth });
  const created = await waybill.createShipment({
    client,
    throwOnError: true,
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: {
      type: 'freight',
      origin: { address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402' },
      destination: { address: '310 Mill Lane', city: 'Portland', state: 'OR', zip: '97209' },
      pickup_window: { start: '2026-03-02T08:00:00-08:00', end: '2026-03-02T12:00:00-08:00' },
    },
  });
  const { id: shipment_id, tracking_number } = created.data;
  const path = { tracking_number };
  const options = { client, throwOnError: true, path } as const;
  const location = { lat: 47.5301, lng: -122.0326 };
  const record = (status: waybill.EventStatus) =>
    waybill.recordTrackingEvent({ client, path, body: { status, timestamp: timestamp(), location } });
  await record('dispatched');
  const tooEarly = await record('in_transit');
  await record('picked_up');
  await record('in_transit');

  const upload = async (kind: waybill.FileKind): Promise<string> => {
    const digest = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', image)));
    const sha256 = digest.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const body = { kind, content_type: 'image/png', size: image.length, sha256 } as const;
    const { data } = await waybill.createProofUpload({ ...options, body });
    const sent = { path: { upload_token: token(data.upload_url) }, headers: data.headers, bodySerializer: null };
    await waybill.putProofFile({ ...options, ...sent, body: new Blob([image]) });
    return data.upload_id;
  };
  const files = { signature: await upload('signature'), photos: [await upload('photo')] };
  const proof = { delivered_at: timestamp(), signed_by: 'Owen Castillo', ...files, location };
  const { data: delivered } = await waybill.submitProofOfDelivery({ ...options, body: proof });

  const { data: tracking } = await waybill.getTracking(options);
  const { data: route } = await waybill.listPositions({ ...options, query: { limit: 100 } });
  const { data: shipment } = await waybill.getShipment({ ...options, path: { shipment_id } });
  const { data: list } = await waybill.listShipments({ ...options, path: undefined, query: { status: 'delivered' } });
  const file_token = token(delivered.signature_url ?? '');
  const { data: file } = await waybill.getProofFile({ ...options, path: { file_token } });
  const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : undefined;

  // The types of responses are those of the contract, neither `any` nor `never`.
  const status: waybill.ShipmentStatus = tracking.status;
  // @ts-expect-error the position is null until one is known
  tracking.current_location.lat satisfies number;
  // @ts-expect-error a shipment has no such field
  shipment.price;
  // Without `throwOnError` there is a success or a problem.
  const problem: waybill.Problem | undefined = tooEarly.error;
  return { status, problem, route, delivered, shipment, list, bytes };
}

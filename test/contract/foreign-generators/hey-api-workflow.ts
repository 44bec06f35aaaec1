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
  const record = (status: waybill.EventStatus, location?: { lat: number; lng: number; address: string }) => {
    return { client, path, body: { status, timestamp: timestamp(), ...(location && { location }) } };
  };
  await waybill.recordTrackingEvent(record('dispatched'));
  const tooEarly = await waybill.recordTrackingEvent(record('in_transit'));
  await waybill.recordTrackingEvent(record('picked_up'));
  const location = { lat: 47.5301, lng: -122.0326, address: 'I-90 at Issaquah' };
  await waybill.recordTrackingEvent(record('in_transit', location));
  const positions = [{ lat: 47.4929, lng: -121.7858, updated_at: timestamp() }];
  await waybill.recordPositions({ ...options, body: { positions } });

  const upload = async (kind: waybill.FileKind): Promise<string> => {
    const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', image)).reduce(
      (hex, byte) => hex + byte.toString(16).padStart(2, '0'),
      '',
    );
    const body = { kind, content_type: 'image/png', size: image.length, sha256 } as const;
    const { data } = await waybill.createProofUpload({ ...options, body });
    const sent = { path: { upload_token: token(data.upload_url) }, headers: data.headers, bodySerializer: null };
    await waybill.putProofFile({ ...options, ...sent, body: new Blob([image]) });
    return data.upload_id;
  };
  const files = { signature: await upload('signature'), photos: [await upload('photo')] };
  const proof = {
    delivered_at: timestamp(),
    signed_by: 'Owen Castillo',
    ...files,
    location: { lat: 47.6588, lng: -117.426 },
  };
  await waybill.submitProofOfDelivery({ ...options, body: proof });

  const { data: tracking } = await waybill.getTracking(options);
  const { data: route } = await waybill.listPositions({ ...options, query: { limit: 100 } });
  const { data: delivered } = await waybill.getProofOfDelivery(options);
  const { data: shipment } = await waybill.getShipment({ ...options, path: { shipment_id } });
  const { data: list } = await waybill.listShipments({ ...options, path: undefined, query: { status: 'delivered' } });
  const types = 'shipment.created,proof_of_delivery.submitted';
  const { data: events } = await waybill.listEvents({ ...options, path: undefined, query: { types, wait: 1 } });
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
  return { status, problem, route, delivered, shipment, list, events, bytes };
}

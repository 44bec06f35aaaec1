/** A program against the client that a generator of others made from the contract, just as it came out. */

import { createClient } from './waybill/client/index.js';
import * as waybill from './waybill/index.js';

/** Where the service is, and the keys of a shipper and a carrier. */
export interface Place {
  baseUrl: string;
  shipper: string;
  carrier: string;
}

/** Brings a shipment from its creation to its proof of delivery, and returns the responses. */
export async function runWorkflow({ baseUrl, shipper, carrier }: Place, image: Uint8Array<ArrayBuffer>) {
  const asShipper = createClient({ baseUrl, auth: shipper });
  const asCarrier = createClient({ baseUrl, auth: carrier });
  const created = await waybill.createShipment({
    client: asShipper,
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
  const carried = { client: asCarrier, throwOnError: true, path } as const;
  const now = () => new Date().toISOString();

  await waybill.recordTrackingEvent({ ...carried, body: { status: 'dispatched', timestamp: now() } });
  const tooEarly = await waybill.recordTrackingEvent({
    client: asCarrier,
    path,
    body: { status: 'in_transit', timestamp: now() },
  });
  await waybill.recordTrackingEvent({ ...carried, body: { status: 'picked_up', timestamp: now() } });
  const location = { lat: 47.5301, lng: -122.0326, address: 'I-90 at Issaquah' };
  await waybill.recordTrackingEvent({ ...carried, body: { status: 'in_transit', timestamp: now(), location } });
  const positions = [{ lat: 47.4929, lng: -121.7858, updated_at: now() }];
  const { data: moved } = await waybill.recordPositions({ ...carried, body: { positions } });

  const signature = await upload(carried, 'signature', image);
  const photos = [await upload(carried, 'photo', image)];
  const place = { lat: 47.6588, lng: -117.426 };
  const proof = { delivered_at: now(), signed_by: 'Owen Castillo', signature, photos, location: place };
  await waybill.submitProofOfDelivery({ ...carried, body: proof });

  const read = { client: asShipper, throwOnError: true, path } as const;
  const { data: tracking } = await waybill.getTracking(read);
  const { data: route } = await waybill.listPositions({ ...read, query: { limit: 100 } });
  const { data: delivered } = await waybill.getProofOfDelivery(read);
  const { data: shipment } = await waybill.getShipment({ ...read, path: { shipment_id } });
  const { data: list } = await waybill.listShipments({ ...read, path: undefined, query: { status: 'delivered' } });
  const { data: file } = await waybill.getProofFile({ ...read, path: { file_token: token(delivered.signature_url) } });
  const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : undefined;

  // The types of responses are those of the contract, neither `any` nor `never`.
  const status: waybill.ShipmentStatus = tracking.status;
  // @ts-expect-error the position is null until one is known
  tracking.current_location.lat satisfies number;
  // @ts-expect-error a shipment has no such field
  shipment.price;
  // Without `throwOnError` there is a success or a problem.
  const problem: waybill.Problem | undefined = tooEarly.error;
  return { status, moved, problem, route, delivered, shipment, list, bytes };
}

async function upload(
  carried: { client: ReturnType<typeof createClient>; throwOnError: true; path: { tracking_number: string } },
  kind: waybill.FileKind,
  image: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', image));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const body = { kind, content_type: 'image/png', size: image.length, sha256 } as const;
  const { data } = await waybill.createProofUpload({ ...carried, body });
  await waybill.putProofFile({
    ...carried,
    path: { upload_token: token(data.upload_url) },
    headers: data.headers,
    body: new Blob([image]),
    bodySerializer: null,
  });
  return data.upload_id;
}

const token = (url: string): string => url.split('/').at(-1) ?? '';

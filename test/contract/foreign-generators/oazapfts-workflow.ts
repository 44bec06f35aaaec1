/** A program against the client that oazapfts made from the contract, exactly as generated. */

import * as waybill from './oazapfts.js';

/** Brings a shipment from its creation to its proof of delivery, and returns the responses. */
export async function runWorkflow(baseUrl: string, key: string, image: Uint8Array<ArrayBuffer>) {
  Object.assign(waybill.defaults, { baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const created = await waybill.createShipment(
    {
      type: 'freight',
      origin: { address: '9 Quarry Road', city: 'Tacoma', state: 'WA', zip: '98402' },
      destination: { address: '310 Mill Lane', city: 'Portland', state: 'OR', zip: '97209' },
      pickup_window: { start: '2026-03-02T08:00:00-08:00', end: '2026-03-02T12:00:00-08:00' },
    },
    { idempotencyKey: crypto.randomUUID() },
  );
  if (created.status !== 201) throw new Error(created.data.detail);
  const { id, tracking_number } = created.data;
  for (const status of ['dispatched', 'picked_up', 'in_transit'] as const) {
    await waybill.recordTrackingEvent(tracking_number, { status, timestamp: new Date().toISOString() });
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', image));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const file = { kind: 'signature', content_type: 'image/png', size: image.length, sha256 } as const;
  const upload = await waybill.createProofUpload(tracking_number, file);
  if (upload.status !== 201) throw new Error(upload.data.detail);
  const { headers, upload_id, upload_url } = upload.data;
  await waybill.putProofFile(token(upload_url), new Blob([image]), { headers });
  const proof = await waybill.submitProofOfDelivery(tracking_number, {
    delivered_at: new Date().toISOString(),
    signed_by: 'Owen Castillo',
    signature: upload_id,
    location: { lat: 47.6588, lng: -117.426 },
  });
  if (proof.status !== 201) throw new Error(proof.data.detail);
  const downloaded = await fetch(proof.data.signature_url ?? ''); // oazapfts reads the image as text
  const shipment = await waybill.getShipment(id);
  const problem = await waybill.getShipment('ship_00000000000000000000000000');
  return { shipment, problem, bytes: new Uint8Array(await downloaded.arrayBuffer()) };
}

const token = (url: string): string => url.split('/').at(-1) ?? '';

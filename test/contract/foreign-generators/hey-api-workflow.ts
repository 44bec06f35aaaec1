/** A program against the client that hey-api made from the contract, exactly as generated. */

import { createClient } from './hey-api/client/index.js';
import * as waybill from './hey-api/index.js';

/** Creates a shipment and uploads a photo of it, and returns the responses. */
export async function runWorkflow(baseUrl: string, auth: string, image: Uint8Array<ArrayBuffer>, sha256: string) {
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
  const path = { tracking_number: created.data.tracking_number };
  const options = { client, throwOnError: true, path } as const;
  const event = { status: 'returned', timestamp: new Date().toISOString() } as const;
  const tooEarly = await waybill.recordTrackingEvent({ client, path, body: event });

  const body = { kind: 'photo', content_type: 'image/png', size: image.length, sha256 } as const;
  const { data: upload } = await waybill.createProofUpload({ ...options, body });
  const upload_token = upload.upload_url.split('/').at(-1) ?? '';
  const sent = { path: { upload_token }, headers: upload.headers, bodySerializer: null };
  const { response } = await waybill.putProofFile({ ...options, ...sent, body: new Blob([image]) });
  const { data: tracking } = await waybill.getTracking(options);
  const { data: list } = await waybill.listShipments({ ...options, path: undefined, query: { status: ['scheduled'] } });

  // The types of responses are those of the contract, neither `any` nor `never`.
  const status: waybill.ShipmentStatus = tracking.status;
  // @ts-expect-error the position is null until one is known
  tracking.current_location satisfies object;
  // Without `throwOnError` there is a success or a problem.
  const problem: waybill.Problem | undefined = tooEarly.error;
  return { status, problem, uploaded: response.status, list };
}

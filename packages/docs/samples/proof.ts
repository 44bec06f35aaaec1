import type { Client } from '@waybill/client';

/** Hands a shipment over: sends the files first, then the proof that names them. */
export async function deliver(
  client: Client,
  tracking_number: string,
  signed_by: string,
  files: { signature: Blob; photo: Blob },
): Promise<void> {
  const delivered_at = new Date().toISOString();
  const send = (kind: 'signature' | 'photo', file: Blob) =>
    client.uploadProofFile({ tracking_number, kind, content_type: 'image/png', file });
  const signature = await send('signature', files.signature);
  const photo = await send('photo', files.photo);
  await client.submitProofOfDelivery({
    path: { tracking_number },
    body: { delivered_at, signed_by, signature, photos: [photo], location: { lat: 47.6588, lng: -117.426 } },
  });
}

import type { Client } from '@waybill/client';

/** Uploads the files, then submits the proof with their upload ids. */
export async function submitProof(
  client: Client,
  tracking_number: string,
  signed_by: string,
  files: { signature: Blob; photo: Blob },
): Promise<void> {
  const delivered_at = new Date();
  const location = { lat: 47.6588, lng: -117.426 };
  const { signature, photos } = await client.uploadProof({
    tracking_number,
    signature: files.signature,
    photos: [files.photo],
  });
  await client.submitProofOfDelivery({ tracking_number, delivered_at, signed_by, signature, photos, location });
}

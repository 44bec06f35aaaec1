import type { Client } from '@waybill/client';

/** Submits the proof of a delivery that nobody signs for. */
export async function submitUnattended(client: Client, tracking_number: string, photo: Blob): Promise<void> {
  const { photos } = await client.uploadProof({ tracking_number, photos: [photo] });
  const location = { lat: 47.6588, lng: -117.426 };
  const delivered_at = new Date();
  await client.submitProofOfDelivery({ tracking_number, delivered_at, unattended: true, photos, location });
}

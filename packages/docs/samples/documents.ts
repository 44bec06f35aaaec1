import type { Client } from '@waybill/client';

/** Uploads a PDF, a TIFF or an image, then adds it as a document. */
export async function addBillOfLading(client: Client, tracking_number: string, file: Blob): Promise<void> {
  const upload_id = await client.uploadProofFile({ tracking_number, kind: 'document', file });
  await client.addDocument({ tracking_number, upload_id, type: 'bill_of_lading' });
}

import type { Client, ShipmentException } from '@waybill/client';

/** Reports that the consignee refuses the freight, with a photo. */
export async function reportRefusal(
  client: Client,
  tracking_number: string,
  file: Blob, // a PNG, JPEG or WebP
): Promise<ShipmentException> {
  const photo = { tracking_number, kind: 'photo', file } as const;
  const upload = await client.uploadProofFile(photo);
  return await client.raiseException({
    tracking_number,
    code: 'refused',
    occurred_at: new Date(),
    description: 'Two crates are wet. The receiver does not sign.',
    photos: [upload],
  });
}

/** Ends the exception when the second attempt succeeds. */
export async function reportSuccess(
  client: Client,
  tracking_number: string,
  exception_id: string, // of the response above
): Promise<void> {
  await client.resolveException({
    tracking_number,
    exception_id,
    resolved_at: new Date(),
    resolution: 'Repacked and accepted at the second attempt',
  });
}

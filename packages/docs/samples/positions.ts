import type { Client, Schemas } from '@waybill/client';

/** Sends what the app has kept while it was out of reach; what was already sent does no harm. */
export async function report(
  client: Client,
  tracking_number: string,
  kept: Schemas['PositionReport'][],
  eta?: string,
): Promise<void> {
  const batch = 100;
  for (let start = 0; start < kept.length; start += batch) {
    const positions = kept.slice(start, start + batch);
    await client.recordPositions({ path: { tracking_number }, body: { positions, ...(eta && { eta }) } });
  }
}

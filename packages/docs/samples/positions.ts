import type { Client, PositionReport } from '@waybill/client';

/** Sends positions that the app stored while it was offline. Sending a position twice has no effect. */
export async function sendStoredPositions(
  client: Client,
  tracking_number: string,
  stored: PositionReport[],
  eta?: string,
): Promise<void> {
  const batchSize = 100; // the most that a request may have
  for (let start = 0; start < stored.length; start += batchSize) {
    const positions = stored.slice(start, start + batchSize);
    const { refused = [] } = await client.recordPositions({ tracking_number, positions, eta });
    for (const { pointer, detail } of refused) console.warn(`${pointer} ${detail}`); // the others are stored
  }
}

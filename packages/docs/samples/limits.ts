import { type Client, ProblemError } from '@waybill/client';

/** Rather slow than refused: a job at night may wait for the next minute, and the one after. */
export async function cancelAll(client: Client, ids: string[], reason: string): Promise<string[]> {
  const tooLate: string[] = [];
  for (const shipment_id of ids) {
    try {
      const { headers } = await client.cancelShipment({
        path: { shipment_id },
        body: { reason },
        timeout: 180_000,
      });
      console.log(`${shipment_id} is cancelled; the limit: ${headers.get('RateLimit')}`);
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'invalid_transition')) throw error;
      tooLate.push(shipment_id);
    }
  }
  return tooLate;
}

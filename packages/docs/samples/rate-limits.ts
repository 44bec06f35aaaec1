import { type Client, WaybillError } from '@waybill/client';

/** A background job, which may wait for several rate limit windows. @returns the ids that were not cancelled */
export async function cancelAll(client: Client, ids: string[], reason: string): Promise<string[]> {
  const tooLate: string[] = [];
  for (const shipment_id of ids) {
    try {
      const { headers } = await client.cancelShipment({ shipment_id, reason }, { timeout: 180_000 }).withResponse();
      console.log(`${shipment_id} cancelled; RateLimit: ${headers.get('RateLimit')}`);
    } catch (error) {
      if (!(error instanceof WaybillError && error.code === 'invalid_transition')) throw error;
      tooLate.push(shipment_id);
    }
  }
  return tooLate;
}

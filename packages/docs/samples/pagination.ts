import type { Client, ShipmentList } from '@waybill/client';

/** Iterates over all pages. */
export async function trackingNumbersInTransit(client: Client): Promise<string[]> {
  const numbers: string[] = [];
  for await (const shipment of client.listShipments({ status: 'in_transit', limit: 100 })) {
    numbers.push(shipment.tracking_number);
  }
  return numbers;
}

/** Returns one page, for a user interface with a "more" button. Sends the same filters and the cursor. */
export function shipmentPage(client: Client, cursor?: string | null): Promise<ShipmentList> {
  return client.listShipments({ from_date: '2026-03-01', cursor });
}

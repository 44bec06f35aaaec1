import type { Client, Schemas } from '@waybill/client';

/** All pages, one after the other. */
export async function numbersOnTheirWay(client: Client): Promise<string[]> {
  const numbers: string[] = [];
  for await (const shipment of client.eachShipment({ status: 'in_transit', limit: 100 })) {
    numbers.push(shipment.tracking_number);
  }
  return numbers;
}

/** One page, for a list with a button for more: keep the filters and send the cursor back. */
export async function page(client: Client, cursor?: string): Promise<Schemas['ShipmentList']> {
  const { data } = await client.listShipments({
    query: { from_date: '2026-03-01', ...(cursor && { cursor }) },
  });
  return data;
}

import type { Client, ShipmentRequest } from '@waybill/client';

interface Order {
  number: string;
  request: ShipmentRequest;
}

/** Safe to run again after a crash: the key depends on the order, so only one shipment is created. */
export async function createForOrder(client: Client, { number, request }: Order): Promise<string> {
  const { data, replayed } = await client
    .createShipment({ ...request, reference: number }, { idempotencyKey: `create-${number}` })
    .withResponse();
  if (replayed) console.log(`${number} already has a shipment.`);
  return data.tracking_number;
}

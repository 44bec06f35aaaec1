import type { Client, Schemas } from '@waybill/client';

interface Order {
  number: string;
  request: Schemas['ShipmentRequest'];
}

/** May be run again after a crash: the key is made from the order, so it is booked once. */
export async function book(client: Client, { number, request }: Order): Promise<string> {
  const { data, replayed } = await client.createShipment({
    body: { ...request, reference: number },
    idempotencyKey: `book-${number}`,
  });
  if (replayed) console.log(`${number} had been booked before.`);
  return data.tracking_number;
}

import { type Client, type Shipment, WaybillError } from '@waybill/client';

/** Adds a line to the notes. A change by someone else meanwhile is not overwritten. */
export async function addNote(client: Client, shipment_id: string, line: string): Promise<Shipment> {
  for (;;) {
    const { data, etag } = await client.getShipment({ shipment_id }).withResponse();
    const notes = data.notes ? `${data.notes}\n${line}` : line;
    try {
      return await client.updateShipment({ shipment_id, notes }, { ifMatch: etag });
    } catch (error) {
      if (!(error instanceof WaybillError && error.code === 'precondition_failed')) throw error;
    }
  }
}

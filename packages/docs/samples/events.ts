import type { Client } from '@waybill/client';

/** What a driver's app reports of a shipment, from the yard to the road. */
export async function setOff(client: Client, tracking_number: string): Promise<void> {
  const path = { tracking_number };
  const now = () => new Date().toISOString();
  await client.recordTrackingEvent({ path, body: { status: 'dispatched', timestamp: now() } });
  await client.recordTrackingEvent({
    path,
    body: {
      status: 'picked_up',
      timestamp: now(),
      location: { lat: 47.5711, lng: -122.3866, address: '1420 Harbor Avenue SW, Seattle' },
    },
  });
  await client.recordTrackingEvent({ path, body: { status: 'in_transit', timestamp: now() } });
}

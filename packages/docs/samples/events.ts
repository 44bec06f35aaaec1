import type { Client } from '@waybill/client';

/** Records the events from dispatch to departure. */
export async function recordDeparture(client: Client, tracking_number: string): Promise<void> {
  await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  await client.recordTrackingEvent({
    tracking_number,
    status: 'picked_up',
    timestamp: new Date(),
    location: { lat: 47.5711, lng: -122.3866, address: '1420 Harbor Avenue SW, Seattle' },
  });
  await client.recordTrackingEvent({ tracking_number, status: 'in_transit', timestamp: new Date() });
}

import type { Client } from '@waybill/client';

/** Records the events from dispatch to departure. */
export async function recordDeparture(client: Client, tracking_number: string): Promise<void> {
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

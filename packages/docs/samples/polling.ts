import { setTimeout } from 'node:timers/promises';
import type { Client, TrackingStatus } from '@waybill/client';

/** Yields the tracking status now and after every change, until the shipment has ended. */
export async function* pollTracking(
  client: Client,
  tracking_number: string,
  { interval = 15_000, signal }: { interval?: number; signal?: AbortSignal } = {},
): AsyncGenerator<TrackingStatus, void> {
  let ifNoneMatch: string | null = null;
  while (true) {
    const response = await client.getTracking({ tracking_number }, { ifNoneMatch, signal }).withResponse();
    ifNoneMatch = response.etag;
    const tracking: TrackingStatus | undefined = response.data; // undefined if nothing has changed
    if (tracking) yield tracking;
    if (tracking && ['delivered', 'cancelled', 'returned', 'lost'].includes(tracking.status)) return;
    await setTimeout(interval, undefined, { signal });
  }
}

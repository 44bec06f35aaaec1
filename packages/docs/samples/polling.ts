import { setTimeout } from 'node:timers/promises';
import type { Client, GetTrackingResponse, NotModified, TrackingStatus } from '@waybill/client';

/** Yields the tracking status now and after every change, until the shipment is delivered or cancelled. */
export async function* pollTracking(
  client: Client,
  tracking_number: string,
  { interval = 15_000, signal }: { interval?: number; signal?: AbortSignal } = {},
): AsyncGenerator<TrackingStatus, void> {
  let etag: string | null = null;
  while (true) {
    // The type is explicit, because `etag` depends on the response of the previous iteration.
    const response: GetTrackingResponse | NotModified = await client.getTracking({
      path: { tracking_number },
      ifNoneMatch: etag,
      signal,
    });
    etag = response.etag;
    if (response.status === 200) {
      yield response.data;
      if (['delivered', 'cancelled'].includes(response.data.status)) return;
    }
    await setTimeout(interval, undefined, { signal });
  }
}

import { setTimeout } from 'node:timers/promises';
import type { Client, NotModified, Schemas, Success } from '@waybill/client';

/** The tracking status now and after every change, until the shipment has arrived or is cancelled. */
export async function* follow(
  client: Client,
  tracking_number: string,
  { every = 15_000, signal }: { every?: number; signal?: AbortSignal } = {},
): AsyncGenerator<Schemas['TrackingStatus'], void> {
  let etag: string | null = null;
  while (true) {
    // Written out, because in a loop TypeScript cannot infer what depends on the answer before.
    const answer: Success<'getTracking'> | NotModified<'getTracking'> = await client.getTracking({
      path: { tracking_number },
      ifNoneMatch: etag,
      signal,
    });
    etag = answer.etag;
    if (answer.status === 200) {
      yield answer.data;
      if (['delivered', 'cancelled'].includes(answer.data.status)) return;
    }
    await setTimeout(every, undefined, { signal });
  }
}

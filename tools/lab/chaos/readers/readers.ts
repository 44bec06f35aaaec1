import { setTimeout } from 'node:timers/promises';
import { createClient } from '@waybill/client';
import type { Party } from '../environment.ts';
import type { Recorder } from '../recorder.ts';

/** Clients that read at the same time. */
const readers = 4;
/** Milliseconds between two requests of a reader. */
const pause = 25;

/**
 * Reads until the signal aborts, without retries: lists, tracking, proofs, files, and what needs neither the database nor
 * the storage.
 * @param scale factor of the rate of requests
 */
export async function read(party: Party, { fetch }: Recorder, signal: AbortSignal, scale: number): Promise<void> {
  const client = createClient({ ...party, fetch, maxRetries: 0 });
  const origin = new URL(party.baseUrl).origin;
  const get = (url: string) => fetch(new Request(url, { signal, redirect: 'manual' }));
  let trackingNumber: string | undefined;
  let fileUrl: string | undefined;
  const list = async () => {
    const page = await client.listShipments({ limit: 50 }, { signal });
    trackingNumber = page.data.find(({ status }) => status === 'delivered')?.tracking_number ?? trackingNumber;
  };
  const proof = async (path: { tracking_number: string }) => {
    const data = await client.getProofOfDelivery(path, { signal });
    fileUrl = data.signature_url ?? data.photos[0];
  };
  const requests = [
    list,
    async () => trackingNumber && client.getTracking({ tracking_number: trackingNumber }, { signal }),
    async () => trackingNumber && proof({ tracking_number: trackingNumber }),
    async () => fileUrl && get(fileUrl),
  ];
  const independent = [() => get(`${origin}/health/live`), () => get(`${origin}/openapi.json`)];
  const loop = async (turns: (() => Promise<unknown>)[], first = 0): Promise<void> => {
    for (let next = first; !signal.aborted; next++) {
      await turns[next % turns.length]?.().catch(() => {}); // it is recorded
      await setTimeout(pause / scale);
    }
  };
  await Promise.all([loop(independent), ...Array.from({ length: readers }, (_, index) => loop(requests, index))]);
}

import { setTimeout } from 'node:timers/promises';
import { type Client, createClient, type WaybillEvent } from '@waybill/client';
import type { Party } from '../environment.ts';

/** A reader that follows the events of the account through all outages. */
export interface EventReader {
  name: string;
  /** In the order in which they arrived. */
  events: WaybillEvent[];
  /** Whether only the events of each shipment arrive in their order. */
  isOrderedByShipment?: boolean;
  /** Called again and again at the end of the run, while events are missing. */
  hurry?(): Promise<void>;
  /** Why it ended before the run; undefined while it reads. */
  failure?: unknown;
}

const transports: Record<string, (client: Client, signal: AbortSignal) => AsyncIterable<WaybillEvent>> = {
  'the event feed': (client, signal) => client.followEvents({ limit: 100 }, { signal }),
  'the event stream': (client, signal) => client.streamEvents({}, { signal }),
};

/** Starts a reader for each transport. They read until the signal aborts. */
export async function startEventReaders(shipper: Party, signal: AbortSignal): Promise<EventReader[]> {
  const client = createClient(shipper);
  await client.listEvents({ limit: 1 }, { signal }); // a client soon gives up on a service that it has never reached
  return Object.entries(transports).map(([name, read]) => {
    const reader: EventReader = { name, events: [] };
    const follow = async (): Promise<void> => {
      for await (const event of read(client, signal)) reader.events.push(event);
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) reader.failure = error;
    });
    return reader;
  });
}

/** Milliseconds without a further event after which the missing ones are lost. */
const progressTimeout = 60_000;

/** Resolves when a reader has so many different events, or when no more arrive. */
export async function untilRead(reader: EventReader, count: number, signal: AbortSignal): Promise<void> {
  let progress = performance.now();
  for (let known = -1; performance.now() - progress < progressTimeout && reader.failure === undefined; ) {
    const { size } = new Set(reader.events.map(({ id }) => id));
    if (size >= count) return;
    if (size > known) progress = performance.now();
    known = size;
    await reader.hurry?.();
    await setTimeout(200, undefined, { signal });
  }
}

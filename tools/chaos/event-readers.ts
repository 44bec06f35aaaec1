import { setTimeout } from 'node:timers/promises';
import { type Client, createClient, type WaybillEvent } from '@waybill/client';
import type { Party } from './environment.ts';

/** A reader that follows the events of the account through all outages. */
export interface EventReader {
  name: string;
  /** In the order in which they arrived. */
  events: WaybillEvent[];
  /** Why it ended before the run; undefined while it reads. */
  failure?: unknown;
}

const transports: Record<string, (client: Client, signal: AbortSignal) => AsyncIterable<WaybillEvent>> = {
  'the event feed': (client, signal) => client.events({ limit: 100 }, { signal }),
  'the event stream': (client, signal) => client.stream({}, { signal }),
};

/** Starts a reader for each transport. They read until the signal aborts. */
export function startEventReaders(shipper: Party, signal: AbortSignal): EventReader[] {
  const client = createClient(shipper);
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

/** Resolves when a reader has read an event, or has failed. */
export async function untilRead(reader: EventReader, id: string | undefined, signal: AbortSignal) {
  while (reader.failure === undefined && id !== undefined && !reader.events.some((event) => event.id === id)) {
    await setTimeout(50, undefined, { signal });
  }
}

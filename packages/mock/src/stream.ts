import type { ServerResponse } from 'node:http';
import type { components } from '@waybill/contract/types';
import type { Events } from './events.ts';

type Event = components['schemas']['Event'];

/** Milliseconds between two looks for new events. */
const pollInterval = 100;
/** Milliseconds between two comments. */
const heartbeatInterval = 15_000;

/** The events after a position, as they are appended. */
export class EventStream {
  readonly #events: Events;
  readonly #types: string | undefined;
  #after: string | undefined;

  /** @throws {Refusal} events_expired */
  constructor(events: Events, types: string | undefined, after: string | undefined) {
    events.list({ ...(after !== undefined && { after }) });
    this.#events = events;
    this.#types = types;
    this.#after = after;
  }

  /** Returns the events since the last call. @throws {Refusal} events_expired when they have been removed */
  next(): Event[] {
    const query = {
      ...(this.#after !== undefined && { after: this.#after }),
      ...(this.#types && { types: this.#types }),
    };
    const { data, next_after } = this.#events.list(query);
    this.#after = next_after ?? undefined;
    return data;
  }
}

/** Sends a stream for so many seconds, as the body of a response whose head has been written. */
export function sendStream(response: ServerResponse, stream: EventStream, seconds: number): void {
  response.write('retry: 1000\n\n');
  const send = (): void => {
    try {
      for (const event of stream.next()) {
        response.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
    } catch {
      response.end(); // the next request gets the error
    }
  };
  send();
  const timers = [
    setInterval(send, pollInterval),
    setInterval(() => response.write(': heartbeat\n\n'), heartbeatInterval),
    setTimeout(() => response.end(), seconds * 1000),
  ];
  response.once('close', () => timers.forEach(clearTimeout));
}

import {
  type Client,
  ConnectionError,
  createClient,
  type EventPage,
  WaybillError,
  type WaybillEvent,
} from '@waybill/client';
import type { Connection } from '../../link/connection.ts';
import { type KeyEnd, keyEndOf } from '../../link/key-end.ts';
import { type History, readHistory, readSnapshot, type Snapshot } from './loading.ts';

/** Why the board shows nothing: its key has expired, is not valid (any more), lacks a scope, or there is none. */
export type Closed = KeyEnd | 'forbidden' | 'none';

/** Failures of the stream in a row after which the page asks for events instead. */
const maxStreamFailures = 2;
/** Milliseconds until the board is loaded again. */
const pauseAfterFailure = 3_000;

export interface Observer {
  /** A new snapshot replaces the earlier one. Called again when more of it is loaded. */
  load(snapshot: Snapshot): void;
  /** The shipments that were created in the last 30 days: all, or a part of each day. */
  loadHistory(history: History): void;
  change(event: WaybillEvent): void;
  connect(connection: Connection): void;
  close(reason: Closed): void;
}

/**
 * Reads the shipments of the key's account and follows their changes until the key ends.
 * @param startOfDay milliseconds since 1970
 */
export async function followBoard(
  apiKey: string,
  baseUrl: string,
  startOfDay: () => number,
  observer: Observer,
): Promise<void> {
  for (;;) {
    const end = new AbortController();
    const fail = (error: unknown): boolean => {
      const reason = closedBy(error);
      if (reason && !end.signal.aborted) observer.close(reason);
      if (reason) end.abort();
      return reason !== undefined;
    };
    const progress = new Progress(observer, () => void probe(client).catch(fail));
    const client = clientOf(apiKey, baseUrl, progress);
    try {
      // Before the list, so that no change is missed. A change that the list contains may be applied again.
      progress.after = await endOfFeed(client);
      for await (const snapshot of readSnapshot(client, startOfDay())) observer.load(snapshot);
      void readHistory(client).then(observer.loadHistory, fail);
      for await (const event of changes(client, progress, end.signal)) observer.change(event);
    } catch (error) {
      if (fail(error) || end.signal.aborted) return;
      // Also when events after the last one are no longer retained: the next list has their effects.
      observer.connect('interrupted');
    }
    await new Promise((resolve) => {
      setTimeout(resolve, pauseAfterFailure);
      addEventListener('online', resolve, { once: true });
    });
  }
}

/** A client with the key. It is for the service that serves the page, and its key may only read. */
export const clientOf = (apiKey: string, baseUrl: string, progress?: Progress): Client =>
  createClient({
    apiKey,
    baseUrl,
    dangerouslyAllowBrowser: true,
    ...(progress && { fetch: progress.fetch, onRetry: progress.retry }),
  });

/** How far the events were read, and whether their stream works. It watches the requests of a client. */
class Progress {
  /** The last event that was read. */
  after: string | null | undefined;
  #failures = 0;
  /** Aborts when the stream does not work. */
  readonly streamFailed: AbortController = new AbortController();
  isPolling = false;

  readonly #observer: Pick<Observer, 'connect'>;
  readonly #onStreamEnd: () => void;

  /** @param onStreamEnd called when the service ends the stream, as it does at once when the key ends */
  constructor(observer: Pick<Observer, 'connect'>, onStreamEnd: () => void) {
    this.#observer = observer;
    this.#onStreamEnd = onStreamEnd;
  }

  readonly retry = ({ operation }: { operation: string }): void => {
    this.#observer.connect('interrupted');
    if (operation === 'streamEvents' && ++this.#failures >= maxStreamFailures) this.streamFailed.abort();
  };

  /** Notices that bytes of the stream arrive, and its end. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    const { body, status, headers } = response;
    if (this.isPolling && response.ok) this.#observer.connect('polling');
    if (!body || !headers.get('Content-Type')?.startsWith('text/event-stream')) return response;
    const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
      this.#failures = 0;
      this.#observer.connect('live');
      controller.enqueue(chunk);
    };
    const watched = body.pipeThrough(new TransformStream({ transform, flush: this.#onStreamEnd }));
    return new Response(watched, { status, headers });
  };
}

/** The events after the position, by the stream as long as it works. */
async function* changes(client: Client, progress: Progress, end: AbortSignal): AsyncGenerator<WaybillEvent> {
  const { streamFailed } = progress;
  const signal = AbortSignal.any([end, streamFailed.signal]);
  try {
    for await (const event of client.streamEvents({ after: progress.after }, { signal })) {
      progress.after = event.id;
      yield event;
    }
  } catch (error) {
    if (!streamFailed.signal.aborted || end.aborted) throw error;
  }
  progress.isPolling = true;
  yield* client.followEvents({ after: progress.after, limit: 100 }, { signal: end });
}

/** Why an error ends the board; undefined for one that may be over later. */
function closedBy(error: unknown): Closed | undefined {
  if (!(error instanceof WaybillError)) return undefined;
  if (error.status === 403) return 'forbidden';
  if (error.status !== 401) return undefined;
  return keyEndOf(error.problem);
}

/** Sends a small request: it fails when the key has ended. */
async function probe(client: Client): Promise<void> {
  await client.listShipments({ limit: 1 }, { maxRetries: 0 }).catch((error: unknown) => {
    if (!(error instanceof ConnectionError)) throw error;
  });
}

/**
 * The position of the last event. Events of one rare type are read to the end of the list: `next_after` is then later than all
 * events that were left out.
 */
async function endOfFeed(client: Client): Promise<string | null> {
  let after: string | null = null;
  for (;;) {
    const page: EventPage<'webhook_endpoint.disabled'> = await client.listEvents({
      after,
      types: ['webhook_endpoint.disabled'],
      limit: 100,
    });
    after = page.next_after;
    if (!page.has_more) return after;
  }
}

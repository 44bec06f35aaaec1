import type { ServerResponse } from 'node:http';

/**
 * Writes a part of a body. Resolves when the operating system has taken it, so that a client that reads slowly is waited
 * for. Rejects when the connection is closed.
 * @param onStall called when the client has taken nothing for a second: release what the next parts are made from
 */
export type WritePart = (part: Buffer, onStall: () => void) => Promise<void>;

/** A body that is made while it is sent. */
export type StreamedBody = (write: WritePart) => Promise<void>;

/** Headers of a stream of Server-Sent Events (HTML Standard). */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no', // nginx would send events late
} as const;

/** An event as a Server-Sent Event, from which a client cannot resume. */
export const liveEventText = (event: { type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** An event as a Server-Sent Event, with the position from which a client resumes. */
export const eventText = (event: { id: string; type: string }): string => `id: ${event.id}\n${liveEventText(event)}`;

/** The times and sizes of streamed bodies. Tests change them. */
export const streamLimits: { stall: number; pendingBytes: number } = {
  /** Milliseconds after which a connection that takes nothing is closed. */
  stall: 30_000,
  /** Bytes of all parts that wait for their clients. Beyond it, the connection that has waited longest is closed. */
  pendingBytes: 32 * 1024 * 1024,
};

class ConnectionClosed extends Error {}

/** Milliseconds between two looks at the parts that wait. */
const interval = 1000;

interface Pending {
  bytes: number;
  /** By `performance.now()`. */
  since: number;
  onStall(): void;
  hasStalled: boolean;
  end(error?: Error | null): void;
}

/** Sends a body. Rejects when it cannot be made; then the connection is closed. */
export type SendStreamed = (response: ServerResponse, body: StreamedBody) => Promise<void>;

/** Makes the function that sends streamed bodies. All of an instance share the limit of bytes. */
export function bodyStreamer(): SendStreamed {
  /** In the order in which they began to wait. */
  const waiting = new Map<ServerResponse, Pending>();
  let bytes = 0;
  let isLooking = false;

  const remove = (response: ServerResponse): void => {
    bytes -= waiting.get(response)?.bytes ?? 0;
    waiting.delete(response);
  };
  const closeLongest = (): void => {
    for (const [response, { end }] of waiting) {
      if (bytes <= streamLimits.pendingBytes) return;
      end(new ConnectionClosed());
      response.destroy();
    }
  };
  const lookLater = (): void => {
    if (isLooking || waiting.size === 0) return;
    isLooking = true;
    setTimeout(look, interval).unref();
  };
  const look = (): void => {
    const now = performance.now();
    for (const [response, pending] of waiting) {
      if (now - pending.since < interval) break; // so have the next ones
      if (!pending.hasStalled) pending.onStall();
      pending.hasStalled = true;
      if (now - pending.since < streamLimits.stall) continue;
      pending.end(new ConnectionClosed());
      response.destroy();
    }
    isLooking = false;
    lookLater();
  };
  const write = (response: ServerResponse, part: Buffer, onStall: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (error?: Error | null): void => {
        remove(response);
        if (error) reject(new ConnectionClosed());
        else resolve();
      };
      if (response.destroyed) return end(new ConnectionClosed());
      waiting.set(response, { bytes: part.length, since: performance.now(), onStall, hasStalled: false, end });
      bytes += part.length;
      response.write(part, end);
      closeLongest();
      lookLater();
    });

  return async (response, body) => {
    response.once('close', () => waiting.get(response)?.end(new ConnectionClosed()));
    try {
      await body((part, onStall) => write(response, part, onStall));
      response.end();
    } catch (error) {
      response.destroy();
      if (!(error instanceof ConnectionClosed)) throw error;
    }
  };
}

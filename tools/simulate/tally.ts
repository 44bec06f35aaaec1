import type { Fetch, Schemas } from '@waybill/client';

/** Counts of a simulation, updated while it runs. */
export interface Tally {
  /** Shipments by status. */
  statuses: Partial<Record<Schemas['ShipmentStatus'], number>>;
  /** HTTP requests. */
  requests: number;
  /** Responses with `Idempotent-Replayed`. */
  replays: number;
  /** Reported positions, including repeated ones. */
  positions: number;
  /** Requests without a response or with a retryable one. */
  failedAttempts: number;
  /** Requests that the service rejected as expected. */
  expectedErrors: number;
  /** Unexpected errors by message. */
  errors: Map<string, number>;
  addError(message: string): void;
}

export function newTally(): Tally {
  const errors = new Map<string, number>();
  return {
    statuses: {},
    requests: 0,
    replays: 0,
    positions: 0,
    failedAttempts: 0,
    expectedErrors: 0,
    errors,
    addError: (message) => errors.set(message, (errors.get(message) ?? 0) + 1),
  };
}

/** Wraps `fetch` to count requests and replays. */
export function counting(tally: Tally, fetch: Fetch = globalThis.fetch): Fetch {
  return async (request) => {
    tally.requests++;
    const response = await fetch(request);
    if (response.headers.has('Idempotent-Replayed')) tally.replays++;
    return response;
  };
}

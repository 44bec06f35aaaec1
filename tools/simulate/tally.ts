import type { Fetch, Schemas } from '@waybill/client';

/** What has happened so far. */
export interface Tally {
  /** Shipments by their status. */
  statuses: Partial<Record<Schemas['ShipmentStatus'], number>>;
  /** HTTP requests that were sent. */
  requests: number;
  /** Answers that were told again (`Idempotent-Replayed`). */
  replays: number;
  /** Positions that were reported, repeated ones included. */
  positions: number;
  /** Sends without an answer, or with one that says to try again. */
  unanswered: number;
  /** Requests that the service refused, as it should. */
  refused: number;
  /** What should not have happened, by how often it did. */
  faults: Map<string, number>;
  fault(what: string): void;
}

export function newTally(): Tally {
  const faults = new Map<string, number>();
  return {
    statuses: {},
    requests: 0,
    replays: 0,
    positions: 0,
    unanswered: 0,
    refused: 0,
    faults,
    fault: (what) => faults.set(what, (faults.get(what) ?? 0) + 1),
  };
}

/** Counts what goes over the wire, whoever sends it. */
export function counting(tally: Tally, fetch: Fetch = globalThis.fetch): Fetch {
  return async (request) => {
    tally.requests++;
    const response = await fetch(request);
    if (response.headers.has('Idempotent-Replayed')) tally.replays++;
    return response;
  };
}

import type { Hooks, ShipmentStatus } from '@waybill/client';

/** Counts of a simulation, updated while it runs. */
export class Tally {
  /** Shipments by status. */
  statuses: Partial<Record<ShipmentStatus, number>> = {};
  /** HTTP requests. */
  requests = 0;
  /** Responses with `Idempotent-Replayed`. */
  replays = 0;
  /** Reported positions, including repeated ones. */
  positions = 0;
  /** Requests without a response or with a retryable one. */
  failedAttempts = 0;
  /** Requests that the service rejected as expected. */
  expectedErrors = 0;
  /** Unexpected errors by message. */
  errors: Map<string, number> = new Map();

  addError(message: string): void {
    this.errors.set(message, (this.errors.get(message) ?? 0) + 1);
  }

  /** Hooks of a client that count requests and replays. */
  hooks: Hooks = {
    onRequest: () => {
      this.requests++;
    },
    onResponse: ({ responseHeaders }) => {
      if (responseHeaders.has('Idempotent-Replayed')) this.replays++;
    },
  };
}

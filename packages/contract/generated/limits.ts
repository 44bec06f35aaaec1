// Made from spec/ by `pnpm generate`. Do not edit.
/** Maximum bytes of a file. */
export const maxFileBytes: number = 10485760;

/** Entries of a page when the request has no `limit`. */
export const defaultPageSize: number = 25;

/** Maximum number of invalid fields in a problem. */
export const maxFieldErrors: number = 50;

/** Maximum exceptions of a shipment. */
export const maxExceptions: number = 50;

/** Maximum accesses of a shipment that have not expired. */
export const maxAccesses: number = 20;

/** How far the timestamp of a position may be ahead of now, as an ISO 8601 duration. */
export const maxPositionAhead: string = "PT5M";

/** Schema → property → how far its timestamp may be before the previous event, in milliseconds. */
export const maxBeforePrevious = {
  "TrackingEventRequest": {
    "timestamp": 300000
  },
  "ProofOfDeliveryRequest": {
    "delivered_at": 300000
  }
} as const;

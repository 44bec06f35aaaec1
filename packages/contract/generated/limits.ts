// Made from spec/ by `pnpm generate`. Do not edit.
/** Bytes of a JSON body. */
export const maxBodyBytes: number = 1048576;

/** Entries of a page when the request has no `limit`. */
export const defaultPageSize: number = 25;

/** What a caller's own `X-Request-Id` must match to be used. */
export const requestIdPattern: string = "^[A-Za-z0-9_.-]{1,128}$";

/** Schema → property → how far its time may lie from now (or from the previous event), in milliseconds. */
export const timeLimits = {
  "TrackingEventRequest": {
    "timestamp": {
      "maxAhead": 300000,
      "maxBeforePrevious": 300000
    }
  },
  "PositionReport": {
    "updated_at": {
      "maxAhead": 300000,
      "maxAge": 7776000000
    }
  },
  "ProofOfDeliveryRequest": {
    "delivered_at": {
      "maxAhead": 300000,
      "maxBeforePrevious": 300000
    }
  }
} as const;

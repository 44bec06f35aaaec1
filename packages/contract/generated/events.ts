// Made from spec/ by `pnpm generate`. Do not edit.
/** Event type → the property of `data` that its events have. */
export const eventData = {
  "shipment.created": "shipment",
  "shipment.cancelled": "shipment",
  "tracking.status_reached": "tracking",
  "tracking.location_changed": "tracking_change",
  "tracking.eta_changed": "tracking_change",
  "proof_of_delivery.submitted": "tracking",
  "webhook_endpoint.disabled": "webhook_endpoint",
  "webhook_endpoint.test": "webhook_endpoint"
} as const;

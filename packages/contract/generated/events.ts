// Made from spec/ by `pnpm generate`. Do not edit.
import type { components } from './types.ts';

type EventData = components['schemas']['EventData'];
type EventType = components['schemas']['EventType'];

/** Event type → the property of `data` that its events have. */
export const eventData = {
  "shipment.created": "shipment",
  "shipment.cancelled": "shipment",
  "tracking.status_reached": "tracking",
  "tracking.location_changed": "tracking",
  "tracking.eta_changed": "tracking",
  "proof_of_delivery.submitted": "tracking"
} as const satisfies Record<EventType, keyof EventData>;

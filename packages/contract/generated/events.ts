// Made from spec/ by `pnpm generate`. Do not edit.
import type { components } from './types.ts';

type Schemas = components['schemas'];

/** The data of an event of any type. It has the property of its type. */
export interface EventData {
  shipment?: Schemas['ShipmentEventData']['shipment'];
  tracking?: Schemas['TrackingEventData']['tracking'];
  tracking_change?: Schemas['TrackingChangeEventData']['tracking_change'];
  exception_change?: Schemas['ExceptionEventData']['exception_change'];
  document_change?: Schemas['DocumentEventData']['document_change'];
  webhook_endpoint?: Schemas['WebhookEventData']['webhook_endpoint'];
}

/** Event type → the property of `data` that its events have. */
export const eventData = {
  "shipment.created": "shipment",
  "shipment.updated": "shipment",
  "shipment.destination_changed": "shipment",
  "shipment.cancelled": "shipment",
  "tracking.status_reached": "tracking",
  "tracking.event_voided": "tracking",
  "tracking.location_changed": "tracking_change",
  "tracking.eta_changed": "tracking_change",
  "tracking.exception_raised": "exception_change",
  "tracking.exception_resolved": "exception_change",
  "tracking.exception_voided": "exception_change",
  "proof_of_delivery.submitted": "tracking",
  "document.added": "document_change",
  "document.removed": "document_change",
  "webhook_endpoint.disabled": "webhook_endpoint",
  "webhook_endpoint.test": "webhook_endpoint"
} as const;

export const eventMeanings: Record<Schemas['EventType'], string> = {
  "shipment.created": "A shipment was created.",
  "shipment.updated": "Fields of a shipment were changed by `updateShipment` or `updateTracking`.",
  "shipment.destination_changed": "The address of the destination was changed. A `shipment.updated` precedes it.",
  "shipment.cancelled": "A shipment was cancelled.",
  "tracking.status_reached": "A status of a shipment was recorded, perhaps late: its `status` is the furthest one. Its creation and its cancellation have\nevents of their own.\n",
  "tracking.event_voided": "An entry of a timeline was voided. The shipment may have another status.",
  "tracking.location_changed": "A shipment has a new current location.",
  "tracking.eta_changed": "A shipment has another estimated arrival.",
  "tracking.exception_raised": "Something goes wrong with a shipment. Also sent when an exception is open again, because the tracking event that resolved it\nwas voided.\n",
  "tracking.exception_resolved": "An exception of a shipment has ended.",
  "tracking.exception_voided": "An exception of a shipment was voided, because it was raised by mistake.",
  "proof_of_delivery.submitted": "The proof of delivery was submitted. Read it with `getProofOfDelivery`.",
  "document.added": "A document of a shipment was added. `listDocuments` returns the URL of its file.",
  "document.removed": "A document of a shipment was removed.",
  "webhook_endpoint.disabled": "A webhook endpoint was disabled because its deliveries failed.",
  "webhook_endpoint.test": "A test of a webhook endpoint. It is sent to that endpoint only and is not in the list of events."
};

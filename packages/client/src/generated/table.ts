// Made from the contract by `pnpm generate`. Do not edit.
import type { operations, paths } from './types.ts';

/** The version of the contract, which is that of the package. */
export const version: string = "1.0.0";

/** The default base URL. Its path is the major version. */
export const defaultBaseUrl: string = "http://localhost:3000/v1";

/** The size of the largest file, in bytes. */
export const maxFileBytes: number = 20971520;

export interface OperationRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: keyof paths;
  /** A member that the JSON of each success has. */
  member?: string;
  /** The request needs a signed URL instead of an API key. */
  signed?: boolean;
  /** The names of the query parameters. */
  query?: string[];
  body?: 'json' | 'file';
  /** Takes `Idempotency-Key`. */
  keyed?: boolean;
  /** Takes `If-None-Match`, or for a change `If-Match`. */
  conditional?: boolean;
  /** The response is a stream of events. */
  stream?: boolean;
}

export const operationTable: Record<keyof operations, OperationRow> = {
  "listShipments": {
    "method": "GET",
    "path": "/shipments",
    "member": "data",
    "query": [
      "status",
      "reference",
      "tracking_number",
      "has_exception",
      "carrier_scac",
      "destination_city",
      "from_date",
      "to_date",
      "updated_since",
      "pickup_before",
      "pickup_from",
      "pickup_to",
      "delivery_from",
      "delivery_to",
      "include",
      "total_count",
      "limit",
      "cursor"
    ]
  },
  "createShipment": {
    "method": "POST",
    "path": "/shipments",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "getShipment": {
    "method": "GET",
    "path": "/shipments/{shipment_id}",
    "member": "id",
    "conditional": true
  },
  "updateShipment": {
    "method": "PATCH",
    "path": "/shipments/{shipment_id}",
    "member": "id",
    "body": "json",
    "conditional": true
  },
  "cancelShipment": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/cancel",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "listAccesses": {
    "method": "GET",
    "path": "/shipments/{shipment_id}/access",
    "member": "data"
  },
  "createAccess": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/access",
    "member": "token",
    "body": "json",
    "keyed": true
  },
  "deleteAccess": {
    "method": "DELETE",
    "path": "/shipments/{shipment_id}/access/{access_id}"
  },
  "getTracking": {
    "method": "GET",
    "path": "/tracking/{tracking_number}",
    "member": "tracking_number",
    "conditional": true
  },
  "updateTracking": {
    "method": "PATCH",
    "path": "/tracking/{tracking_number}",
    "member": "tracking_number",
    "body": "json"
  },
  "recordTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events",
    "member": "tracking_number",
    "body": "json",
    "keyed": true
  },
  "voidTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events/{event_id}/void",
    "member": "tracking_number",
    "body": "json",
    "keyed": true
  },
  "listPositions": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/positions",
    "member": "data",
    "query": [
      "limit",
      "cursor"
    ]
  },
  "recordPositions": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/positions",
    "member": "accepted",
    "body": "json",
    "keyed": true
  },
  "raiseException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "getException": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}",
    "member": "id",
    "conditional": true
  },
  "resolveException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}/resolve",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "voidException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}/void",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "getProofOfDelivery": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod",
    "member": "tracking_number",
    "conditional": true
  },
  "submitProofOfDelivery": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod",
    "member": "tracking_number",
    "body": "json",
    "keyed": true
  },
  "listProofUploads": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "member": "data"
  },
  "createProofUpload": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "member": "upload_id",
    "body": "json",
    "keyed": true
  },
  "deleteProofUpload": {
    "method": "DELETE",
    "path": "/tracking/{tracking_number}/pod/uploads/{upload_id}"
  },
  "listDocuments": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/documents",
    "member": "data"
  },
  "addDocument": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/documents",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "deleteDocument": {
    "method": "DELETE",
    "path": "/tracking/{tracking_number}/documents/{document_id}"
  },
  "listEvents": {
    "method": "GET",
    "path": "/events",
    "member": "data",
    "query": [
      "after",
      "types",
      "limit",
      "wait"
    ]
  },
  "streamEvents": {
    "method": "GET",
    "path": "/events/stream",
    "query": [
      "after",
      "types"
    ],
    "stream": true
  },
  "listWebhookEndpoints": {
    "method": "GET",
    "path": "/webhook_endpoints",
    "member": "data"
  },
  "createWebhookEndpoint": {
    "method": "POST",
    "path": "/webhook_endpoints",
    "member": "secret",
    "body": "json",
    "keyed": true
  },
  "getWebhookEndpoint": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "member": "id",
    "conditional": true
  },
  "updateWebhookEndpoint": {
    "method": "PATCH",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "member": "id",
    "body": "json",
    "conditional": true
  },
  "deleteWebhookEndpoint": {
    "method": "DELETE",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "conditional": true
  },
  "rotateWebhookSecret": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret",
    "member": "secret",
    "body": "json",
    "keyed": true
  },
  "replayWebhookEvents": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/replay",
    "member": "from",
    "body": "json",
    "keyed": true
  },
  "sendTestWebhook": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/test",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "listWebhookDeliveries": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries",
    "member": "data",
    "query": [
      "limit",
      "cursor"
    ]
  },
  "resendWebhookDelivery": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend",
    "member": "id",
    "body": "json",
    "keyed": true
  },
  "putProofFile": {
    "method": "PUT",
    "path": "/uploads/{upload_token}",
    "signed": true,
    "body": "file"
  },
  "getProofFile": {
    "method": "GET",
    "path": "/files/{file_token}",
    "signed": true
  }
};

/** Status → the statuses that can follow it. */
export const nextStatuses: Record<string, string[]> = {
  "scheduled": [
    "dispatched",
    "picked_up",
    "in_transit",
    "delivered",
    "cancelled"
  ],
  "dispatched": [
    "picked_up",
    "in_transit",
    "delivered",
    "cancelled",
    "lost"
  ],
  "picked_up": [
    "in_transit",
    "delivered",
    "returned",
    "lost"
  ],
  "in_transit": [
    "delivered",
    "returned",
    "lost"
  ],
  "delivered": [],
  "cancelled": [],
  "returned": [],
  "lost": []
};

/** Code → the additional members that its problems always have. */
export const problemMembers = {
  "invalid_request": [
    "errors"
  ],
  "unknown_upload": [
    "errors"
  ],
  "file_mismatch": [
    "errors"
  ],
  "proof_not_available": [
    "current_status"
  ],
  "invalid_transition": [
    "current_status",
    "allowed"
  ],
  "status_recorded": [
    "current_status",
    "entry"
  ],
  "void_not_allowed": [
    "entry"
  ],
  "change_not_allowed": [
    "errors",
    "current_status",
    "changeable"
  ],
  "positions_not_accepted": [
    "current_status"
  ],
  "uploads_not_accepted": [
    "current_status"
  ],
  "exception_not_accepted": [
    "current_status"
  ],
  "exception_void_not_allowed": [
    "current_status"
  ],
  "reference_taken": [
    "shipment_id"
  ]
} as const;

/** Event type → the property of `data` that its events always have. */
export const eventMembers = {
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

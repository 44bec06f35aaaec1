// Made from the contract by `pnpm generate`. Do not edit.
import type { OperationId } from './operations.ts';

/** The version of the contract, which is that of the package. */
export const version: string = "1.0.0";

/** The default base URL. Its path is the major version. */
export const defaultBaseUrl: string = "http://localhost:3000/v1";

/** The size of the largest file, in bytes. */
export const maxFileBytes: number = 10485760;

export interface OperationRow {
  method: string;
  path: string;
  /** The request needs a signed URL instead of an API key. */
  signed?: boolean;
  /** The response is a stream of events. */
  stream?: boolean;
  /** The names of the query parameters. */
  query?: string[];
  /** The fields of the JSON body, and whether they are required; empty for a file. */
  body?: Record<string, boolean>;
  /** Takes `Idempotency-Key`. */
  keyed?: boolean;
  /** Takes `If-None-Match`. */
  conditional?: boolean;
}

export const operationTable: Record<OperationId, OperationRow> = {
  "listShipments": {
    "method": "GET",
    "path": "/shipments",
    "query": [
      "status",
      "reference",
      "from_date",
      "to_date",
      "limit",
      "cursor"
    ]
  },
  "createShipment": {
    "method": "POST",
    "path": "/shipments",
    "body": {
      "origin": true,
      "destination": true,
      "pickup_window": true,
      "type": true,
      "reference": false,
      "notes": false
    },
    "keyed": true
  },
  "getShipment": {
    "method": "GET",
    "path": "/shipments/{shipment_id}",
    "conditional": true
  },
  "cancelShipment": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/cancel",
    "body": {
      "reason": true
    },
    "keyed": true
  },
  "getTracking": {
    "method": "GET",
    "path": "/tracking/{tracking_number}",
    "conditional": true
  },
  "recordTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events",
    "body": {
      "status": true,
      "timestamp": true,
      "description": false,
      "location": false,
      "eta": false
    },
    "keyed": true
  },
  "listPositions": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/positions",
    "query": [
      "limit",
      "cursor"
    ]
  },
  "recordPositions": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/positions",
    "body": {
      "positions": true,
      "eta": false
    },
    "keyed": true
  },
  "getProofOfDelivery": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod",
    "conditional": true
  },
  "submitProofOfDelivery": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod",
    "body": {
      "delivered_at": true,
      "signed_by": true,
      "signature": true,
      "photos": false,
      "location": true
    },
    "keyed": true
  },
  "createProofUpload": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "body": {
      "kind": true,
      "content_type": true,
      "size": true,
      "sha256": true
    },
    "keyed": true
  },
  "listEvents": {
    "method": "GET",
    "path": "/events",
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
    "stream": true,
    "query": [
      "after",
      "types"
    ]
  },
  "listWebhookEndpoints": {
    "method": "GET",
    "path": "/webhook_endpoints"
  },
  "createWebhookEndpoint": {
    "method": "POST",
    "path": "/webhook_endpoints",
    "body": {
      "url": true,
      "description": false,
      "types": false
    },
    "keyed": true
  },
  "getWebhookEndpoint": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "conditional": true
  },
  "updateWebhookEndpoint": {
    "method": "PATCH",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "body": {
      "url": false,
      "description": false,
      "types": false,
      "status": false
    }
  },
  "deleteWebhookEndpoint": {
    "method": "DELETE",
    "path": "/webhook_endpoints/{webhook_endpoint_id}"
  },
  "rotateWebhookSecret": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret",
    "body": {
      "previous_valid_hours": false
    },
    "keyed": true
  },
  "replayWebhookEvents": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/replay",
    "body": {
      "from": true,
      "to": true
    },
    "keyed": true
  },
  "sendTestWebhook": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/test",
    "body": {},
    "keyed": true
  },
  "listWebhookDeliveries": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries",
    "query": [
      "limit",
      "cursor"
    ]
  },
  "resendWebhookDelivery": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend",
    "body": {},
    "keyed": true
  },
  "putProofFile": {
    "method": "PUT",
    "path": "/uploads/{upload_token}",
    "signed": true,
    "body": {}
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
    "cancelled"
  ],
  "dispatched": [
    "picked_up",
    "cancelled"
  ],
  "picked_up": [
    "in_transit"
  ],
  "in_transit": [
    "delivered"
  ],
  "delivered": [],
  "cancelled": []
};

/** The additional members of problems. */
export const problemMembers: string[] = [
  "errors",
  "current_status",
  "allowed",
  "shipment_id"
];

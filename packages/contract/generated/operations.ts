// Made from spec/ by `pnpm generate`. Do not edit.
/** The default base URL. Its path is the major version. */
export const defaultBaseUrl: string = "http://localhost:3000/v1";

/** Operation id → method, path, required scope (null: a signed URL instead of an API key), whether it accepts access tokens, header parameters, and a member that the JSON of each success has. */
export const operationTable = {
  "listShipments": {
    "method": "GET",
    "path": "/shipments",
    "scope": "shipments:read",
    "access": false,
    "headers": [],
    "member": "data"
  },
  "createShipment": {
    "method": "POST",
    "path": "/shipments",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "getShipment": {
    "method": "GET",
    "path": "/shipments/{shipment_id}",
    "scope": "shipments:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ],
    "member": "id"
  },
  "updateShipment": {
    "method": "PATCH",
    "path": "/shipments/{shipment_id}",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "If-Match"
    ],
    "member": "id"
  },
  "cancelShipment": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/cancel",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "listAccesses": {
    "method": "GET",
    "path": "/shipments/{shipment_id}/access",
    "scope": "shipments:read",
    "access": false,
    "headers": [],
    "member": "data"
  },
  "createAccess": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/access",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "token"
  },
  "deleteAccess": {
    "method": "DELETE",
    "path": "/shipments/{shipment_id}/access/{access_id}",
    "scope": "shipments:write",
    "access": false,
    "headers": [],
    "member": null
  },
  "getTracking": {
    "method": "GET",
    "path": "/tracking/{tracking_number}",
    "scope": "tracking:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ],
    "member": "tracking_number"
  },
  "updateTracking": {
    "method": "PATCH",
    "path": "/tracking/{tracking_number}",
    "scope": "tracking:write",
    "access": true,
    "headers": [],
    "member": "tracking_number"
  },
  "recordTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "tracking_number"
  },
  "voidTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events/{event_id}/void",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "tracking_number"
  },
  "listPositions": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:read",
    "access": true,
    "headers": [],
    "member": "data"
  },
  "recordPositions": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "accepted"
  },
  "raiseException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "getException": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}",
    "scope": "tracking:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ],
    "member": "id"
  },
  "resolveException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}/resolve",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "voidException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}/void",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "getProofOfDelivery": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ],
    "member": "tracking_number"
  },
  "submitProofOfDelivery": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "tracking_number"
  },
  "listProofUploads": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "scope": "tracking:read",
    "access": true,
    "headers": [],
    "member": "data"
  },
  "createProofUpload": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "upload_id"
  },
  "deleteProofUpload": {
    "method": "DELETE",
    "path": "/tracking/{tracking_number}/pod/uploads/{upload_id}",
    "scope": "tracking:write",
    "access": true,
    "headers": [],
    "member": null
  },
  "listDocuments": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/documents",
    "scope": "tracking:read",
    "access": true,
    "headers": [],
    "member": "data"
  },
  "addDocument": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/documents",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "deleteDocument": {
    "method": "DELETE",
    "path": "/tracking/{tracking_number}/documents/{document_id}",
    "scope": "shipments:write",
    "access": false,
    "headers": [],
    "member": null
  },
  "listEvents": {
    "method": "GET",
    "path": "/events",
    "scope": "events:read",
    "access": false,
    "headers": [],
    "member": "data"
  },
  "streamEvents": {
    "method": "GET",
    "path": "/events/stream",
    "scope": "events:read",
    "access": true,
    "headers": [
      "Last-Event-ID"
    ],
    "member": null
  },
  "listWebhookEndpoints": {
    "method": "GET",
    "path": "/webhook_endpoints",
    "scope": "webhooks:read",
    "access": false,
    "headers": [],
    "member": "data"
  },
  "createWebhookEndpoint": {
    "method": "POST",
    "path": "/webhook_endpoints",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "secret"
  },
  "getWebhookEndpoint": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:read",
    "access": false,
    "headers": [
      "If-None-Match"
    ],
    "member": "id"
  },
  "updateWebhookEndpoint": {
    "method": "PATCH",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "If-Match"
    ],
    "member": "id"
  },
  "deleteWebhookEndpoint": {
    "method": "DELETE",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "If-Match"
    ],
    "member": null
  },
  "rotateWebhookSecret": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "secret"
  },
  "replayWebhookEvents": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/replay",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "from"
  },
  "sendTestWebhook": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/test",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "listWebhookDeliveries": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries",
    "scope": "webhooks:read",
    "access": false,
    "headers": [],
    "member": "data"
  },
  "resendWebhookDelivery": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ],
    "member": "id"
  },
  "putProofFile": {
    "method": "PUT",
    "path": "/uploads/{upload_token}",
    "scope": null,
    "access": false,
    "headers": [],
    "member": null
  },
  "getProofFile": {
    "method": "GET",
    "path": "/files/{file_token}",
    "scope": null,
    "access": false,
    "headers": [],
    "member": null
  }
} as const;

// Made from spec/ by `pnpm generate`. Do not edit.
/** The default base URL. Its path is the major version. */
export const defaultBaseUrl: string = "http://localhost:3000/v1";

/** Operation id → method, path, required scope (null: a signed URL instead of an API key), whether it accepts access tokens, and header parameters. */
export const operationTable = {
  "listShipments": {
    "method": "GET",
    "path": "/shipments",
    "scope": "shipments:read",
    "access": false,
    "headers": []
  },
  "createShipment": {
    "method": "POST",
    "path": "/shipments",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getShipment": {
    "method": "GET",
    "path": "/shipments/{shipment_id}",
    "scope": "shipments:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ]
  },
  "updateShipment": {
    "method": "PATCH",
    "path": "/shipments/{shipment_id}",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "If-Match"
    ]
  },
  "cancelShipment": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/cancel",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "listAccesses": {
    "method": "GET",
    "path": "/shipments/{shipment_id}/access",
    "scope": "shipments:read",
    "access": false,
    "headers": []
  },
  "createAccess": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/access",
    "scope": "shipments:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "deleteAccess": {
    "method": "DELETE",
    "path": "/shipments/{shipment_id}/access/{access_id}",
    "scope": "shipments:write",
    "access": false,
    "headers": []
  },
  "getTracking": {
    "method": "GET",
    "path": "/tracking/{tracking_number}",
    "scope": "tracking:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ]
  },
  "updateTracking": {
    "method": "PATCH",
    "path": "/tracking/{tracking_number}",
    "scope": "tracking:write",
    "access": true,
    "headers": []
  },
  "recordTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "voidTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events/{event_id}/void",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "listPositions": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:read",
    "access": true,
    "headers": []
  },
  "recordPositions": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "raiseException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getException": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}",
    "scope": "tracking:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ]
  },
  "resolveException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}/resolve",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "voidException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}/void",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getProofOfDelivery": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:read",
    "access": true,
    "headers": [
      "If-None-Match"
    ]
  },
  "submitProofOfDelivery": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "listProofUploads": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "scope": "tracking:read",
    "access": true,
    "headers": []
  },
  "createProofUpload": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "deleteProofUpload": {
    "method": "DELETE",
    "path": "/tracking/{tracking_number}/pod/uploads/{upload_id}",
    "scope": "tracking:write",
    "access": true,
    "headers": []
  },
  "listDocuments": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/documents",
    "scope": "tracking:read",
    "access": true,
    "headers": []
  },
  "addDocument": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/documents",
    "scope": "tracking:write",
    "access": true,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "deleteDocument": {
    "method": "DELETE",
    "path": "/tracking/{tracking_number}/documents/{document_id}",
    "scope": "shipments:write",
    "access": false,
    "headers": []
  },
  "listEvents": {
    "method": "GET",
    "path": "/events",
    "scope": "events:read",
    "access": false,
    "headers": []
  },
  "streamEvents": {
    "method": "GET",
    "path": "/events/stream",
    "scope": "events:read",
    "access": true,
    "headers": [
      "Last-Event-ID"
    ]
  },
  "listWebhookEndpoints": {
    "method": "GET",
    "path": "/webhook_endpoints",
    "scope": "webhooks:read",
    "access": false,
    "headers": []
  },
  "createWebhookEndpoint": {
    "method": "POST",
    "path": "/webhook_endpoints",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getWebhookEndpoint": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:read",
    "access": false,
    "headers": [
      "If-None-Match"
    ]
  },
  "updateWebhookEndpoint": {
    "method": "PATCH",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "If-Match"
    ]
  },
  "deleteWebhookEndpoint": {
    "method": "DELETE",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "If-Match"
    ]
  },
  "rotateWebhookSecret": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "replayWebhookEvents": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/replay",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "sendTestWebhook": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/test",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "listWebhookDeliveries": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries",
    "scope": "webhooks:read",
    "access": false,
    "headers": []
  },
  "resendWebhookDelivery": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend",
    "scope": "webhooks:write",
    "access": false,
    "headers": [
      "Idempotency-Key"
    ]
  },
  "putProofFile": {
    "method": "PUT",
    "path": "/uploads/{upload_token}",
    "scope": null,
    "access": false,
    "headers": []
  },
  "getProofFile": {
    "method": "GET",
    "path": "/files/{file_token}",
    "scope": null,
    "access": false,
    "headers": []
  }
} as const;

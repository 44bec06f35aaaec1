// Made from spec/ by `pnpm generate`. Do not edit.
/** The default base URL. Its path is the major version. */
export const defaultBaseUrl: string = "http://localhost:3000/v1";

/** Operation id → method, path, required scope (null: a signed URL instead of an API key) and header parameters. */
export const operationTable = {
  "listShipments": {
    "method": "GET",
    "path": "/shipments",
    "scope": "shipments:read",
    "headers": []
  },
  "createShipment": {
    "method": "POST",
    "path": "/shipments",
    "scope": "shipments:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getShipment": {
    "method": "GET",
    "path": "/shipments/{shipment_id}",
    "scope": "shipments:read",
    "headers": [
      "If-None-Match"
    ]
  },
  "cancelShipment": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/cancel",
    "scope": "shipments:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getTracking": {
    "method": "GET",
    "path": "/tracking/{tracking_number}",
    "scope": "tracking:read",
    "headers": [
      "If-None-Match"
    ]
  },
  "recordTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events",
    "scope": "tracking:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "listPositions": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:read",
    "headers": []
  },
  "recordPositions": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "raiseException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions",
    "scope": "tracking:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getException": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}",
    "scope": "tracking:read",
    "headers": [
      "If-None-Match"
    ]
  },
  "resolveException": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/exceptions/{exception_id}/resolve",
    "scope": "tracking:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getProofOfDelivery": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:read",
    "headers": [
      "If-None-Match"
    ]
  },
  "submitProofOfDelivery": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "createProofUpload": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "scope": "tracking:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "listEvents": {
    "method": "GET",
    "path": "/events",
    "scope": "events:read",
    "headers": []
  },
  "streamEvents": {
    "method": "GET",
    "path": "/events/stream",
    "scope": "events:read",
    "headers": [
      "Last-Event-ID"
    ]
  },
  "listWebhookEndpoints": {
    "method": "GET",
    "path": "/webhook_endpoints",
    "scope": "webhooks:read",
    "headers": []
  },
  "createWebhookEndpoint": {
    "method": "POST",
    "path": "/webhook_endpoints",
    "scope": "webhooks:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "getWebhookEndpoint": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:read",
    "headers": [
      "If-None-Match"
    ]
  },
  "updateWebhookEndpoint": {
    "method": "PATCH",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:write",
    "headers": [
      "If-Match"
    ]
  },
  "deleteWebhookEndpoint": {
    "method": "DELETE",
    "path": "/webhook_endpoints/{webhook_endpoint_id}",
    "scope": "webhooks:write",
    "headers": [
      "If-Match"
    ]
  },
  "rotateWebhookSecret": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret",
    "scope": "webhooks:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "replayWebhookEvents": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/replay",
    "scope": "webhooks:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "sendTestWebhook": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/test",
    "scope": "webhooks:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "listWebhookDeliveries": {
    "method": "GET",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries",
    "scope": "webhooks:read",
    "headers": []
  },
  "resendWebhookDelivery": {
    "method": "POST",
    "path": "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend",
    "scope": "webhooks:write",
    "headers": [
      "Idempotency-Key"
    ]
  },
  "putProofFile": {
    "method": "PUT",
    "path": "/uploads/{upload_token}",
    "scope": null,
    "headers": []
  },
  "getProofFile": {
    "method": "GET",
    "path": "/files/{file_token}",
    "scope": null,
    "headers": []
  }
} as const;

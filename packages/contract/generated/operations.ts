// Made from spec/ by `pnpm generate`. Do not edit.
/** Where the service is when nobody says otherwise; its path is the major version. */
export const defaultBaseUrl: string = "http://localhost:3000/v1";

export const operations = {
  "listShipments": {
    "method": "GET",
    "path": "/shipments",
    "scope": "shipments:read"
  },
  "createShipment": {
    "method": "POST",
    "path": "/shipments",
    "scope": "shipments:write"
  },
  "getShipment": {
    "method": "GET",
    "path": "/shipments/{shipment_id}",
    "scope": "shipments:read"
  },
  "cancelShipment": {
    "method": "POST",
    "path": "/shipments/{shipment_id}/cancel",
    "scope": "shipments:write"
  },
  "getTracking": {
    "method": "GET",
    "path": "/tracking/{tracking_number}",
    "scope": "tracking:read"
  },
  "recordTrackingEvent": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/events",
    "scope": "tracking:write"
  },
  "listPositions": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:read"
  },
  "recordPositions": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/positions",
    "scope": "tracking:write"
  },
  "getProofOfDelivery": {
    "method": "GET",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:read"
  },
  "submitProofOfDelivery": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod",
    "scope": "tracking:write"
  },
  "createProofUpload": {
    "method": "POST",
    "path": "/tracking/{tracking_number}/pod/uploads",
    "scope": "tracking:write"
  },
  "putProofFile": {
    "method": "PUT",
    "path": "/uploads/{upload_token}",
    "scope": null
  },
  "getProofFile": {
    "method": "GET",
    "path": "/files/{file_token}",
    "scope": null
  }
} as const;

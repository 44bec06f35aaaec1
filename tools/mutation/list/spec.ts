import type { List } from '../mutant.ts';

/** Mutants of the contract. The generated files follow each one, so the drift check does not kill it. */
export const spec: List = {
  'compatibility: createShipment requires the scope to read':
    'service assigns the `id` and the `tracking_number`.\n  security:\n    - apiKey: ["shipments:[-write-]{+read+}"]',
  'compatibility: putProofFile lacks its 410':
    '    "409": { $ref: ../responses.yaml#/FileConflict }\n[-    "410": { $ref: ../responses.yaml#/LinkExpired }\n-]',
  'contract/coverage: getShipment documents a 410':
    'ShipmentCancelled }\n{+    "410": { $ref: ../responses.yaml#/LinkExpired }\n+}    "304": ',
  'contract/coverage: a 403 documents Idempotent-Replayed':
    'the access its detail.\n  headers:\n{+    Idempotent-Replayed: { $ref: headers.yaml#/Idempotent-Replayed }\n+}',
  'contract/coverage: listShipments documents unknown_upload':
    '        cursor_mismatch: { $ref: examples/problems.yaml#/cursor_mismatch }\n{+        unknown_upload: { $ref: examples/problems.yaml#/unknown_upload }\n+}',
  'contract/coverage: a shipment documents a weight':
    '" }\n{+    weight:\n      type: number\n      description: In kilograms.\n+}    cancellation_reason:',
  'compatibility: a shipment does not document cancellation_reason':
    '    tracking_number: { $ref: "#/TrackingNumber" }\n    [-cancellation_reason-]{+reason_of_cancellation+}:',
  'compatibility: the size of a file is documented as a string':
    '      type: [-integer-]{+string+}\n      format: int32\n      description: Size in bytes, at most 10 MiB.',
  'compatibility: notes may have half the characters': "*)?$'\n  maxLength: [-2000-]{+1000+}",
  'compatibility: a dispatched shipment cannot be cancelled':
    '[-    - { from: dispatched, to: cancelled, operation: cancelShipment, description: Shipment cancelled }\n-]',
  'contract/coverage: the example of a problem has a detail that the service never returns':
    'detail: {+Sorry. +}Send application/json.',
  'examples: the example of a timeline contradicts the lifecycle':
    '[-picked_up-]{+cancelled+}, timestamp: "2026-03-03T17:05:00.000Z", description: Picked up from the origin }\n\n',
  'workflows: a workflow expects the proof before delivery':
    'components.parameters.number }]\n        successCriteria:\n          - condition: $statusCode == [-409-]{+200+}',
};

import { contractMutant, type Mutant } from '../mutant.ts';

/** Mutants of the contract. The generated files follow each one, so the drift check does not kill it. */
export const spec: Mutant[] = [
  contractMutant('createShipment requires the scope to read', 'paths/shipments.yaml', 'compatibility', {
    'apiKey: ["shipments:write"]': 'apiKey: ["shipments:read"]',
  }),
  contractMutant('putProofFile lacks its 410', 'paths/uploads_{upload_token}.yaml', 'compatibility', {
    '    "410": { $ref: ../responses.yaml#/LinkExpired }\n': '',
  }),
  contractMutant('getShipment documents a 410', 'paths/shipments_{shipment_id}.yaml', 'contract-coverage/coverage', {
    '    "304": ': '    "410": { $ref: ../responses.yaml#/LinkExpired }\n    "304": ',
  }),
  contractMutant('a 403 documents Idempotent-Replayed', 'responses.yaml', 'contract-coverage/coverage', {
    'the access its detail.\n  headers:\n':
      'the access its detail.\n  headers:\n    Idempotent-Replayed: { $ref: headers.yaml#/Idempotent-Replayed }\n',
  }),
  contractMutant('listShipments documents unknown_upload', 'responses.yaml', 'contract-coverage/coverage', {
    '        cursor_mismatch: { $ref: examples/problems.yaml#/cursor_mismatch }\n':
      '        cursor_mismatch: { $ref: examples/problems.yaml#/cursor_mismatch }\n        unknown_upload: { $ref: examples/problems.yaml#/unknown_upload }\n',
  }),
  contractMutant('a shipment documents a weight', 'schemas/shipments.yaml', 'contract-coverage/coverage', {
    '    cancellation_reason:':
      '    weight:\n      type: number\n      description: In kilograms.\n    cancellation_reason:',
  }),
  contractMutant('a shipment does not document cancellation_reason', 'schemas/shipments.yaml', 'compatibility', {
    '    cancellation_reason:': '    reason_of_cancellation:',
  }),
  contractMutant('the size of a file is documented as a string', 'schemas/proof.yaml', 'compatibility', {
    '      type: integer': '      type: string',
  }),
  contractMutant('notes may have half the characters', 'schemas/shipments.yaml', 'compatibility', {
    'maxLength: 2000\n    items:\n      type: array\n      description: What is shipped.\n      minItems: 1\n      maxItems: 100\n      items: { $ref: "#/ShipmentItemRequest" }':
      'maxLength: 1000\n    items:\n      type: array\n      description: What is shipped.\n      minItems: 1\n      maxItems: 100\n      items: { $ref: "#/ShipmentItemRequest" }',
  }),
  contractMutant('a dispatched shipment cannot be cancelled', 'schemas/lifecycle.yaml', 'compatibility', {
    '    - { from: dispatched, to: cancelled, operation: cancelShipment, description: Shipment cancelled }\n': '',
  }),
  contractMutant(
    'the example of a problem has a detail that the service never returns',
    'examples/problems.yaml',
    'contract-coverage/coverage',
    { 'detail: Send application/json.': 'detail: Sorry. Send application/json.' },
  ),
  contractMutant('the example of a timeline contradicts the lifecycle', 'examples/tracking.yaml', 'examples', {
    '- { status: picked_up, timestamp: "2026-03-03T17:05:00.000Z", description: Picked up from the origin }\n\nTrackingInTransit:':
      '- { status: cancelled, timestamp: "2026-03-03T17:05:00.000Z", description: Picked up from the origin }\n\nTrackingInTransit:',
  }),
  contractMutant(
    'a workflow expects the proof before delivery',
    'workflows/wait-for-the-proof-of-delivery.yaml',
    'workflows',
    { '$statusCode == 409': '$statusCode == 200' },
  ),
];

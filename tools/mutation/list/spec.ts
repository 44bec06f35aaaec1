import { contractMutant, type Mutant } from '../mutant.ts';

/** Mutants of the contract. The generated files follow each one, so the drift check does not kill it. */
export const spec: Mutant[] = [
  contractMutant('createShipment requires the scope to read', 'paths/shipments.yaml', 'compatibility', {
    'apiKey: ["shipments:write"]': 'apiKey: ["shipments:read"]',
  }),
  contractMutant('putProofFile lacks its 410', 'paths/uploads_{upload_token}.yaml', 'compatibility', {
    '    "410":\n      $ref: ../responses/LinkExpired.yaml\n': '',
  }),
  contractMutant('getShipment documents a 410', 'paths/shipments_{shipment_id}.yaml', 'contract-coverage/coverage', {
    '    "404":\n': '    "410":\n      $ref: ../responses/LinkExpired.yaml\n    "404":\n',
  }),
  contractMutant('a 403 documents Idempotent-Replayed', 'responses/Forbidden.yaml', 'contract-coverage/coverage', {
    'content:\n': 'headers:\n  Idempotent-Replayed:\n    $ref: ../headers/Idempotent-Replayed.yaml\ncontent:\n',
  }),
  contractMutant(
    'listShipments documents unknown_upload',
    'responses/BadListRequest.yaml',
    'contract-coverage/coverage',
    {
      '      cursor_mismatch:\n':
        '      unknown_upload:\n        $ref: ../examples/problems/unknown_upload.yaml\n      cursor_mismatch:\n',
    },
  ),
  contractMutant('a shipment documents a weight', 'schemas/Shipment.yaml', 'contract-coverage/coverage', {
    '  cancellation_reason:': '  weight:\n    type: number\n    description: In kilograms.\n  cancellation_reason:',
  }),
  contractMutant('a shipment does not document cancellation_reason', 'schemas/Shipment.yaml', 'compatibility', {
    '  cancellation_reason:': '  reason_of_cancellation:',
  }),
  contractMutant('the size of a file is documented as a string', 'schemas/ProofUploadRequest.yaml', 'compatibility', {
    '    type: integer': '    type: string',
  }),
  contractMutant('notes may have half the characters', 'schemas/ShipmentDetails.yaml', 'compatibility', {
    '    maxLength: 2000': '    maxLength: 1000',
  }),
  contractMutant('a dispatched shipment cannot be cancelled', 'schemas/ShipmentStatus.yaml', 'compatibility', {
    '  - { from: dispatched, to: cancelled, operation: cancelShipment, description: Shipment cancelled }\n': '',
  }),
  contractMutant(
    'the example of a problem has a detail that the service never returns',
    'examples/problems/unsupported_media_type.yaml',
    'contract-coverage/coverage',
    { '  detail: ': '  detail: Sorry. ' },
  ),
  contractMutant('the example of a timeline contradicts the lifecycle', 'examples/TrackingInTransit.yaml', 'examples', {
    '{ status: picked_up,': '{ status: cancelled,',
  }),
  contractMutant(
    'a workflow expects the proof before delivery',
    'workflows/wait-for-the-proof-of-delivery.yaml',
    'workflows',
    { '$statusCode == 409': '$statusCode == 200' },
  ),
];

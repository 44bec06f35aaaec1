import { type Defect, defect } from '../defect.ts';

/** The contract itself: what is generated follows it, so something else must notice. */
export const spec: Defect[] = [
  defect(
    'scope weakened: booking asks for the right to read',
    'spec/paths/shipments.yaml',
    'apiKey: ["shipments:write"]',
    'apiKey: ["shipments:read"]',
    'compatibility',
  ),
  defect(
    'a response that is not documented: 410 of an upload',
    'spec/paths/uploads_{upload_token}.yaml',
    '    "410":\n      $ref: ../responses/LinkExpired.yaml\n',
    '',
    'compatibility',
  ),
  defect(
    'a response that never comes: 410 of a shipment',
    'spec/paths/shipments_{shipment_id}.yaml',
    '    "404":\n',
    '    "410":\n      $ref: ../responses/LinkExpired.yaml\n    "404":\n',
    'contract/coverage',
  ),
  defect(
    'a header that never comes: Idempotent-Replayed on 403',
    'spec/responses/Forbidden.yaml',
    'headers:\n',
    'headers:\n  Idempotent-Replayed:\n    $ref: ../headers/Idempotent-Replayed.yaml\n',
    'contract/coverage',
  ),
  defect(
    'a problem code that never comes: unknown_upload of a list',
    'spec/responses/BadListRequest.yaml',
    '      cursor_mismatch:\n',
    '      unknown_upload:\n        $ref: ../examples/problems/unknown_upload.yaml\n      cursor_mismatch:\n',
    'contract/coverage',
  ),
  defect(
    'a field that is not documented: why a shipment was cancelled',
    'spec/schemas/Shipment.yaml',
    '  cancellation_reason:',
    '  reason_of_cancellation:',
    'compatibility',
  ),
  defect(
    'type changed: the size of a file is text',
    'spec/schemas/ProofUploadRequest.yaml',
    '    type: integer',
    '    type: string',
    'compatibility',
  ),
  defect(
    'a limit tightened: shorter references',
    'spec/schemas/ShipmentRequest.yaml',
    '    maxLength: 2000',
    '    maxLength: 1000',
    'compatibility',
  ),
  defect(
    'a way of the lifecycle lost: cancelling after dispatch',
    'spec/schemas/ShipmentStatus.yaml',
    '  - { from: dispatched, to: cancelled, operation: cancelShipment, description: Shipment cancelled }\n',
    '',
    'compatibility',
  ),
  defect(
    'lying example: a problem in words that the server never says',
    'spec/examples/problems/unsupported_media_type.yaml',
    '  detail: ',
    '  detail: Sorry. ',
    'examples',
  ),
  defect(
    'lying example: a timeline that the lifecycle does not allow',
    'spec/examples/TrackingInTransit.yaml',
    '{ status: picked_up,',
    '{ status: cancelled,',
    'examples',
  ),
  defect(
    'lying journey: the proof is there before delivery',
    'spec/workflows/wait-for-the-proof.yaml',
    '$statusCode == 409',
    '$statusCode == 200',
    'workflows',
  ),
];

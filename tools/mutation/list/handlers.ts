import { type Mutant, mutant } from '../mutant.ts';

const src = 'packages/server/src';

/** Responses: fields, statuses, headers and problems. */
export const handlers: Mutant[] = [
  mutant(
    'a shipment lacks its notes',
    `${src}/shipments/handlers.ts`,
    '    ...(row.notes !== null && { notes: row.notes }),\n',
    '',
    'examples',
  ),
  mutant(
    'a cancelled shipment lacks its reason',
    `${src}/shipments/handlers.ts`,
    '    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),\n',
    '',
    'examples',
  ),
  mutant(
    'an unknown eta is an empty string, not null',
    `${src}/tracking/handlers.ts`,
    'eta: row.eta?.toISOString() ?? null',
    "eta: row.eta?.toISOString() ?? ''",
    'contract-coverage/coverage',
  ),
  mutant(
    'a timestamp lacks milliseconds',
    `${src}/shipments/handlers.ts`,
    'created_at: timeOfUuid(row.id).toISOString(),',
    "created_at: timeOfUuid(row.id).toISOString().replace(/\\..*/, ''),",
    'contract-coverage/coverage',
  ),
  mutant(
    'a creation returns 200',
    `${src}/contract/route-handlers.ts`,
    'reply.code(status)',
    'reply.code(status === 201 ? 200 : status)',
    'contract-coverage/coverage',
  ),
  mutant(
    'a response lacks Location',
    `${src}/contract/route-handlers.ts`,
    'const headers = { ...(isJson &&',
    'delete response.headers?.location;\n  const headers = { ...(isJson &&',
    'contract-coverage/coverage',
  ),
  mutant(
    'a response with an ETag lacks Vary',
    `${src}/contract/route-handlers.ts`,
    ", vary: 'Authorization' }",
    ' }',
    'contract-coverage/coverage',
  ),
  mutant(
    'a 503 lacks Retry-After',
    `${src}/http/problems.ts`,
    "  if (code === 'unavailable') return { 'Retry-After': '2' };\n",
    '',
    'contract-coverage/coverage',
  ),
  mutant(
    'a 401 lacks WWW-Authenticate',
    `${src}/http/problems.ts`,
    "  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };\n",
    '',
    'contract-coverage/coverage',
  ),
  mutant(
    'every response has an undocumented header',
    `${src}/http/problems.ts`,
    "  'x-request-id': requestId,\n",
    "  'x-request-id': requestId,\n  'x-served-by': 'waybill',\n",
    'contract-coverage/coverage',
  ),
  mutant(
    'every problem has an undocumented field',
    `${src}/http/problems.ts`,
    '      ...this.members,\n',
    "      ...this.members,\n      ...{ hint: 'Read the docs.' },\n",
    'contract-coverage/coverage',
  ),
  mutant(
    'a body that is too large returns malformed_request',
    `${src}/http/problem-from-error.ts`,
    "FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large'",
    "FST_ERR_CTP_BODY_TOO_LARGE: 'malformed_request'",
    'contract-coverage/coverage',
  ),
  mutant(
    'a lost database connection returns 500',
    `${src}/http/problem-from-error.ts`,
    'if (unavailableCode.test(code) || unavailableMessage.test(error.message)) {',
    'if (unavailableCode.test(code) && unavailableMessage.test(error.message)) {',
    'contract-coverage/coverage',
  ),
  mutant(
    'a 500 contains the message of the internal error',
    `${src}/http/problem-from-error.ts`,
    '  return internalError();\n}',
    "  return new Problem('internal_error', error.message);\n}",
    'outages http/app proof examples contract-coverage/coverage',
  ),
  mutant(
    'the request id of a problem differs from its header',
    `${src}/http/problems.ts`,
    'request_id: requestId,',
    "request_id: requestId.replace(/.$/, '0').replace(/^./, '1'),",
    'every-operation/invalid-requests',
  ),
  mutant(
    'a 405 lacks Allow',
    `${src}/contract/routes.ts`,
    ', {}, { Allow: allow });',
    ');',
    'every-operation/invalid-requests',
  ),
];

import { type Mutant, mutantsIn } from '../mutant.ts';

const mutant = mutantsIn('packages/server/src');
const contract = mutantsIn('packages/contract');

/** Responses: fields, statuses, headers and problems. */
export const handlers: Mutant[] = [
  mutant('a shipment lacks its notes', 'shipments/handlers.ts', 'examples', {
    '    ...(row.notes !== null && { notes: row.notes }),\n': '',
  }),
  mutant('a cancelled shipment lacks its reason', 'shipments/handlers.ts', 'examples', {
    '    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),\n': '',
  }),
  mutant('an unknown eta is an empty string, not null', 'tracking/handlers.ts', 'contract-coverage/coverage', {
    'eta: row.eta?.toISOString() ?? null': "eta: row.eta?.toISOString() ?? ''",
  }),
  mutant('a timestamp lacks milliseconds', 'shipments/handlers.ts', 'contract-coverage/coverage', {
    'created_at: timeOfUuid(row.id).toISOString(),':
      "created_at: timeOfUuid(row.id).toISOString().replace(/\\..*/, ''),",
  }),
  mutant('a creation returns 200', 'contract/route-handlers.ts', 'contract-coverage/coverage', {
    'reply.code(status)': 'reply.code(status === 201 ? 200 : status)',
  }),
  mutant('a response lacks Location', 'contract/route-handlers.ts', 'contract-coverage/coverage', {
    'const isJson = revealed': 'delete headers.location;\n  const isJson = revealed',
  }),
  mutant('a response with an ETag lacks Vary', 'contract/route-handlers.ts', 'http/conditional-requests', {
    ", vary: 'Authorization, Origin' }": ' }',
  }),
  mutant('a 503 lacks Retry-After', 'http/problems.ts', 'contract-coverage/coverage', {
    "  if (code === 'unavailable') return { 'Retry-After': '2' };\n": '',
  }),
  mutant('a 401 lacks WWW-Authenticate', 'http/problems.ts', 'contract-coverage/coverage', {
    "  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };\n": '',
  }),
  mutant('every response has an undocumented header', 'http/problems.ts', 'contract-coverage/coverage', {
    "  'x-request-id': requestId,\n": "  'x-request-id': requestId,\n  'x-served-by': 'waybill',\n",
  }),
  contract('every problem has an undocumented field', 'problem-document.ts', 'contract-coverage/coverage', {
    '...members }': "...members, ...{ hint: 'Read the docs.' } }",
  }),
  mutant(
    'a body that is too large returns malformed_request',
    'http/problem-from-error.ts',
    'contract-coverage/coverage',
    {
      "FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large'": "FST_ERR_CTP_BODY_TOO_LARGE: 'malformed_request'",
    },
  ),
  mutant('a lost database connection returns 500', 'http/problem-from-error.ts', 'contract-coverage/coverage', {
    'if (unavailableCode.test(code) || unavailableMessage.test(error.message)) {':
      'if (unavailableCode.test(code) && unavailableMessage.test(error.message)) {',
  }),
  mutant(
    'a 500 contains the message of the internal error',
    'http/problem-from-error.ts',
    'outages http/app proof contract-coverage/coverage',
    {
      '  return internalError();\n}': "  return new Problem('internal_error', error.message);\n}",
    },
  ),
  contract(
    'the request id of a problem differs from its header',
    'problem-document.ts',
    'every-operation/invalid-requests',
    {
      'request_id: requestId,': "request_id: requestId.replace(/.$/, '0').replace(/^./, '1'),",
    },
  ),
  mutant('a 405 lacks Allow', 'contract/routes.ts', 'every-operation/invalid-requests', {
    ', {}, { Allow: allow });': ');',
  }),
];

import { type Mutant, mutant } from '../mutant.ts';

/** Responses: fields, statuses, headers and problems. */
export const handlers: Mutant[] = [
  mutant('a shipment lacks its notes', 'examples', { '    ...(row.notes !== null && { notes: row.notes }),\n': '' }),
  mutant('a cancelled shipment lacks its reason', 'examples', {
    '    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),\n': '',
  }),
  mutant('an unknown eta is an empty string, not null', 'contract-coverage/coverage', {
    '    eta: row.eta?.toISOString() ?? null,\n': "    eta: row.eta?.toISOString() ?? '',\n",
  }),
  mutant('a timestamp lacks milliseconds', 'contract-coverage/coverage', {
    '    created_at: timeOfUuid(row.id).toISOString(),\n    updated_at: row.updated_at.toISOString(),\n  };\n}\n':
      "    created_at: timeOfUuid(row.id).toISOString().replace(/\\..*/, ''),\n    updated_at: row.updated_at.toISOString(),\n  };\n}\n",
  }),
  mutant('a creation returns 200', 'contract-coverage/coverage', {
    'return reply.code(status).headers(headers)': 'return reply.code(status === 201 ? 200 : status).headers(headers)',
  }),
  mutant('a response lacks Location', 'contract-coverage/coverage', {
    'const isJson = revealed': 'delete headers.location;\n  const isJson = revealed',
  }),
  mutant('a response with an ETag lacks Vary', 'http/conditional-requests', {
    ", vary: 'Authorization, Origin, Accept-Encoding' }": ' }',
  }),
  mutant('a 503 lacks Retry-After', 'contract-coverage/coverage', {
    "  if (code === 'unavailable') return { 'Retry-After': '2' };\n": '',
  }),
  mutant('a 401 lacks WWW-Authenticate', 'contract-coverage/coverage', {
    "  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };\n": '',
  }),
  mutant('every response has an undocumented header', 'contract-coverage/coverage', {
    "  'x-request-id': requestId,\n": "  'x-request-id': requestId,\n  'x-served-by': 'waybill',\n",
  }),
  mutant('every problem has an undocumented field', 'fuzz', {
    '...members }': "...members, ...{ hint: 'Read the docs.' } }",
  }),
  mutant('a body that is too large returns malformed_request', 'contract-coverage/coverage', {
    "FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large'": "FST_ERR_CTP_BODY_TOO_LARGE: 'malformed_request'",
  }),
  mutant('a lost database connection returns 500', 'contract-coverage/coverage', {
    "typeof error.code === 'string' ? error.code : '') ||": "typeof error.code === 'string' ? error.code : '') &&",
  }),
  mutant('a 500 contains the message of the internal error', 'outages http/app proof contract-coverage/coverage', {
    '  return internalError();\n}': "  return new Problem('internal_error', error.message);\n}",
  }),
  mutant('the request id of a problem differs from its header', 'every-operation/requests', {
    'request_id: requestId,': "request_id: requestId.replace(/.$/, '0').replace(/^./, '1'),",
  }),
  mutant('a 405 lacks Allow', 'every-operation/requests', { ', {}, { Allow: allow });': ');' }),
  mutant('a shipment may have one exception more', 'exceptions/exceptions', {
    ".where('exceptions', '<', maxExceptions)": ".where('exceptions', '<=', maxExceptions)",
  }),
  mutant('a resolved exception still counts as open', 'exceptions/exceptions', {
    "open_exceptions: is('open_exceptions', '-', 1)": "open_exceptions: is('open_exceptions', '-', 0)",
  }),
  mutant('an exception can be resolved twice', 'exceptions/exceptions', {
    'if (exception.resolved_at !== null) {': 'if (exception.resolved_at === undefined) {',
  }),
  mutant('exceptions are read in the order in which they were raised', 'exceptions/exceptions', {
    "        .orderBy((by) => by('x.resolved_at', 'is not', null))\n": '',
  }),
  mutant('a shipment can be changed in any status', 'shipments/changes', {
    'if (refused.length > 0) throw changeNotAllowed': 'if (refused.length > 99) throw changeNotAllowed',
  }),
  mutant('a change that changes nothing has an event', 'shipments/changes', {
    'return different.length > 0 ? changed : undefined;': 'return changed;',
  }),
  mutant('a change does not lock the shipment', 'shipments/changes', {
    "    .where('id', '=', id)\n    .forNoKeyUpdate()\n": "    .where('id', '=', id)\n",
  }),
  mutant('a change ignores If-Match', 'shipments/changes', {
    "if (headers['if-match'] !== undefined) requireMatch(headers['if-match'], shipmentTag(before));": '',
  }),
  mutant('an unattended delivery needs no photo', 'proof/unattended', {
    'if (unattended && !photos) errors.push': 'if (unattended && !photos && false) errors.push',
  }),
  mutant('the service ignores that a signature is required', 'proof/unattended', {
    'requireUnattendedAllowed(body, shipment.details);': '',
  }),
];

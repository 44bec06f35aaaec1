import { type Mutant, mutant } from '../mutant.ts';

const src = 'packages/server/src';

/** What handlers say and how it goes out. */
export const handlers: Mutant[] = [
  mutant(
    'field dropped: notes',
    `${src}/shipments/handlers.ts`,
    '    ...(row.notes !== null && { notes: row.notes }),\n',
    '',
    'examples',
  ),
  mutant(
    'field dropped: why a shipment was cancelled',
    `${src}/shipments/handlers.ts`,
    '    ...(row.cancellation_reason !== null && { cancellation_reason: row.cancellation_reason }),\n',
    '',
    'examples',
  ),
  mutant(
    'type changed: an unknown eta is text, not null',
    `${src}/tracking/handlers.ts`,
    'eta: row.eta?.toISOString() ?? null',
    "eta: row.eta?.toISOString() ?? ''",
    'contract/coverage',
  ),
  mutant(
    'undocumented value: a time without milliseconds',
    `${src}/shipments/handlers.ts`,
    'created_at: createdAt(row.id).toISOString(),',
    "created_at: createdAt(row.id).toISOString().replace(/\\..*/, ''),",
    'contract/coverage',
  ),
  mutant(
    'status changed: what is created answers 200',
    `${src}/contract/answer.ts`,
    'reply.code(sent.status)',
    'reply.code(sent.status === 201 ? 200 : sent.status)',
    'contract/coverage',
  ),
  mutant(
    'header lost: Location',
    `${src}/contract/answer.ts`,
    'const headers = { ...(json &&',
    'delete own?.location;\n  const headers = { ...(json &&',
    'contract/coverage',
  ),
  mutant(
    'header lost: Vary on conditional reads',
    `${src}/contract/answer.ts`,
    ", vary: 'Authorization' }",
    ' }',
    'contract/coverage',
  ),
  mutant(
    'header lost: Retry-After on 503',
    `${src}/http/problems.ts`,
    "  if (code === 'unavailable') return { 'Retry-After': '2' };\n",
    '',
    'contract/coverage',
  ),
  mutant(
    'header lost: WWW-Authenticate',
    `${src}/http/problems.ts`,
    "  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' };\n",
    '',
    'contract/coverage',
  ),
  mutant(
    'undocumented header on every answer',
    `${src}/http/headers.ts`,
    "  'x-request-id': id,\n",
    "  'x-request-id': id,\n  'x-served-by': 'waybill',\n",
    'contract/coverage',
  ),
  mutant(
    'undocumented field in every problem',
    `${src}/http/problems.ts`,
    '      ...this.members,\n',
    "      ...this.members,\n      ...{ hint: 'Read the docs.' },\n",
    'contract/coverage',
  ),
  mutant(
    'code of another problem: a large body is malformed',
    `${src}/http/problems.ts`,
    "FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large'",
    "FST_ERR_CTP_BODY_TOO_LARGE: 'malformed_request'",
    'contract/coverage',
  ),
  mutant(
    'missing code: a lost database connection is a fault of ours',
    `${src}/http/problems.ts`,
    'if (unavailable.test(code) || lostConnection.test(error.message)) {',
    'if (unavailable.test(code) && lostConnection.test(error.message)) {',
    'contract/coverage',
  ),
  mutant(
    'internals shown: a 500 says what the database said',
    `${src}/http/problems.ts`,
    "  return new Problem('internal_error', 'A fault of ours. It has been logged.');\n}",
    "  return new Problem('internal_error', error.message);\n}",
    'outages http/app proof examples contract/coverage',
  ),
  mutant(
    'another request id in the problem than in its header',
    `${src}/http/problems.ts`,
    'request_id: requestId,',
    "request_id: requestId.replace(/.$/, '0').replace(/^./, '1'),",
    'contract-driven/invalid-requests',
  ),
  mutant(
    '405 without Allow',
    `${src}/contract/adapter.ts`,
    ', {}, { Allow: allow });',
    ');',
    'contract-driven/invalid-requests',
  ),
];

import { type Mutant, mutantsIn } from '../mutant.ts';

const mutant = mutantsIn('packages/server/src');
const contract = mutantsIn('packages/contract');
const http = mutantsIn('packages/http/src');
const validation = mutantsIn('packages/contract/validation');

/** Validation, idempotency and conditional reads. */
export const adapter: Mutant[] = [
  validation('unknown query parameters are valid', 'part-validator.ts', 'every-operation/invalid-requests', {
    'additionalProperties: false });': 'additionalProperties: true });',
  }),
  validation(
    'a 400 names only the first invalid field',
    'contract-ajv.ts',
    'validation/bodies every-operation/invalid-requests',
    {
      'allErrors: true,': 'allErrors: false,',
    },
  ),
  validation('a 400 names any number of invalid fields', 'field-errors.ts', 'validation/json-structure', {
    'reported.slice(0, maxFieldErrors)': 'reported.slice(0, maxFieldErrors * 1000)',
  }),
  validation('a number in a body may be a string', 'contract-ajv.ts', 'fuzz', {
    'coerceTypes: false,': 'coerceTypes: true,',
  }),
  mutant(
    'requests are validated before they are authenticated',
    'contract/routes.ts',
    'every-operation/authorization',
    {
      "  app.addHook('onRoute', replaceValidation);\n":
        "  app.addHook('onRoute', (route) => {\n    replaceValidation(route);\n    Object.assign(route, { preHandler: route.onRequest, onRequest: [] });\n  });\n",
    },
  ),
  validation('a number in a URL may have any format', 'part-validator.ts', 'fuzz', {
    '(0|[1-9]\\d*)(\\.\\d+)?(e[+-]?\\d+)?$/i.test(text)': '.+$/.test(text)',
  }),
  validation('`after` of x-time allows equal timestamps', 'contract-ajv.ts', 'fuzz', {
    'timestampOf(time) <= timestampOf(': 'timestampOf(time) < timestampOf(',
  }),
  validation('`max_ahead` of x-time allows twice the time', 'contract-ajv.ts', 'fuzz', {
    'Date.now() + milliseconds(ahead)': 'Date.now() + 2 * milliseconds(ahead)',
  }),
  validation('nonexistent days are valid', 'contract-ajv.ts', 'fuzz', {
    "const isValid = matches(fullFormats['date-time'], text) && year": 'const isValid = year',
  }),
  validation('invalid UTF-8 is replaced', 'parse-json.ts', 'every-operation/invalid-requests', {
    '{ fatal: true, ignoreBOM: true }': '{ fatal: false, ignoreBOM: true }',
  }),
  mutant('every operation accepts images', 'contract/bodies.ts', 'every-operation/invalid-requests', {
    'if (type === undefined || accepted.includes(type)) return;':
      "if (type === undefined || accepted.includes(type) || type === 'image/png') return;",
  }),
  http('a compressed body is stored as it came', 'bodies.ts', 'every-operation/invalid-requests', {
    'if (hasContentCoding(encoding)) {': "if (hasContentCoding(encoding) && encoding === 'br') {",
  }),
  mutant('a key with another body replays the response', 'idempotency/execute-write.ts', 'contract-coverage/coverage', {
    'canonicalJson(path), canonicalJson(body)]': 'canonicalJson(path), typeof body]',
  }),
  mutant('the order of fields makes another request', 'idempotency/execute-write.ts', 'idempotency/stored-responses', {
    'canonicalJson(path), canonicalJson(body)]': 'canonicalJson(path), JSON.stringify(body)]',
  }),
  mutant('a replay lacks Idempotent-Replayed', 'idempotency/stored-responses.ts', 'contract-coverage/coverage', {
    "headers: { ...headers, 'idempotent-replayed': 'true' }, body }": 'headers: { ...headers }, body }',
  }),
  mutant('a 400 is stored', 'idempotency/stored-responses.ts', 'idempotency/stored-responses', {
    'const statusesNotStored = [400, 401,': 'const statusesNotStored = [401,',
  }),
  mutant('a response is stored a day too long', 'idempotency/stored-responses.ts', 'idempotency/every-post', {
    'export const retentionHours = 24;': 'export const retentionHours = 48;',
  }),
  mutant('an expired key of positions replays its response', 'tracking/positions-group.ts', 'idempotency/every-post', {
    "when ${isUnexpired('r.stored_at')} then": "when r.stored_at is not null or ${isUnexpired('r.stored_at')} then",
  }),
  mutant('a response is stored outside the transaction of the write', 'idempotency/execute-write.ts', 'idempotency', {
    'await storeResponse(trx, keyedRequest, response)': 'await storeResponse(db, keyedRequest, response)',
  }),
  contract('any If-None-Match returns 304', 'request-headers.ts', 'http/conditional-requests', {
    '?.includes(etag) ?? false': '?.some((tag) => tag.length > 2 || tag === etag) ?? false',
  }),
  mutant('the ETag is that of the first characters only', 'http/conditional.ts', 'http/conditional-requests', {
    "hash('sha256', representation, 'buffer')": "hash('sha256', representation.slice(0, 40), 'buffer')",
  }),
  mutant('DATABASE_TIMEOUT_MS has no effect', 'app.ts', 'time-limits', {
    '    timeout: config.DATABASE_TIMEOUT_MS,': '    timeout: 4000,',
  }),
  mutant('STORAGE_TIMEOUT_MS has no effect', 'app.ts', 'files/folder files/s3', {
    'config.STORAGE_URL, config.STORAGE_TIMEOUT_MS': 'config.STORAGE_URL, 4000',
  }),
  mutant('SHUTDOWN_TIMEOUT_MS has no effect', 'app.ts', 'shutdown', {
    'timeout: config.SHUTDOWN_TIMEOUT_MS }': 'timeout: 10_000 }',
  }),
  mutant('a lost database connection ends the process', 'database/connect.ts', 'contract-coverage/coverage outages', {
    "client.on('error', onError);": "client.off('error', onError);",
  }),
];

import { type Mutant, mutant } from '../mutant.ts';

/** Validation, idempotency and conditional reads. */
export const adapter: Mutant[] = [
  mutant('unknown query parameters are valid', 'contract-coverage/coverage', {
    'additionalProperties: false });': 'additionalProperties: true });',
  }),
  mutant('a 400 names only the first invalid field', 'validation/bodies', {
    'allErrors: true,\n    coerceTypes: false,': 'allErrors: false,\n    coerceTypes: false,',
  }),
  mutant('a 400 names any number of invalid fields', 'validation/bodies', {
    'reported.slice(0, maxFieldErrors)': 'reported.slice(0, maxFieldErrors * 1000)',
  }),
  mutant('a number in a body may be a string', 'fuzz', { 'coerceTypes: false,': 'coerceTypes: true,' }),
  mutant('requests are validated before they are authenticated', 'contract-coverage/coverage', {
    'onRequest: admit(id),': 'preHandler: admit(id),',
  }),
  mutant('a number in a URL may have any format', 'fuzz', {
    'integer: /^-?(0|[1-9]\\d*)$/': 'integer: /^.+$/',
  }),
  mutant('`after` of x-time allows equal timestamps', 'fuzz', {
    'timestampOf(time) <= timestampOf(': 'timestampOf(time) < timestampOf(',
  }),
  mutant('`max_ahead` of x-time allows twice the time', 'fuzz', {
    'Date.now() + milliseconds(ahead)': 'Date.now() + 2 * milliseconds(ahead)',
  }),
  mutant('nonexistent days are valid', 'fuzz', {
    "const isValid = matches(fullFormats['date-time'], text) && year": 'const isValid = year',
  }),
  mutant('invalid UTF-8 is replaced', 'contract-coverage/coverage', {
    '{ fatal: true, ignoreBOM: true }': '{ fatal: false, ignoreBOM: true }',
  }),
  mutant('every operation accepts images', 'contract-coverage/coverage', {
    'if (type === undefined || accepted.includes(type)) return;':
      "if (type === undefined || accepted.includes(type) || type === 'image/png') return;",
  }),
  mutant('a compressed body is stored as it came', 'contract-coverage/coverage', {
    'if (hasContentCoding(encoding)) {': "if (hasContentCoding(encoding) && encoding === 'br') {",
  }),
  mutant('a key with another body replays the response', 'contract-coverage/coverage', {
    'canonicalJson(path), canonicalJson(body)]': 'canonicalJson(path), typeof body]',
  }),
  mutant('the order of fields makes another request', 'idempotency/stored-responses', {
    'canonicalJson(path), canonicalJson(body)]': 'canonicalJson(path), JSON.stringify(body)]',
  }),
  mutant('a replay lacks Idempotent-Replayed', 'contract-coverage/coverage', {
    "headers: { ...headers, 'idempotent-replayed': 'true' }, body }": 'headers: { ...headers }, body }',
  }),
  mutant('the look-up of a key does not count towards the time of its request', 'outages/network', {
    'return andThen(countWait(request, found), (': 'return andThen(found, (',
  }),
  mutant('the search for a stored response has no limit', 'outages/network', {
    'await withTimeLimit(stored, untilEnd(), throwLate(waitsForKey))': 'await stored',
  }),
  mutant('a 400 is stored', 'idempotency/stored-responses', {
    'const statusesNotStored = [400, 401,': 'const statusesNotStored = [401,',
  }),
  mutant('a response is stored a day too long', 'idempotency/every-post', {
    'export const retentionHours = 24;': 'export const retentionHours = 48;',
  }),
  mutant('an expired key of positions replays its response', 'idempotency/every-post', {
    ".when('r.stored_at', '>', expiry)\n          .then(literal('key_used'))\n          .when('a.ordinal'":
      ".when(is.or([is('r.stored_at', '>', expiry), is('r.stored_at', 'is not', null)]))\n          .then(literal('key_used'))\n          .when('a.ordinal'",
  }),
  mutant('a response is stored outside the transaction of the write', 'idempotency', {
    'await storeResponse(trx, keyedRequest, committed.response)':
      'await storeResponse(db, keyedRequest, committed.response)',
  }),
  mutant('any If-None-Match returns 304', 'http/conditional-requests', {
    'header.match(form)?.some((listed) => listed === etag': 'header.match(form)?.some((listed) => listed.length > 2',
  }),
  mutant('the ETag is that of the first characters only', 'http/conditional-requests', {
    "hash('sha256', representation, 'buffer')": "hash('sha256', representation.slice(0, 40), 'buffer')",
  }),
  mutant('DATABASE_TIMEOUT_MS has no effect', 'time-limits', {
    '    timeout: config.DATABASE_TIMEOUT_MS,': '    timeout: 4000,',
  }),
  mutant('STORAGE_TIMEOUT_MS has no effect', 'files/folder files/s3', {
    'config.STORAGE_URL, config.STORAGE_TIMEOUT_MS': 'config.STORAGE_URL, 4000',
  }),
  mutant('SHUTDOWN_TIMEOUT_MS has no effect', 'shutdown', {
    'timeout: config.SHUTDOWN_TIMEOUT_MS }': 'timeout: 10_000 }',
  }),
  mutant('a lost database connection ends the process', 'contract-coverage/coverage outages', {
    "client.on('error', onError);": "client.off('error', onError);",
  }),
  mutant('a connection that has got one of several responses is not watched', 'outages/network', {
    'if (known.responses === 0) waiting.delete(client);': 'waiting.delete(client);',
  }),
];

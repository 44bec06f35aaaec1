import { type Mutant, mutant } from '../mutant.ts';

/** Client, mock, generated files, imports and clean-up. */
export const packages: Mutant[] = [
  mutant('the client sends a new idempotency key with each attempt', 'client/retries', {
    'const headers = new Headers(sent);':
      "const headers = new Headers(sent);\n  if (headers.has('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID());",
  }),
  mutant('the client serializes the body again for each attempt', 'client/retries', {
    'body: content }': 'body: file ? content : params }',
    'bodySerializer: (body) => body': 'bodySerializer: (body) => (file ? body : JSON.stringify(body))',
  }),
  mutant('the signal of a call does not reach fetch', 'client/errors', {
    '...request.init, signal: deadline.signal, fetch': '...request.init, signal: new AbortController().signal, fetch',
  }),
  mutant('the client looks for an unknown host until the timeout', 'client/retries', {
    'if (!connection.isReached && ': 'if (false && ',
  }),
  mutant('the client repeats a POST without an idempotency key', 'client/retries', {
    "isRepeatable: idempotentMethods.includes(method) || headers.has('Idempotency-Key')": 'isRepeatable: true',
  }),
  mutant('the client sends its API key to a signed URL', 'client', { 'if (!signed && apiKey &&': 'if (apiKey &&' }),
  mutant('the client omits the last page of a list', 'client', {
    'return has_more && isNew ?': 'return has_more && isNew && !params?.cursor ?',
  }),
  mutant('the client waits for less than Retry-After', 'client/retries', { 'Number(value) * 1000': 'Number(value)' }),
  mutant('the client retries at most twice', 'client/restart', {
    'options.maxRetries ?? Number.POSITIVE_INFINITY': 'options.maxRetries ?? 2',
  }),
  mutant('the client repeats the events of the last page', 'client/event-iterators', {
    'const next = page.next_after ?? undefined;': 'const next = after ?? page.next_after ?? undefined;',
  }),
  mutant('the client does not move past events of other types', 'client/event-iterators', {
    'const next = page.next_after ?? undefined': 'const next = page.data.at(-1)?.id ?? after',
  }),
  mutant('the client waits for an event for less than its wait', 'client/event-iterators', {
    'attemptTimeout: wait * 1000 + attemptTimeout': 'attemptTimeout',
  }),
  mutant('a later change changes an event of the mock', 'mock/service', {
    'changed.shipment = { ...shipment, status, updated_at: now.toISOString() };':
      'Object.assign(shipment, { status, updated_at: now.toISOString() });',
  }),
  mutant('the mock stores no response for an Idempotency-Key', 'mock/service-cases', {
    '    if (stored) return replayOrThrow(stored.response);\n': '',
  }),
  mutant('the mock returns optional headers', 'mock/responses', {
    "documented[name]?.required && name !== 'X-Request-Id'": "documented[name] && name !== 'X-Request-Id'",
  }),
  mutant('the mock ignores Prefer: dynamic=true', 'mock/responses', {
    'mock: { ...selected, dynamic }': 'mock: { ...selected, dynamic: false }',
  }),
  mutant('random bodies have unknown properties', 'mock/responses', {
    'return isObject ? { ...copy, additionalProperties: false } : copy;': 'return copy;',
  }),
  mutant('the mock requires no API key', 'mock contract-coverage/coverage', {
    'if (operationTable[id].scope === null) return done();':
      'if (operationTable[id].scope === null || !request.headers.authorization) return done();',
  }),
  mutant('every key of the mock has all scopes', 'mock/scenarios', {
    "named === undefined ? Object.keys(scopes) : named.split(',')": 'Object.keys(scopes)',
  }),
  mutant('a pagination of the mock has no end', 'mock/responses', {
    'return isChosen && !dynamic ? response : withLastPage(response, request);': 'return response;',
  }),
  mutant('the mock returns an image of its own for an uploaded file', 'mock/service-files', {
    'const stored = state.uploads.get(uploadId);': 'const stored = state.uploads.get(`${uploadId}-`);',
  }),
  mutant('a generated file is edited', 'lint', { 'For carriers and drivers.': 'For drivers.' }),
  mutant('a module other than config.ts reads the environment', 'lint', {
    'const keyTtl = 5000;': 'const keyTtl = Number(process.env.TTL ?? 5000);',
  }),
  mutant('a second module imports the OpenAPI glue', 'lint', {
    "import helmet from '@fastify/helmet';": "import 'fastify-openapi-glue';\nimport helmet from '@fastify/helmet';",
  }),
  mutant('the server imports the client', 'lint', {
    "import { createHash } from 'node:crypto';\nimport type { Compilable":
      "import { createHash } from 'node:crypto';\nimport '@waybill/client';\nimport type { Compilable",
  }),
  mutant('expired responses are not deleted', 'jobs/clean-up', {
    "'created_at', age: `${retentionHours} hours`": "'created_at', age: `${retentionHours} years`",
  }),
  mutant('the client does not pass its signal to fetch', 'client/errors', {
    'signal: deadline.signal, fetch }': 'signal: new AbortController().signal, fetch }',
  }),
];

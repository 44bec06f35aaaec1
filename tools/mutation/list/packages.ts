import type { List } from '../mutant.ts';

/** Client, mock, generated files, imports and clean-up. */
export const packages: List = {
  'client/retries: the client sends a new idempotency key with each attempt':
    "const headers = new Headers(sent);{+\n  if (headers.has('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID());+}",
  'client/retries: the client serializes the body again for each attempt': [
    'body: [-content-]{+file ? content : params+} }',
    'bodySerializer: (body) => [-body-]{+(file ? body : JSON.stringify(body))+}',
  ],
  'client/errors: the signal of a call does not reach fetch':
    '...request.init, signal: [-deadline-]{+new AbortController()+}.signal, fetch',
  'client/retries: the client looks for an unknown host until the timeout':
    'if ([-!connection.isReached-]{+false+} && ',
  'client/retries: the client repeats a POST without an idempotency key':
    "isRepeatable: [-idempotentMethods.includes(method) || headers.has('Idempotency-Key')-]{+true+}",
  'client: the client sends its API key to a signed URL': 'if ([-!signed && -]apiKey &&',
  'client: the client omits the last page of a list': 'return has_more && isNew {+&& !params?.cursor +}?',
  'client/retries: the client waits for less than Retry-After': 'Number(value)[- * 1000-]',
  'client/restart: the client retries at most twice': 'options.maxRetries ?? [-Number.POSITIVE_INFINITY-]{+2+}',
  'client/event-iterators: the client repeats the events of the last page':
    'const next = {+after ?? +}page.next_after ?? undefined;',
  'client/event-iterators: the client does not move past events of other types':
    'const next = page.[-next_after ?? undefined-]{+data.at(-1)?.id ?? after+}',
  'client/event-iterators: the client waits for an event for less than its wait':
    'attemptTimeout[-: wait * 1000 + attemptTimeout-]',
  'mock/responses: the mock returns optional headers': "documented[name][-?.required-] && name !== 'X-Request-Id'",
  'mock/responses: the mock ignores Prefer: dynamic=true': 'mock: { ...selected, dynamic{+: false+} }',
  'mock/responses: random bodies have unknown properties':
    'return [-isObject ? { ...copy, additionalProperties: false } : -]copy;',
  'mock contract/coverage: the mock requires no API key':
    'if (operationTable[id].scope === null{+ || !request.headers.authorization+}) return done();',
  'mock/refusals: every key of the mock has all scopes':
    "[-named === undefined ? Object.keys(scopes) : named.split(',')-]{+Object.keys(scopes)+}",
  'mock/responses: a pagination of the mock has no end':
    'eventsAfter(response, request, closing) : [-withLastPage(response, request)-]{+response+};',
  'lint: a generated file is edited': 'For [-carriers and -]drivers.',
  'lint: a module other than config.ts reads the environment':
    'const keyTtl = [-5000-]{+Number(process.env.TTL ?? 5000)+};',
  'lint: a second module imports the OpenAPI glue':
    "{+import 'fastify-openapi-glue';\n+}import helmet from '@fastify/helmet';",
  'lint: the server imports the client':
    "import { createHash } from 'node:crypto';\n{+import '@waybill/client';\n+}import type { CompiledQuery",
  'jobs/clean-up: expired responses are not deleted': "'created_at', age: `${retentionHours} [-hours-]{+years+}`",
};

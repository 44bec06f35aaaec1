import { type Mutant, mutant } from '../mutant.ts';

/** Client, mock, generated files, imports and clean-up. */
export const packages: Mutant[] = [
  mutant(
    'the client sends a new idempotency key with each attempt',
    'packages/client/src/transport.ts',
    'const { error, response } = await request(method, url ?? baseUrl + path, init);',
    'Object.assign(init.headers, headersOf(operation, {}));\n      const { error, response } = await request(method, url ?? baseUrl + path, init);',
    'client/retries',
  ),
  mutant(
    'the client sends its API key to a signed URL',
    'packages/client/src/transport.ts',
    '...(url === undefined && scope !== null && { Authorization',
    '...((url !== undefined || scope !== null) && { Authorization',
    'client',
  ),
  mutant(
    'the client omits the last page of a list',
    'packages/client/src/pagination.ts',
    '    yield* page.data;\n    cursor = page.next_cursor ?? undefined;\n',
    '    cursor = page.next_cursor ?? undefined;\n    if (cursor !== undefined) yield* page.data;\n',
    'client',
  ),
  mutant(
    'the client waits for less than Retry-After',
    'packages/client/src/retries.ts',
    'Number(value) * 1000',
    'Number(value)',
    'client/retries',
  ),
  mutant(
    'the mock returns optional headers',
    'packages/mock/src/engine.ts',
    '.filter(({ required }) => !required)',
    ".filter(({ name }) => name === '')",
    'mock',
  ),
  mutant(
    'the mock accepts unknown query parameters',
    'packages/mock/src/engine.ts',
    'filter((name) => !takes(operation, name))',
    "filter((name) => !takes(operation, name) && name === '')",
    'contract-coverage/coverage',
  ),
  mutant(
    'the mock requires no API key',
    'packages/mock/src/engine.ts',
    'checkSecurity: true,',
    'checkSecurity: false,',
    'mock contract-coverage/coverage',
  ),
  mutant(
    'a generated file is edited',
    'packages/contract/generated/scopes.ts',
    'For carriers and drivers.',
    'For drivers.',
    'lint',
  ),
  mutant(
    'a module other than config.ts reads the environment',
    'packages/server/src/auth/authenticate.ts',
    'const cacheTtl = 5000;',
    'const cacheTtl = Number(process.env.TTL ?? 5000);',
    'lint',
  ),
  mutant(
    'a second module imports the OpenAPI glue',
    'packages/server/src/http/static-pages.ts',
    "import helmet from '@fastify/helmet';",
    "import 'fastify-openapi-glue';\nimport helmet from '@fastify/helmet';",
    'lint',
  ),
  mutant(
    'the server imports the client',
    'packages/server/src/http/pagination.ts',
    "import { hash } from 'node:crypto';",
    "import { hash } from 'node:crypto';\nimport '@waybill/client';",
    'lint',
  ),
  mutant(
    'expired responses are not deleted',
    'packages/server/src/jobs/expired-rows.ts',
    'and created_at <= now() - make_interval(hours => ${retentionHours})',
    'and created_at <= now() - make_interval(years => ${retentionHours})',
    'jobs/clean-up',
  ),
];

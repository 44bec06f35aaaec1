import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import { createServer } from '@stoplight/prism-http-server';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import type { ContractOperation } from './contract.ts';

type Logger = Parameters<typeof createServer>[1]['components']['logger'];
const quiet = () => {};
const logger: Logger = {
  child: () => logger,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  fatal: quiet,
  success: quiet,
};

const operations = await getHttpOperationsFromSpec(structuredClone(contract));

interface Violation {
  location: string[];
  severity: string;
  message: string;
}

export interface PrismProxy extends AsyncDisposable {
  url: string;
  /** Where the proxy sends what it gets. */
  upstream: string;
  /** A `fetch` that throws when an answer breaks the contract. */
  fetch: typeof fetch;
  /** How many answers were looked at. */
  seen(): number;
}

/** Prism between client and service: a second opinion on every answer, from code that is not ours. */
export async function startProxy(upstream: string): Promise<PrismProxy> {
  const server = createServer(operations, {
    components: { logger },
    cors: false,
    config: {
      checkSecurity: false,
      // The service must see bad requests to refuse them, so Prism may not.
      errors: false,
      isProxy: true,
      mock: { dynamic: false },
      upstream: new URL(upstream),
      upstreamProxy: undefined,
      validateRequest: true,
      validateResponse: true,
    },
  });
  const url = await server.listen(0, '127.0.0.1');
  let seen = 0;
  return {
    url,
    upstream,
    seen: () => seen,
    async fetch(input, init) {
      const response = await fetch(input, init);
      const violations: Violation[] = JSON.parse(response.headers.get('sl-violations') ?? '[]');
      // Prism only warns of an undocumented status, so warnings count like errors.
      const broken = violations.filter(({ location }) => location[0] === 'response');
      if (broken.length > 0) throw new Error(`${response.url} breaks the contract: ${JSON.stringify(broken)}`);
      seen++;
      return response;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** What Prism says of an answer that did not come through it, since it cannot carry a request that is not JSON. */
export function prismViolations(
  { id }: ContractOperation,
  { status, headers, body }: { status: number; headers: Headers; body?: unknown },
): string[] {
  const resource = operations.find(({ iid }) => iid === id);
  if (!resource) throw new Error(`Prism does not know ${id}`);
  const element = { statusCode: status, headers: Object.fromEntries(headers), body };
  const result = validateOutput({ resource, element });
  return result._tag === 'Left' ? result.left.map(({ message }) => message) : [];
}

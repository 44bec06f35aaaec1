import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from '@stoplight/prism-http';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';
import { silent } from './logger.ts';
import { fieldErrors, type MockResponse, problem } from './problems.ts';

type Operation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** A parsed request. */
export interface MockRequest {
  method: IHttpRequest['method'];
  url: URL;
  headers: Record<string, string>;
  /** Parsed JSON, text, or null for none. */
  body: unknown;
}

export type Engine = (request: MockRequest) => Promise<MockResponse>;

/** The path of the major version, which Prism omits. */
export const basePath: string = new URL(defaultBaseUrl).pathname;

const config: IHttpConfig = {
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  isProxy: false,
  upstreamProxy: undefined,
  // The mock ignores `Accept`, like the service. With `Accept: application/json` Prism would send a success instead of a
  // problem.
  mock: { dynamic: false, mediaTypes: ['*/*'] },
};

/** Creates Prism with the contract, and adds what Prism does not support. */
export async function createEngine(): Promise<Engine> {
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const prism = createInstance(config, { logger: silent });

  return async ({ method, url, headers, body }) => {
    const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : '';
    const found = operations.filter((operation) => matches(operation.path, path));
    if (found.length === 0) return problem('not_found', url);
    const operation = found.find((candidate) => candidate.method === method);
    if (!operation) {
      const Allow = found.map((candidate) => candidate.method.toUpperCase()).join(', ');
      return problem('method_not_allowed', url, { headers: { Allow } });
    }

    const query = Object.fromEntries(url.searchParams);
    const mock = { ...config.mock, ...preferences(headers.prefer) };
    if (isNotModified(operation, headers) && !headers.prefer) Object.assign(mock, { code: 304 });
    const result = await prism.request({ method, url: { path, query }, headers, body }, found, { ...config, mock })();
    if (result._tag === 'Left') return invalidPreference(operation, url);
    const { output, validations } = result.right;
    const violations = validations.input.filter(({ severity }) => severity === 0);
    if (!violations.some(({ code }) => code === 401 || code === 415)) {
      if (violations.some(({ path }) => path?.[0] === 'path')) return problem('not_found', url);
      const unknown = Object.keys(query).filter((name) => !takes(operation, name));
      const errors = fieldErrors(violations, unknown);
      if (errors.length > 0) return problem('invalid_request', url, { errors });
    }
    // For a response without content Prism accepts any example name.
    if (violations.length === 0 && !hasResponse(operation, mock)) return invalidPreference(operation, url);
    return { status: output.statusCode, headers: requiredHeaders(operation, output), body: output.body };
  };
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Whether `If-None-Match` has the ETag of the mock, which is the example of the contract. */
function isNotModified({ responses }: Operation, { 'if-none-match': tags = '' }: MockRequest['headers']): boolean {
  const conditional = responses.some(({ code }) => code === '304');
  return conditional && (tags.trim() === '*' || tags.includes(document.components.headers.ETag.example));
}

/** Omits optional headers, which announce what the mock does not do, such as a replay. */
function requiredHeaders(
  { responses }: Operation,
  output: { statusCode: number; headers?: MockResponse['headers'] },
): MockResponse['headers'] {
  const declared = responses.find(({ code }) => code === String(output.statusCode))?.headers ?? [];
  const optional = declared.filter(({ required }) => !required).map(({ name }) => name);
  return Object.fromEntries(Object.entries(output.headers ?? {}).filter(([name]) => !optional.includes(name)));
}

const takes = (operation: Operation, parameter: string): boolean =>
  operation.request?.query?.some(({ name }) => name === parameter) ?? false;

interface Preferences {
  code?: number;
  exampleKey?: string;
}

/** `Prefer: code=404, example=not_found` */
function preferences(prefer = ''): Preferences {
  const code = /\bcode="?(\d{3})\b/.exec(prefer)?.[1];
  const exampleKey = /\bexample="?(\w+)/.exec(prefer)?.[1];
  return { ...(code && { code: Number(code) }), ...(exampleKey && { exampleKey }) };
}

const hasResponse = ({ responses }: Operation, { code, exampleKey }: Preferences): boolean =>
  responses
    .filter((response) => code === undefined || response.code === String(code))
    .some((response) => exampleKey === undefined || exampleKeys(response).includes(exampleKey));

function invalidPreference(operation: Operation, url: URL): MockResponse {
  const detail = `must be one of ${choices(operation)}`.slice(0, 500);
  return problem('invalid_request', url, {
    errors: [{ in: 'headers', pointer: '/prefer', code: 'not_allowed', detail }],
  });
}

const exampleKeys = ({ contents = [] }: Operation['responses'][number]): string[] =>
  contents.flatMap((content) => content.examples?.map(({ key }) => key) ?? []);

/** `200 (ShipmentScheduled), 404 (not_found)` */
function choices({ responses }: Operation): string {
  const each = responses.map((response) => {
    const examples = exampleKeys(response);
    return examples.length > 0 ? `${response.code} (${examples.join(', ')})` : response.code;
  });
  return each.join(', ');
}

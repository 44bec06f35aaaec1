import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from '@stoplight/prism-http';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';
import { silent } from './logger.ts';
import { fieldErrors, problem, type Reply } from './problems.ts';

type Operation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/** A request as the engine takes it. */
export interface Question {
  method: IHttpRequest['method'];
  url: URL;
  headers: Record<string, string>;
  /** Parsed JSON, text, or null for none. */
  body: unknown;
}

export type Engine = (question: Question) => Promise<Reply>;

/** The major version, which Prism leaves out of the paths it serves. */
export const basePath: string = new URL(defaultBaseUrl).pathname;

const config: IHttpConfig = {
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  isProxy: false,
  upstreamProxy: undefined,
  // Like the service, the mock has one representation of everything: with the caller's `Accept: application/json`
  // Prism would refuse to send a problem and send a success instead.
  mock: { dynamic: false, mediaTypes: ['*/*'] },
};

/** Prism on the contract, and around it what Prism does not know of the contract. */
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
    if (isKnown(operation, headers) && !headers.prefer) Object.assign(mock, { code: 304 });
    const result = await prism.request({ method, url: { path, query }, headers, body }, found, { ...config, mock })();
    if (result._tag === 'Left') return refusal(operation, url);
    const { output, validations } = result.right;
    const faults = validations.input.filter(({ severity }) => severity === 0);
    if (!faults.some(({ code }) => code === 401 || code === 415)) {
      if (faults.some((fault) => fault.path?.[0] === 'path')) return problem('not_found', url);
      const unknown = Object.keys(query).filter((name) => !takes(operation, name));
      const errors = fieldErrors(faults, unknown);
      if (errors.length > 0) return problem('invalid_request', url, { errors });
    }
    // Where a success has no content Prism takes it for any example.
    if (faults.length === 0 && !offers(operation, mock)) return refusal(operation, url);
    return { status: output.statusCode, headers: promised(operation, output), body: output.body };
  };
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Whether the caller already has what the mock always answers: the contract's example of an ETag stands for it. */
function isKnown({ responses }: Operation, { 'if-none-match': tags = '' }: Question['headers']): boolean {
  const conditional = responses.some(({ code }) => code === '304');
  return conditional && (tags.trim() === '*' || tags.includes(document.components.headers.ETag.example));
}

/** The headers of every such answer: an optional one tells of something that does not happen here, such as a replay. */
function promised(
  { responses }: Operation,
  output: { statusCode: number; headers?: Reply['headers'] },
): Reply['headers'] {
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

const offers = ({ responses }: Operation, { code, exampleKey }: Preferences): boolean =>
  responses
    .filter((response) => code === undefined || response.code === String(code))
    .some((response) => exampleKey === undefined || exampleKeys(response).includes(exampleKey));

function refusal(operation: Operation, url: URL): Reply {
  const detail = `must choose among ${choices(operation)}`.slice(0, 500);
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

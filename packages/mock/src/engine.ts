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
    const result = await prism.request({ method, url: { path, query }, headers, body }, found, { ...config, mock })();
    if (result._tag === 'Left') {
      const detail = `must choose among ${choices(operation)}`.slice(0, 500);
      const errors = [{ in: 'headers' as const, pointer: '/prefer', code: 'not_allowed' as const, detail }];
      return problem('invalid_request', url, { errors });
    }
    const { output, validations } = result.right;
    const faults = validations.input.filter(({ severity }) => severity === 0);
    if (!faults.some(({ code }) => code === 401 || code === 415)) {
      if (faults.some((fault) => fault.path?.[0] === 'path')) return problem('not_found', url);
      const unknown = Object.keys(query).filter((name) => !takes(operation, name));
      const errors = fieldErrors(faults, unknown);
      if (errors.length > 0) return problem('invalid_request', url, { errors });
    }
    return { status: output.statusCode, headers: output.headers ?? {}, body: output.body };
  };
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

const takes = (operation: Operation, parameter: string): boolean =>
  operation.request?.query?.some(({ name }) => name === parameter) ?? false;

/** `Prefer: code=404, example=not_found` */
function preferences(prefer = ''): { code?: number; exampleKey?: string } {
  const code = /\bcode="?(\d{3})\b/.exec(prefer)?.[1];
  const exampleKey = /\bexample="?(\w+)/.exec(prefer)?.[1];
  return { ...(code && { code: Number(code) }), ...(exampleKey && { exampleKey }) };
}

/** `200 (ShipmentScheduled), 404 (not_found)` */
function choices({ responses }: Operation): string {
  const each = responses.map(({ code, contents = [] }) => {
    const examples = contents.flatMap((content) => content.examples?.map(({ key }) => key) ?? []);
    return examples.length > 0 ? `${code} (${examples.join(', ')})` : code;
  });
  return each.join(', ');
}

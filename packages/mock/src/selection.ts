import { invalidFields } from '@waybill/contract/validation/invalid-request';
import { type OperationId, responsesOf } from '@waybill/http/operations';
import type { FastifyRequest } from 'fastify';
import type { Selection } from './prism/engine.ts';

const names = ['code', 'example', 'dynamic', 'seed'] as const;
const parameters = names.map((name) => `__${name}`);

/** The values of a selection, as they are sent; an array when a parameter is repeated. */
type Values = Partial<Record<(typeof names)[number], string | string[]>>;

/** The values of `?__code=404&__example=not_found`. */
function valuesOfQuery(url: string): Values {
  const search = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const found = names.map((name) => [name, search.getAll(`__${name}`)] as const);
  return Object.fromEntries(
    found.filter(([, all]) => all.length > 0).map(([name, all]) => [name, all.length > 1 ? all : all[0]]),
  );
}

/** A preference and its value, which may be quoted (RFC 7240). */
const preference = /(?:^|,)\s*([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s",;]*)))?/g;

/** The values of `Prefer: code=404, example=not_found`. Of equal names the first one counts. */
function valuesOfHeader(prefer: string): Values {
  const values: Record<string, string> = {};
  for (const [, name = '', quoted, value = ''] of prefer.matchAll(preference))
    values[name.toLowerCase()] ??= quoted ?? value;
  return values;
}

/** Removes the parameters of a selection, before the query is validated. */
export function removeSelection({ query }: FastifyRequest): void {
  for (const name of parameters) delete (query as Record<string, unknown>)[name];
}

/**
 * Reads which response a request selects, by the names of Prism's own server. The header takes precedence over the query.
 * @returns undefined when it selects none
 * @throws {InvalidRequest}
 */
export function selectionOf(request: FastifyRequest, id: OperationId): Selection | undefined {
  const { prefer } = request.headers;
  const header = Array.isArray(prefer) ? prefer.join(', ') : prefer;
  const { code, dynamic, seed, example } = header ? valuesOfHeader(header) : valuesOfQuery(request.url);
  const isValid =
    (code === undefined || /^\d{3}$/.test(String(code))) &&
    (dynamic === undefined || dynamic === 'true' || dynamic === 'false') &&
    !Array.isArray(seed) &&
    !Array.isArray(example);
  if (!isValid) throw notSelectable(request, id);
  const selection = {
    ...(code !== undefined && { code: Number(code) }),
    ...(dynamic !== undefined && { dynamic: dynamic === 'true' }),
    ...(seed !== undefined && { seed }),
    ...(example !== undefined && { exampleKey: example }),
  };
  return Object.keys(selection).length > 0 ? selection : undefined;
}

/** The operation has no response as selected: the problem lists all that it has. */
export function notSelectable({ headers, url }: FastifyRequest, id: OperationId): Error {
  const detail = `must be dynamic=true or select one of ${choicesOf(id)}`.slice(0, 500);
  const [name = ''] = Object.keys(valuesOfQuery(url));
  const place = headers.prefer === undefined ? ({ in: 'query', pointer: `/__${name}` } as const) : inPrefer;
  return invalidFields([{ ...place, code: 'not_allowed', detail }]);
}

const inPrefer = { in: 'headers', pointer: '/prefer' } as const;

/** `200 (ShipmentScheduled), 404 (not_found)` */
const choicesOf = (id: OperationId): string =>
  Object.entries(responsesOf(id))
    .map(([status, { content = {} }]) => {
      const names = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
      return names.length > 0 ? `${status} (${names.join(', ')})` : status;
    })
    .join(', ');

import { invalidFields } from '@waybill/contract/validation/invalid-request';
import { responsesOf } from '@waybill/http/document';
import type { OperationId } from '@waybill/http/operations';
import type { FastifyRequest } from 'fastify';
import type { Prism, Selection } from './prism/engine.ts';

const parameters = ['__code', '__example', '__dynamic', '__seed'];

type Query = Record<string, string | string[]>;

/** The query parameters that Prism reads. */
function ownQuery(url: string): Query {
  const query: Query = {};
  const search = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  for (const name of parameters) {
    const [value, ...others] = search.getAll(name);
    if (value !== undefined) query[name] = others.length > 0 ? [value, ...others] : value;
  }
  return query;
}

/** Removes the parameters that Prism reads, before the query is validated. */
export function removeSelection({ query }: FastifyRequest): void {
  for (const name of parameters) delete (query as Query)[name];
}

/** Reads which response a request selects. @returns undefined when it selects none @throws {InvalidRequest} */
export function selectionOf(request: FastifyRequest, id: OperationId, prism: Prism): Selection | undefined {
  const { prefer } = request.headers;
  const query = ownQuery(request.url);
  if (prefer === undefined && Object.keys(query).length === 0) return undefined;
  const selection = prism.readSelection(Array.isArray(prefer) ? prefer.join(', ') : prefer, query);
  if (!selection) throw notSelectable(request, id);
  return Object.keys(selection).length > 0 ? selection : undefined;
}

/** The operation has no response as selected: the problem lists all that it has. */
export function notSelectable({ headers, url }: FastifyRequest, id: OperationId): Error {
  const detail = `must be dynamic=true or select one of ${choicesOf(id)}`.slice(0, 500);
  const [name = ''] = Object.keys(ownQuery(url));
  const place = headers.prefer === undefined ? ({ in: 'query', pointer: `/${name}` } as const) : inPrefer;
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

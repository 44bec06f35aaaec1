/** Handlers for Mock Service Worker (https://mswjs.io) that return the examples of the contract. */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { checkKeys } from './arguments.ts';
import type { OperationId } from './calls.ts';
import { bodies, headers, responses } from './generated/examples.ts';
import { defaultBaseUrl, operationTable } from './generated/table.ts';

type Responses = typeof responses;

/** A status of an operation, or one of its examples. */
export type Selection<Id extends OperationId> = {
  [Status in keyof Responses[Id]]:
    | Status
    | {
        status: Status;
        /** The name of the example, as in the reference. Default: the first one. */
        example?: Responses[Id][Status] extends { examples: readonly (infer Name)[] } ? Name : never;
      };
}[keyof Responses[Id]];

/** The options of `handlers`. */
export interface HandlerOptions {
  /** The base URL of the client under test. Default: `http://localhost:3000/v1`. */
  baseUrl?: string;
  /** Operation id → the status or the example that it returns. Default: success, with the first example. */
  responses?: { [Id in OperationId]?: Selection<Id> };
}

interface Row {
  type: string | null;
  headers: readonly string[];
  examples: readonly string[];
}

/** A transparent PNG of one pixel, for `getProofFile`. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/**
 * One handler per operation, which returns an example of the contract. Conditional reads return 304, a list ends after
 * the page that `cursor` asks for, and there are no events after the first page.
 * For example: `setupServer(...handlers({ responses: { createShipment: 409 } }))`.
 * @throws {TypeError} when an operation has no such response or example
 */
export function handlers(options: HandlerOptions = {}): HttpHandler[] {
  checkKeys('handlers options', options, ['baseUrl', 'responses']);
  const { baseUrl = defaultBaseUrl, responses: selected = {} } = options;
  checkKeys('handlers responses', selected, Object.keys(operationTable));
  return (Object.keys(operationTable) as OperationId[]).map((operation) => {
    const rows: Record<string, Row> = responses[operation];
    const { method, path, signed } = operationTable[operation];
    const selection = selected[operation] ?? Number(Object.keys(rows).find((status) => status.startsWith('2')));
    const { status, example } = typeof selection === 'object' ? selection : { status: selection };
    const row = rows[status];
    const names: readonly string[] = row?.examples ?? [];
    if (!row || (example !== undefined && !names.includes(example))) {
      throw new TypeError(`${operation} has no example ${example ?? ''} of status ${status}`);
    }
    // Signed URLs may be on another host.
    const url = (signed ? '*' : baseUrl.replace(/\/+$/, '')) + path.replace(/\{(\w+)\}/g, ':$1');
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    return http[verb](url, ({ request }) => respond(request, status, row, example));
  });
}

function respond(request: Request, status: number, row: Row, example: string | undefined): Response {
  const sent = Object.fromEntries(row.headers.map((name) => [name, headers[name] ?? '']));
  const tag = request.headers.get('If-None-Match');
  if (status === 200 && tag !== null && tag === sent.ETag)
    return new HttpResponse(null, { status: 304, headers: sent });
  if (row.type !== null) sent['Content-Type'] = row.type;
  if (row.type?.startsWith('image/')) {
    return new HttpResponse(
      Uint8Array.from(atob(pixel), (byte) => byte.charCodeAt(0)),
      { status, headers: sent },
    );
  }
  if (row.type === 'text/event-stream') return new HttpResponse(streamText(request), { status, headers: sent });
  const { searchParams } = new URL(request.url);
  const isNext = searchParams.has('cursor') ? isLastPage : searchParams.has('after') ? isEmptyPage : undefined;
  const name = example ?? (isNext && row.examples.find(isNext)) ?? row.examples[0];
  return new HttpResponse(name === undefined ? null : JSON.stringify(bodies[name]), { status, headers: sent });
}

/** The events of the first example that follow `Last-Event-ID`. The stream then ends, and the client reconnects. */
function streamText(request: Request): string {
  const { data = [] } = bodies[responses.listEvents[200].examples[0]] as { data?: { id: string; type: string }[] };
  const last = data.findIndex(({ id }) => id === request.headers.get('Last-Event-ID'));
  const blocks = data
    .slice(last + 1)
    .map((event) => `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return ['retry: 1000\n\n', ...blocks].join('');
}

interface Page {
  data?: unknown[];
  has_more?: boolean;
}

const isLastPage = (name: string): boolean => (bodies[name] as Page).has_more === false;
const isEmptyPage = (name: string): boolean => (bodies[name] as Page).data?.length === 0;

import { setTimeout } from 'node:timers/promises';
import { asOperationRequest, type OperationId, type OperationResponse, responsesOf } from '@waybill/http/operations';
import { closeSignal } from '@waybill/http/responses';
import { bodyStreamer, eventStreamHeaders, eventText, type StreamedBody } from '@waybill/http/streamed-body';
import type { FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Prism, Selection } from './prism/engine.ts';
import { notSelectable, selectionOf } from './selection.ts';
import { sendMocked } from './send.ts';

interface MockServices {
  prism: Prism;
  /** The path of the major version, such as `/v1`. */
  basePath: string;
  /** The share of requests that fail, from 0 to 1. */
  errors: number;
  /** Seconds after which a stream ends. */
  streamSeconds: number;
  /** Aborts when the mock stops. */
  closing: AbortSignal;
}

type Event = Parameters<typeof eventText>[0];

/** Makes the handlers of the operations. Their requests are valid. */
export function mockHandlers(services: MockServices): (id: OperationId) => RouteHandlerMethod {
  const { prism, basePath, errors, streamSeconds, closing } = services;
  const sendStreamed = bodyStreamer();

  /** Returns a response that Prism chooses and makes. */
  async function select(id: OperationId, request: FastifyRequest, selection: Selection): Promise<OperationResponse> {
    const response = await prism.respond(id, selection, request.headers.accept);
    if (!response) throw notSelectable(request, id);
    const isChosen = selection.code !== undefined || selection.exampleKey !== undefined;
    if ((isChosen && !selection.dynamic) || response.status >= 300) return response;
    return id === 'listEvents' ? eventsAfter(response, request, closing) : withLastPage(response, request);
  }

  /** Returns the events of the list as a stream: Prism's would be a text. */
  async function stream(request: FastifyRequest, selection: Selection, end: AbortSignal): Promise<OperationResponse> {
    const page = await prism.respond('listEvents', selection);
    if (!page) throw notSelectable(request, 'streamEvents');
    const { headers, query } = asOperationRequest<'streamEvents'>(request);
    const later = laterThan((page.body as EventPage).data, headers['last-event-id'] ?? query.after);
    return { status: 200, headers: eventStreamHeaders, body: streamOf(later, end) };
  }

  function respond(id: OperationId, request: FastifyRequest, disconnected: AbortSignal): Promise<OperationResponse> {
    const selection = selectionOf(request, id) ?? {};
    const isSelected = Object.keys(selection).length > 0;
    const failures = [429, 500, 503].filter((status) => status in responsesOf(id));
    const code = failures[Math.floor(Math.random() * failures.length)];
    if (!isSelected && code !== undefined && Math.random() < errors) return select(id, request, { code });
    const isStream = id === 'streamEvents' && (selection.code ?? 200) === 200 && (!isSelected || selection.dynamic);
    if (!isStream) return select(id, request, selection);
    const end = AbortSignal.any([closing, disconnected, AbortSignal.timeout(streamSeconds * 1000)]);
    return stream(request, selection, end);
  }

  return (id) => async (request, reply) => {
    const response = await respond(id, request, closeSignal(reply));
    return sendMocked(id, response, { reply, baseUrl: `http://${request.host}${basePath}`, sendStreamed });
  };
}

interface List {
  data: unknown[];
  next_cursor?: unknown;
}
const isList = (body: unknown): body is List =>
  typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data) && 'has_more' in body;

/** Ends a list: Prism returns the same page for every cursor. */
function withLastPage(response: OperationResponse, { query }: FastifyRequest): OperationResponse {
  const { body } = response;
  if (!isList(body)) return response;
  const data = body.data.slice(0, (query as { limit?: number }).limit);
  return { ...response, body: { ...body, data, has_more: false, ...('next_cursor' in body && { next_cursor: null }) } };
}

interface EventPage {
  data: Event[];
}

/** The events after one that a reader has; all if it has none of them. */
const laterThan = (events: Event[], last: string | undefined): Event[] =>
  events.slice(events.findIndex(({ id }) => id === last) + 1);

/**
 * A page of events that a reader lacks: a follower of the same page would get its events for ever. Without any, it waits as
 * long as the request says.
 */
async function eventsAfter(
  response: OperationResponse,
  request: FastifyRequest,
  closing: AbortSignal,
): Promise<OperationResponse> {
  const { after, limit, wait = 0 } = asOperationRequest<'listEvents'>(request).query;
  const page = response.body as EventPage;
  const later = laterThan(page.data, after);
  const data = later.slice(0, limit);
  if (data.length === 0 && wait > 0) await setTimeout(wait * 1000, undefined, { signal: closing }).catch(() => {});
  const body = { ...page, data, has_more: data.length < later.length, next_after: data.at(-1)?.id ?? after ?? null };
  return { ...response, body };
}

/** Milliseconds between two comments of a stream. */
const heartbeat = 15_000;

/** Events as a stream, which stays open without further ones until the end. */
const streamOf =
  (events: Event[], end: AbortSignal): StreamedBody =>
  async (write) => {
    const send = (text: string): Promise<void> => write(Buffer.from(text), () => {});
    await send(`retry: 2000\n\n${events.map(eventText).join('')}`);
    while (!end.aborted) {
      await setTimeout(heartbeat, undefined, { signal: end }).catch(() => {});
      if (!end.aborted) await send(': heartbeat\n\n');
    }
  };

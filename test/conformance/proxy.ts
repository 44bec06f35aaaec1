import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startReceiver } from '@waybill/tools/lab/network/receiver';
import { contractOperations, pathPattern } from '../fixtures/contract/contract.ts';

/** What happens to a request instead of its response. */
export type Fault =
  /** The connection ends before the service has the request. */
  | 'refused'
  /** The service has it, and the connection ends before the response. */
  | 'lost'
  /** The connection ends within the response, that of a stream after its first event. */
  | 'half'
  /** The service ends the stream after its first event. */
  | 'ended'
  /** Nothing follows the first half of the response. */
  | 'stalled'
  /** The service does not get it. An object is a problem, a text HTML unless the headers say otherwise. */
  | { status: number; headers?: Record<string, string>; body: object | string }
  /** The JSON of the response with other values, by JSON pointer. */
  | { set: Record<string, unknown> };

/** The faults of the first requests of an operation, in order. Null is none. */
export type Faults = Record<string, (Fault | null)[]>;

export interface Request {
  operation: string;
  key: string | undefined;
  /** Milliseconds of a clock that does not go back. */
  time: number;
  /** The JSON that the service returned. */
  response?: unknown;
}

/** Starts a proxy in front of the service, which is also in the URLs of its responses. */
export async function startFaultyProxy(origin: string, faults: Faults) {
  const requests: Request[] = [];
  const left = structuredClone(faults);
  const server = await startReceiver((request, response) => {
    const operation = operationIn(request);
    const key = request.headers['idempotency-key'] as string | undefined;
    const seen: Request = { operation, key, time: performance.now() };
    requests.push(seen);
    forward(request, response, left[operation]?.shift() ?? null, seen).catch(() => response.destroy());
  });
  async function forward(
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault | null,
    seen: Request,
  ): Promise<void> {
    const body = await buffer(request);
    if (fault === 'refused') return void response.destroy();
    if (typeof fault === 'object' && fault && 'status' in fault) {
      const isPage = typeof fault.body === 'string';
      response.writeHead(fault.status, {
        'content-type': isPage ? 'text/html' : 'application/problem+json',
        ...fault.headers,
      });
      return void response.end(isPage ? fault.body : JSON.stringify(fault.body));
    }
    const { host: _, connection: __, ...headers } = request.headers;
    const hasBody = !['GET', 'DELETE'].includes(request.method ?? '');
    const answer = await fetch(origin + request.url, {
      method: request.method as string,
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
      ...(hasBody && { body: new Uint8Array(body) }),
      signal: untilClosed(response),
    });
    if (answer.ok && operationIn(request) === 'streamEvents') return forwardStream(answer, response, fault);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (fault === 'lost') return void response.destroy();
    const isJson = answer.headers.get('content-type')?.includes('json');
    const text = isJson ? bytes.toString().replaceAll(origin, url) : '';
    if (text) seen.response = JSON.parse(text);
    const sent = fault && typeof fault === 'object' ? withValues(text, fault.set) : isJson ? text : bytes;
    const kept = [...answer.headers].filter(
      ([name]) => !['connection', 'keep-alive', 'content-length', 'transfer-encoding'].includes(name),
    );
    const length = answer.status === 204 ? [] : [['content-length', String(Buffer.byteLength(sent))] as const];
    response.writeHead(answer.status, Object.fromEntries([...kept, ...length]));
    if (fault !== 'half' && fault !== 'stalled') return void response.end(sent);
    response.write(sent.slice(0, sent.length / 2), () => fault === 'half' && response.destroy());
  }
  const { origin: url } = new URL(server.url);
  return { ...server, url, requests };
}

function untilClosed(response: ServerResponse): AbortSignal {
  const closing = new AbortController();
  response.once('close', () => closing.abort());
  return closing.signal;
}

/** With a fault, only the first event and a part of the next block arrive. */
async function forwardStream({ headers, body }: Response, response: ServerResponse, fault: Fault | null) {
  response.writeHead(200, { 'content-type': headers.get('content-type') as string });
  let held = '';
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    held += Buffer.from(chunk)
      .toString()
      .replace(/^retry: \d+/, 'retry: 1'); // so that clients need not wait
    const [first] = fault ? (/^.*?\ndata: .*?\n\n/s.exec(held) ?? []) : [held];
    if (first === undefined) continue;
    held = '';
    if (!fault) response.write(first);
    else {
      const part = `${first}id: unfinished\ndata: {"id":`;
      return void (fault === 'ended'
        ? response.end(part)
        : response.write(part, () => fault === 'half' && response.destroy()));
    }
  }
  response.end();
}

const templates = contractOperations.map((operation) => ({ ...operation, pattern: pathPattern(operation) }));

/** The id of the operation that a request is for. */
export const operationIn = ({ method, url = '' }: IncomingMessage): string =>
  templates.find((each) => each.method === method && each.pattern.test(url.split('?')[0] ?? ''))?.id ?? 'unknown';

/** JSON with values at these pointers, which exist except for their last key. */
function withValues(json: string, values: Record<string, unknown>): string {
  const document = JSON.parse(json);
  for (const [pointer, value] of Object.entries(values)) {
    const keys = pointer.split('/').slice(1);
    const last = keys.pop() as string;
    keys.reduce((node, key) => node[key], document)[last] = value;
  }
  return JSON.stringify(document);
}

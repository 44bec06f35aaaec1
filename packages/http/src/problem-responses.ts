import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { maxFileBytes } from '@waybill/contract/limits';
import { requestIdOf } from '@waybill/contract/request-headers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chunkLimit } from './chunk-limit.ts';
import { type IsTemporary, methodNotAllowed, Problem, problemFromError, problemType } from './problems.ts';
import { commonHeaders } from './responses.ts';

interface ProblemResponse {
  status: number;
  headers: Record<string, unknown>;
  body: object;
}
interface ProblemOptions {
  isTemporary?: IsTemporary;
  /** Throws when a response does not match the contract. */
  check?: ((request: FastifyRequest, response: ProblemResponse) => void) | undefined;
}

/** Sends any thrown value as a problem. Errors of the service are logged, with the details that the caller does not get. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { isTemporary, check }: ProblemOptions = {},
): void {
  if (isClientDisconnect(error, request)) return void reply.send();
  const problem = problemFromError(error, isTemporary);
  const { status } = problem;
  removeSuccessHeaders(reply);
  // The contract documents no limits for 5xx, because an error may occur before the limit is known.
  if (status >= 500) reply.removeHeader('ratelimit').removeHeader('ratelimit-policy');
  if (status >= 500) request.log[status === 503 ? 'warn' : 'error']({ reqId: request.id, err: error }, problem.message);
  const [path = ''] = request.url.split('?');
  const body = problem.document(path, request.id);
  reply.code(status).headers({ ...commonHeaders(request.id), ...problem.headers, 'content-type': problemType });
  check?.(request, { status, headers: reply.getHeaders(), body });
  const serialize = reply.getSerializationFunction(String(status), problemType) ?? JSON.stringify;
  if (!hasUnreadBody(request.raw)) return void reply.serializer(serialize).send(body);
  const text = serialize(body as Record<string, unknown>);
  reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(text) });
  reply.send(responseBeforeUnreadBody(request.raw, text));
}

/** Whether an error only means that the client closed the connection before its request was read. */
const isClientDisconnect = (error: unknown, { raw }: FastifyRequest): boolean =>
  raw.readableAborted &&
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code));

/** Whether a header is independent of the response that a handler prepared. */
const isGeneral = (name: string): boolean =>
  /^(x-request-id|x-content-type-options|ratelimit|ratelimit-policy|connection|vary|deprecation|sunset|link|access-control-.*)$/.test(
    name,
  );

/** A handler may fail after it has set headers, such as those that let a cache store the response. */
function removeSuccessHeaders(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) if (!isGeneral(name)) reply.removeHeader(name);
}

/** Sends every error of an app as a problem. Call it before routes are added: they use the error handler that is set then. */
export function handleProblems(app: FastifyInstance, options: ProblemOptions = {}): void {
  app.setErrorHandler((error, request, reply) => {
    try {
      sendProblem(error, request, reply, options);
    } catch (violation) {
      sendProblem(violation, request, reply);
    }
  });
  // For plugins that find nothing at a URL of theirs, such as the docs.
  app.setNotFoundHandler(async () => {
    throw new Problem('not_found', 'There is nothing at this URL.');
  });
}

/**
 * Refuses requests to unknown URLs, and to URLs without their method, before their body is read. Call it before routes are
 * added.
 */
export function refuseUnknownUrls(app: FastifyInstance): void {
  const methodsOf = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => void methodsOf.set(url, [methodsOf.get(url) ?? [], method].flat()));
  app.addHook('onRequest', ({ is404, method, url }, _reply, done) => {
    if (!is404) return done();
    const allowed = methodsOf.get(url.split('?')[0] ?? '');
    done(allowed ? methodNotAllowed(method, allowed) : new Problem('not_found', 'There is nothing at this URL.'));
  });
}

/** Milliseconds for which a connection may stay half-closed after its last response. */
const halfClosedTimeout = 1000;

/** Rejects a request before Fastify handles it, and closes the connection. */
export function refuseRequest(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const [path = ''] = request.url?.split('?') ?? [];
  const { headers, body } = serializeProblem(problem, path, requestIdOf(request.headers['x-request-id']));
  response.writeHead(problem.status, headers);
  if (hasUnreadBody(request)) responseBeforeUnreadBody(request, body).pipe(response);
  else response.end(body);
}

/** Writes a problem to a connection without a request to respond to, and closes it. */
export function refuseConnection(socket: Socket, problem: Problem): void {
  const { headers, body } = serializeProblem(problem, '/', randomUUID());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n`;
  socket.end(`${status}${lines.join('')}\r\n${body}`);
  socket.setTimeout(halfClosedTimeout, () => socket.destroy());
}

function serializeProblem(
  problem: Problem,
  path: string,
  id: string,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(problem.document(path, id));
  const length = String(Buffer.byteLength(body));
  const headers = { 'content-type': problemType, 'content-length': length, connection: 'close' };
  return { headers: { ...commonHeaders(id), ...headers }, body };
}

/** Maximum milliseconds for reading the rest of a request after its response. */
const maxTime = 10_000;

/** Whether a part of the request body has not arrived yet. */
const hasUnreadBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * Makes the response body for a request with an unread body. It is sent at once, but ends only when the rest of the
 * request has been read, up to a limit. Close the connection after it. Closing a socket with unread bytes resets it, and
 * the client may lose the response (RFC 9112, section 9.6).
 */
function responseBeforeUnreadBody(request: IncomingMessage, body: string): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.from(body);
      await discardBody(request);
    })(),
    { objectMode: false },
  );
}

/** Reads at most the size of the largest file, so that a client can finish sending it, and no body of small chunks. */
function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let remaining = maxFileBytes;
    const areTooSmall = chunkLimit(request);
    const timer = setTimeout(resolve, maxTime);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0 || areTooSmall(chunk)) end();
    });
    for (const event of ['end', 'error', 'close']) request.once(event, end);
    if (request.complete || request.destroyed) end();
    request.unpipe().resume();
  });
}

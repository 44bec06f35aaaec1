import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isClientClosed } from './client-closed.ts';
import { commonHeaders, problemType } from './headers.ts';
import { asProblem, Problem } from './problems.ts';
import { beforeUnreadBody, hasUnreadBody } from './unread-body.ts';

interface ProblemResponse {
  status: number;
  headers: Record<string, unknown>;
  body: object;
}
/** Throws when a response does not match the contract. */
type CheckResponse = (request: FastifyRequest, response: ProblemResponse) => void;

/** Sends any thrown value as a problem. Errors of the service are logged, with the details that the caller does not get. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, check?: CheckResponse): void {
  if (isClientClosed(error, request.raw)) return void reply.send(); // there is no one to send it to
  const problem = asProblem(error);
  const { status } = problem;
  removeSuccessHeaders(reply);
  // Which limit applies may not be known yet, so the contract promises none with a fault of ours.
  if (status >= 500) reply.removeHeader('ratelimit').removeHeader('ratelimit-policy');
  if (status >= 500) request.log[status === 503 ? 'warn' : 'error']({ err: error }, problem.message);
  const [path = ''] = request.url.split('?');
  const body = problem.document(path.slice(0, 16384), request.id);
  reply.code(status).headers({ ...commonHeaders(request.id), ...problem.headers, 'content-type': problemType });
  check?.(request, { status, headers: reply.getHeaders(), body });
  if (!hasUnreadBody(request.raw)) return void reply.serializer(JSON.stringify).send(body);
  const text = JSON.stringify(body);
  reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(text) });
  reply.send(beforeUnreadBody(request.raw, text));
}

/** Headers that say nothing about what a handler wanted to send. */
const isGeneral = (name: string): boolean =>
  /^(x-request-id|x-content-type-options|ratelimit|ratelimit-policy|connection|vary|access-control-.*)$/.test(name);

/** A handler may have failed after it had set headers, such as those that let a cache store the response. */
function removeSuccessHeaders(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) if (!isGeneral(name)) reply.removeHeader(name);
}

/** Makes every error of an app a problem, and an unknown address one before anything of its request is read. */
export function problemHandlers(app: FastifyInstance, check: CheckResponse): void {
  app.setErrorHandler((error, request, reply) => {
    try {
      sendProblem(error, request, reply, check);
    } catch (violation) {
      sendProblem(violation, request, reply);
    }
  });
  // For plugins that find nothing at an address of theirs, as the docs do.
  app.setNotFoundHandler(async () => {
    throw new Problem('not_found', 'There is nothing at this address.');
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request.id));
    if (request.is404) throw new Problem('not_found', 'There is nothing at this address.');
  });
}

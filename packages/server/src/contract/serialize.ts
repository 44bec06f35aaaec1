import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { OperationResponse } from '../http/operation-response.ts';
import type { Links } from '../storage/signed-urls.ts';
import type { OperationId } from './operations.ts';
import type { ResponseCheck } from './response-check.ts';
import { signUrls } from './signing.ts';

/**
 * Makes a handler's response the one that is sent: signs its URLs and turns its body into JSON by the contract's schema.
 * @throws {ContractViolation} when responses are checked and it is not in the contract
 */
export function serialize(
  id: OperationId,
  response: OperationResponse,
  reply: FastifyReply,
  now: Date,
  { links, check }: { links: Links; check?: ResponseCheck | undefined },
): OperationResponse {
  const { status } = response;
  const accountId = reply.request.getDecorator<string>('accountId');
  const body = signUrls(id, response.body, (purpose, uploadId) => links.sign(purpose, accountId, uploadId, now));
  const isJson = body !== undefined && !(body instanceof Readable);
  const headers = { ...(isJson && { 'content-type': 'application/json; charset=utf-8' }), ...response.headers };
  check?.(id, { status, headers: { ...reply.getHeaders(), ...headers }, body });
  return {
    status,
    headers,
    body: isJson ? reply.serializeInput(Object(body), String(status), 'application/json') : body,
  };
}

export const send = (reply: FastifyReply, { status, headers = {}, body }: OperationResponse): FastifyReply =>
  reply.code(status).headers(headers).send(body);

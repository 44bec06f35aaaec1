import { Readable } from 'node:stream';
import { visibleBody } from '@waybill/http/access';
import type { cachingOf } from '@waybill/http/document';
import type { OperationId, OperationResponse, SerializedResponse } from '@waybill/http/operations';
import type { ResponseCheck } from '@waybill/http/response-check';
import { etagOf, jsonResponse, withCaching } from '@waybill/http/responses';
import type { StreamedBody } from '@waybill/http/streamed-body';
import type { FastifyReply } from 'fastify';
import type { RevealBody } from './reveal-body.ts';

interface SerializerOptions {
  revealBody: RevealBody;
  /** Set when CHECK_RESPONSES is true. */
  checkResponse: ResponseCheck | undefined;
}

/**
 * Removes what the access of the request does not show, signs the URLs of a response, decrypts its secret and turns its body
 * into JSON by the contract's schema.
 * @param caching with `etag` the response has one, and becomes 304 when the request has the same
 * @throws {ContractViolation} when responses are checked and it is not in the contract
 */
export type Serialize = (
  id: OperationId,
  response: OperationResponse,
  reply: FastifyReply,
  now: Date,
  caching?: ReturnType<typeof cachingOf>,
) => SerializedResponse;

export const serializer =
  ({ revealBody, checkResponse }: SerializerOptions): Serialize =>
  (id, response, reply, now, caching) => {
    const { accountId, access } = reply.request;
    const { status, etag } = response;
    const body = access ? visibleBody(id, response.body, access) : response.body;
    const headers = { ...response.headers, ...(etag !== undefined && { etag }) };
    const revealed = revealBody(id, body, accountId, now);
    const isJson = revealed !== undefined && !(revealed instanceof Readable) && typeof revealed !== 'function';
    const sent = isJson
      ? jsonResponse(status, headers, revealed, reply)
      : { status, headers, body: revealed as StreamedBody };
    // The ETag does not depend on signed URLs, which change every few minutes.
    const versionOf = () => etag ?? etagOf(revealed === body ? String(sent.body) : JSON.stringify(body));
    const final = withCaching(sent, caching, versionOf, reply);
    // After the timeout, a 503 is sent instead, and the reply has its headers.
    const check = reply.sent ? undefined : checkResponse;
    check?.(id, {
      status: final.status,
      headers: { ...reply.getHeaders(), ...final.headers },
      body: final.body === undefined ? undefined : revealed,
    });
    return final;
  };

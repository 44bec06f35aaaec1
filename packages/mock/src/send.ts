import { defaultBaseUrl } from '@waybill/contract/operations';
import { cachingOf, type OperationId, type OperationResponse, type SerializedResponse } from '@waybill/http/operations';
import { etagOf, jsonResponse, sendResponse, withCaching } from '@waybill/http/responses';
import type { SendStreamed } from '@waybill/http/streamed-body';
import type { FastifyReply } from 'fastify';

interface Sending {
  reply: FastifyReply;
  /** The URL by which the client reaches the mock. */
  baseUrl: string;
  sendStreamed: SendStreamed;
}

/** Sends a response that Prism has made. */
export function sendMocked(
  id: OperationId,
  response: OperationResponse,
  { reply, baseUrl, sendStreamed }: Sending,
): FastifyReply {
  // The contract documents no limits for 5xx.
  if (response.status >= 500) reply.removeHeader('ratelimit').removeHeader('ratelimit-policy');
  return sendResponse(reply, serialize(id, response, reply, baseUrl), sendStreamed);
}

function serialize(
  id: OperationId,
  { status, headers = {}, body }: OperationResponse,
  reply: FastifyReply,
  baseUrl: string,
): SerializedResponse {
  if (!isJson(body)) return { status, headers, body: body as SerializedResponse['body'] };
  if (status >= 400) {
    const problem = { ...body, request_id: reply.request.id };
    return { status, headers, body: JSON.stringify(problem) };
  }
  const json = jsonResponse(status, headers, withOwnUrls(body, baseUrl), reply);
  const caching = status === 200 ? cachingOf(id) : undefined;
  return withCaching(json, caching, () => etagOf(JSON.stringify(body)), reply);
}

/** Whether a body is an object of JSON, not a file, a stream or text. */
const isJson = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;

/** Leads the URLs of files in the contract's examples to the mock. */
function withOwnUrls(body: Record<string, unknown>, baseUrl: string): Record<string, unknown> {
  const own = (url: unknown): string => String(url).replace(`${defaultBaseUrl}/`, `${baseUrl}/`);
  const { upload_url, signature_url, photos } = body;
  return {
    ...body,
    ...(upload_url !== undefined && { upload_url: own(upload_url) }),
    ...(signature_url !== undefined && { signature_url: own(signature_url) }),
    ...(Array.isArray(photos) && { photos: photos.map(own) }),
  };
}

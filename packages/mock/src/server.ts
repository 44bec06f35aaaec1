import type { IncomingMessage, ServerResponse } from 'node:http';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';
import { basePath, type Engine, type MockRequest } from './engine.ts';
import { type MockResponse, problem } from './problems.ts';

const { size } = document.components.schemas.ProofUploadRequest.properties;

/** A PNG of one pixel, sent for every signature and photo, because the contract has no examples of files. */
const image: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Handles an HTTP request. Prism's own server does not fit: it never responds to a body that is not JSON
 * (stoplightio/prism#2664), and cannot send files (#1155).
 * @throws when the request cannot be read
 */
export async function handle(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Browsers call the mock from pages of other origins.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', '*');
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
    response.setHeader('Access-Control-Allow-Methods', request.headers['access-control-request-method']);
    response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
    response.writeHead(204).end();
    return;
  }
  const { status, headers, body } = await run(engine, request);
  if (headers['Content-type']?.startsWith('image/')) {
    response.writeHead(status, { ...headers, 'Content-type': 'image/png' }).end(image);
    return;
  }
  // URLs in the examples must lead to the mock instead of the server of the contract.
  const mockUrl = `http://${request.headers.host}${basePath}/`;
  response.writeHead(status, headers).end(JSON.stringify(body)?.replaceAll(`${defaultBaseUrl}/`, mockUrl));
}

async function run(engine: Engine, request: IncomingMessage): Promise<MockResponse> {
  const isJson = request.headers['content-type']?.includes('json') ?? false;
  const text = await read(request, isJson ? document['x-max-body'] : size.maximum);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const mockRequest = {
    method: (request.method ?? '').toLowerCase() as MockRequest['method'],
    url: new URL(`http://mock${request.url}`),
    headers,
  };
  const body = text && isJson ? parse(text) : text || null;
  const response = await engine({ ...mockRequest, body: body ?? null });
  if (response.status === 401) return response;
  if (text === undefined) return problem('payload_too_large', mockRequest.url);
  return body === undefined ? problem('malformed_request', mockRequest.url) : response;
}

/** Reads the whole body, so that the caller gets a response. @returns undefined if it exceeds `limit` bytes */
async function read(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  return length > limit ? undefined : Buffer.concat(chunks).toString();
}

/** @returns undefined for invalid JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

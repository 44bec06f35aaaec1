import type { IncomingMessage, ServerResponse } from 'node:http';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';
import { basePath, type Engine, type Question } from './engine.ts';
import { picture } from './picture.ts';
import { problem, type Reply } from './problems.ts';

const { size } = document.components.schemas.ProofUploadRequest.properties;

/**
 * The mock's HTTP side. Prism brings one, but it never answers a body that is not JSON (stoplightio/prism#2664) and
 * cannot send files (#1155). Rejects when the request cannot be read at all.
 */
export async function answer(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A front-end team calls the mock from a page of another origin.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', '*');
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
    response.setHeader('Access-Control-Allow-Methods', request.headers['access-control-request-method']);
    response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
    response.writeHead(204).end();
    return;
  }
  const { status, headers, body } = await ask(engine, request);
  if (headers['Content-type']?.startsWith('image/')) {
    response.writeHead(status, { ...headers, 'Content-type': picture.type }).end(picture.bytes);
    return;
  }
  // The examples' URLs lead to the contract's server; a caller of the mock shall come back to it.
  const own = `http://${request.headers.host}${basePath}/`;
  response.writeHead(status, headers).end(JSON.stringify(body)?.replaceAll(`${defaultBaseUrl}/`, own));
}

async function ask(engine: Engine, request: IncomingMessage): Promise<Reply> {
  const isJson = request.headers['content-type']?.includes('json') ?? false;
  const text = await read(request, isJson ? document['x-max-body'] : size.maximum);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const question = {
    method: (request.method ?? '').toLowerCase() as Question['method'],
    url: new URL(`http://mock${request.url}`),
    headers,
  };
  const body = text && isJson ? parse(text) : text || null;
  const reply = await engine({ ...question, body: body ?? null });
  if (reply.status === 401) return reply;
  if (text === undefined) return problem('payload_too_large', question.url);
  return body === undefined ? problem('malformed_request', question.url) : reply;
}

/** undefined when it is more than `limit` bytes: the rest is passed over, so that the caller hears of it */
async function read(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  return length > limit ? undefined : Buffer.concat(chunks).toString();
}

/** undefined when it is not JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

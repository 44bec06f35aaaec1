import type { IncomingMessage, ServerResponse } from 'node:http';
import { defaultBaseUrl } from '@waybill/contract/operations';
import { basePath, type Engine, type Question } from './engine.ts';
import { picture } from './picture.ts';
import { problem, type Reply } from './problems.ts';

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
  const text = await read(request);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const question = {
    method: (request.method ?? '').toLowerCase() as Question['method'],
    url: new URL(`http://mock${request.url}`),
    headers,
  };
  if (text === '' || !headers['content-type']?.includes('json')) return engine({ ...question, body: text || null });
  const json = parse(text);
  const reply = await engine({ ...question, body: json ?? null });
  return json === undefined && reply.status !== 401 ? problem('malformed_request', question.url) : reply;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** undefined when it is not JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

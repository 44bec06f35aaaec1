import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { maxBodyBytes, maxFileBytes } from '@waybill/contract/limits';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl, operationTable } from '@waybill/contract/operations';
import type { Engine } from './engine.ts';
import type { MockResponse } from './responses.ts';
import { basePath } from './routes.ts';
import { EventStream, sendStream } from './stream.ts';

export interface ServerOptions {
  /** The least and the most milliseconds before a response. */
  delay: [number, number];
  /** Receives a line for each request. */
  log: (line: string) => void;
  /** Seconds after which a stream of events ends. */
  streamSeconds: number;
}

/** A PNG of one pixel, sent for every signature and photo, because the contract has no examples of files. */
const image: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** Pages of every origin may call the mock and read the headers that the contract documents. */
const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': Object.keys(document.components.headers).join(', '),
};
const commonHeaders = { 'X-Content-Type-Options': 'nosniff', ...corsHeaders };
const methods = [...new Set(Object.values(operationTable).map(({ method }) => method)), 'HEAD'].join(', ');

/**
 * Handles an HTTP request.
 * @throws when the request cannot be read
 */
export async function handle(
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  { delay: [least, most], log, streamSeconds }: ServerOptions,
): Promise<void> {
  const start = performance.now();
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : 'disconnected';
    log(`${request.method} ${request.url} ${status} ${Math.round(performance.now() - start)} ms`);
  });
  const { 'access-control-request-method': preflight, 'access-control-request-headers': names = '*' } = request.headers;
  if (request.method === 'OPTIONS' && preflight) {
    const allowed = { 'Access-Control-Allow-Methods': methods, 'Access-Control-Allow-Headers': names };
    response.writeHead(204, { ...corsHeaders, ...allowed, 'Access-Control-Max-Age': 7200 }).end();
    return;
  }
  const isJson = request.headers['content-type']?.includes('json') ?? false;
  const body = await read(request, isJson ? maxBodyBytes : maxFileBytes);
  if (most > 0) await setTimeout(least + Math.random() * (most - least));
  const { method = '', url = '', headers } = request;
  const mocked = engine({ method, target: url, headers, body });
  if (!(mocked.body instanceof EventStream)) return send(response, mocked, `http://${headers.host}${basePath}/`);
  response.writeHead(mocked.status, { ...commonHeaders, ...mocked.headers });
  if (method === 'HEAD') response.end();
  else sendStream(response, mocked.body, streamSeconds);
}

function send(response: ServerResponse, { status, headers, body }: MockResponse, mockUrl: string): void {
  const isFile = headers['Content-Type']?.startsWith('image/');
  const type = isFile && { 'Content-Type': 'image/png' };
  // URLs of files must lead to the mock instead of the server of the contract.
  const own = (url: string): string => url.replace(`${defaultBaseUrl}/`, mockUrl);
  const text = JSON.stringify(body, (key, value) => {
    if (key === 'photos') return value.map(own);
    return key.endsWith('_url') ? own(value) : value;
  });
  const content = isFile ? image : Buffer.from(text ?? '');
  const length = status !== 204 && status !== 304 && { 'Content-Length': content.length };
  response.writeHead(status, { ...commonHeaders, ...headers, ...type, ...length }).end(content);
}

/** Reads the whole body, so that the caller gets a response. @returns undefined if it exceeds `limit` bytes */
async function read(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  return length > limit ? undefined : Buffer.concat(chunks);
}

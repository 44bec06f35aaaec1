import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, pathOf } from '../fixtures/contract.ts';
import { type Problem, problemOf } from '../fixtures/http.ts';
import type { Environment, ImageFile } from './environment.ts';

/** A request as it is sent. */
export interface Sent {
  operation: ContractOperation;
  path: Record<string, string>;
  /** A list is a repeated parameter. */
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** JSON; left out for none. */
  body?: unknown;
  /** The file that is uploaded or declared. */
  file?: ImageFile;
}

interface Payload {
  bytes?: Uint8Array<ArrayBuffer>;
  contentType?: string;
}

export interface Received {
  sent: Sent;
  status: number;
  headers: Headers;
  body: unknown;
  bytes: Uint8Array;
  problem: Problem | undefined;
}

/** Sends a request and checks that the contract documents the response. */
export async function send(environment: Environment, sent: Sent): Promise<Received> {
  const { operation, path, query, headers: own } = sent;
  const payload = payloadOf(sent);
  const url = new URL(environment.service.baseUrl + pathOf(operation, path));
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, String(one));
  const response = await request(environment, operation.method, url.href, payload, own, operation.scope !== null);
  const { status, headers } = response;
  const problem = status >= 400 ? await problemOf(response.clone()) : undefined;
  if (problem) environment.trace.push(`      ${JSON.stringify(problem)}`);
  const bytes = await response.bytes();
  const isJson = /json/.test(headers.get('content-type') ?? '');
  const body: unknown = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  expect(violations(operation, { status, headers, body })).toEqual([]);
  return { sent, status, headers, bytes, problem, body };
}

/** Sends any request to any URL. */
export async function request(
  { account, trace, tally }: Environment,
  method: string,
  url: string,
  { bytes, contentType }: Payload,
  headers: Record<string, string> = {},
  authorized = true,
): Promise<Response> {
  const body = Buffer.from(bytes ?? []);
  const shown = /json/.test(contentType ?? '') ? body : `${body.length} bytes ${body.toString('hex', 0, 200)}`;
  trace.push(`${method} ${url} ${JSON.stringify(headers)} ${contentType ?? ''} ${shown}`);
  const response = await fetch(url, {
    method,
    headers: {
      ...(authorized && { authorization: `Bearer ${account.key}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...headers,
    },
    ...(bytes && { body: bytes }),
  });
  trace.push(`    → ${response.status}`);
  tally.requests++;
  expect(response.status, 'no server error').toBeLessThan(500);
  return response;
}

function payloadOf({ operation, body, file }: Sent): Payload {
  if (body === undefined) return operation.method === 'PUT' && file ? file : {};
  return { bytes: new TextEncoder().encode(JSON.stringify(body)), contentType: 'application/json' };
}

/** Reads JSON that must exist. */
export async function read<Body>({ service, account }: Environment, path: string): Promise<Body> {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${account.key}` } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as Body;
}

import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, pathOf } from '../fixtures/contract.ts';
import { type Problem, problemOf } from '../fixtures/http.ts';
import type { ImageFile } from './requests.ts';
import type { World } from './world.ts';

/** A request as it is sent. */
export interface Sent {
  operation: ContractOperation;
  path: Record<string, string>;
  /** A value that is a list is a parameter that is repeated. */
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** JSON; left out for none. */
  body?: unknown;
  /** What is put, or what a body declares. */
  file?: ImageFile;
  /** Bytes of any type or of none in place of the body. */
  raw?: Payload;
}

export interface Payload {
  bytes?: Uint8Array<ArrayBuffer>;
  contentType?: string;
}

export interface Answer {
  sent: Sent;
  status: number;
  headers: Headers;
  body: unknown;
  bytes: Uint8Array;
  problem: Problem | undefined;
}

/** Sends a request, and judges the answer by what the contract says of any answer of this operation. */
export async function send(world: World, sent: Sent): Promise<Answer> {
  const { operation, path, query, headers: own } = sent;
  const payload = sent.raw ?? payloadOf(sent);
  const url = new URL(world.service.baseUrl + pathOf(operation, path));
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) url.searchParams.append(name, String(one));
  const response = await request(world, operation.method, url.href, payload, own, operation.scope !== null);
  const { status, headers } = response;
  const problem = status >= 400 ? await problemOf(response.clone()) : undefined;
  if (problem) world.trace.push(`      ${JSON.stringify(problem)}`);
  const bytes = await response.bytes();
  const isJson = /json/.test(headers.get('content-type') ?? '');
  const body: unknown = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  expect(violations(operation, { status, headers, body })).toEqual([]);
  return { sent, status, headers, bytes, problem, body };
}

/** Sends anything to anywhere. */
export async function request(
  { account, trace, tally }: World,
  method: string,
  url: string,
  { bytes, contentType }: Payload,
  headers: Record<string, string> = {},
  authorized = true,
): Promise<Response> {
  const body = Buffer.from(bytes ?? []);
  const told = /json/.test(contentType ?? '') ? body : `${body.length} bytes ${body.toString('hex', 0, 200)}`;
  trace.push(`${method} ${url} ${JSON.stringify(headers)} ${contentType ?? ''} ${told}`);
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
  expect(response.status, 'no fault of ours').toBeLessThan(500);
  return response;
}

function payloadOf({ operation, body, file }: Sent): Payload {
  if (body === undefined) return operation.method === 'PUT' && file ? file : {};
  return { bytes: new TextEncoder().encode(JSON.stringify(body)), contentType: 'application/json' };
}

/** Reads JSON that must be there. */
export async function read<Body>({ service, account }: World, path: string): Promise<Body> {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${account.key}` } });
  expect(response.status, path).toBe(200);
  return (await response.json()) as Body;
}

import { expect } from 'vitest';
import { violations } from '../harness/ajv.ts';
import type { ContractOperation } from '../harness/contract.ts';
import { pathOf } from '../harness/contract.ts';
import { type Problem, problemOf } from '../harness/http.ts';
import type { ImageFile } from './files.ts';
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
  /** Bytes in place of JSON, or what a body declares. */
  file?: ImageFile;
  /** Bytes of any type or of none in place of the body. */
  raw?: { bytes?: Uint8Array<ArrayBuffer>; contentType?: string };
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
  const { operation, path, query, headers } = sent;
  const { bytes, contentType } = sent.raw ?? payloadOf(sent);
  const url = world.service.baseUrl + pathOf(operation, path) + queryOf(query);
  const response = await fetch(url, {
    method: operation.method,
    headers: {
      ...(operation.scope !== null && { authorization: `Bearer ${world.account.key}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...headers,
    },
    ...(bytes && { body: bytes }),
  });
  const answer = await answerOf(response, sent);
  world.trace.push(traced(response.url, sent, bytes, answer));
  expect(answer.status, 'no fault of ours').toBeLessThan(500);
  expect(violations(operation, answer)).toEqual([]);
  return answer;
}

function payloadOf({ operation, body, file }: Sent): NonNullable<Sent['raw']> {
  if (body !== undefined)
    return { bytes: new TextEncoder().encode(JSON.stringify(body)), contentType: 'application/json' };
  return operation.method === 'PUT' && file ? file : {};
}

async function answerOf(response: Response, sent: Sent): Promise<Answer> {
  const { status, headers } = response;
  const problem = status >= 400 ? await problemOf(response.clone()) : undefined;
  const bytes = await response.bytes();
  const isJson = /json/.test(headers.get('content-type') ?? '');
  return {
    sent,
    status,
    headers,
    bytes,
    problem,
    body: isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined,
  };
}

function queryOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
}

function traced(
  url: string,
  { operation, headers, body }: Sent,
  bytes: Uint8Array | undefined,
  answer: Answer,
): string {
  const said =
    body === undefined
      ? bytes && `${bytes.length} bytes ${Buffer.from(bytes.subarray(0, 32)).toString('hex')}`
      : JSON.stringify(body);
  const got = answer.problem ? ` ${JSON.stringify(answer.problem)}` : '';
  return `${operation.method} ${url} ${JSON.stringify(headers)} ${said ?? ''}\n    → ${answer.status}${got}`;
}

/** Reads JSON that must be there. */
export async function read(
  { service, account }: Pick<World, 'service' | 'account'>,
  path: string,
): Promise<{ body: unknown }> {
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${account.key}` } });
  expect(response.status, path).toBe(200);
  return { body: await response.json() };
}

import type { components } from '@waybill/contract/types';
import { expect } from 'vitest';
import { type ContractOperation, pathOf } from './contract.ts';

export type Problem = components['schemas']['Problem'];

/** Sends an operation's request without the client's help, for what the client would not let through. */
export function send(
  baseUrl: string,
  operation: ContractOperation,
  { key, path, body = operation.body }: { key?: string; path?: Record<string, string>; body?: unknown } = {},
): Promise<Response> {
  const hasBody = body !== undefined && operation.method !== 'GET';
  return fetch(baseUrl + pathOf(operation, path), {
    method: operation.method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
}

/** The problem that a response is; fails when it is none, or when status, headers and body tell different stories. */
export async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = (await response.json()) as Problem;
  expect(problem.status).toBe(response.status);
  expect(problem.request_id).toBe(response.headers.get('x-request-id'));
  expect(problem.instance).toBe(new URL(response.url).pathname);
  expect(problem.type).toBe(`/docs/errors/${problem.code}`);
  return problem;
}

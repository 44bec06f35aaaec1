import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { problemDocument } from '@waybill/contract/problem-document';
import type { components } from '@waybill/contract/types';
import type { Example } from './examples.ts';

type Problem = components['schemas']['Problem'];
const { RateLimit, 'RateLimit-Policy': policy } = document.components.headers;

export interface MockResponse {
  status: number;
  headers: Record<string, string>;
  /** Undefined for a file or an empty response; an `EventStream` for a stream. */
  body?: unknown;
}

/** The mock refuses a request with an error of the catalogue. */
export class Refusal extends Error {
  readonly code: Problem['code'];
  readonly members: Partial<Problem>;
  readonly headers: Record<string, string>;

  constructor(
    code: Problem['code'],
    detail: string,
    members: Partial<Problem> = {},
    headers: Record<string, string> = {},
  ) {
    super(detail);
    this.code = code;
    this.members = members;
    this.headers = headers;
  }
}

/** A response with the headers and the body of an example. */
export function exampleResponse({ status, headers, contentType, value }: Example, requestId: string): MockResponse {
  const isProblem = status >= 400;
  return {
    status,
    headers: {
      ...headers,
      'X-Request-Id': isProblem ? (value as Problem).request_id : requestId,
      ...(contentType && { 'Content-Type': contentType }),
    },
    ...(value !== undefined && { body: value }),
  };
}

/** A problem of the mock itself. */
export function problemResponse(
  { code, message, members, headers }: Refusal,
  path: string,
  requestId: string,
): MockResponse {
  const body = problemDocument(code, { detail: message, path, requestId, members });
  const common = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': requestId,
    'RateLimit-Policy': policy.example,
    RateLimit: RateLimit.example,
  };
  return { status: body.status, headers: { ...common, ...headers }, body };
}

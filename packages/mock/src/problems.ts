import { randomUUID } from 'node:crypto';
import { fieldErrorCodes } from '@waybill/contract/field-error-codes';
import { maxFieldErrors } from '@waybill/contract/limits';
import document from '@waybill/contract/openapi.json' with { type: 'json' };
import { problems } from '@waybill/contract/problems';
import type { components } from '@waybill/contract/types';

const { RateLimit, 'RateLimit-Policy': policy } = document.components.headers;

type Problem = components['schemas']['Problem'];
type FieldError = components['schemas']['FieldError'];

export interface MockResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** An invalid field reported by Prism: `path` starts with the part of the request. */
interface Violation {
  path?: string[];
  code?: string | number;
  message: string;
}

interface ProblemDetails {
  errors?: FieldError[];
  headers?: Record<string, string>;
}

/** A problem response of the mock itself, as the contract defines it. */
export function problem(code: Problem['code'], url: URL, { errors, headers }: ProblemDetails = {}): MockResponse {
  const { status, title, description } = problems[code];
  const request_id = randomUUID();
  const body: Problem = {
    type: `/docs/errors/${code}`,
    title,
    status,
    detail: errors ? summaryOf(errors) : description.trim(),
    instance: url.pathname,
    code,
    request_id,
    ...(errors && { errors }),
  };
  const common = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': request_id,
    'RateLimit-Policy': policy.example,
    RateLimit: RateLimit.example,
  };
  return { status, headers: { ...common, ...headers }, body };
}

/** The same text as in the service. */
function summaryOf([first, ...more]: FieldError[]): string {
  if (!first || more.length > 0) return `${more.length + 1} fields are invalid.`;
  return `${first.in}${first.pointer && ` ${first.pointer}`} ${first.detail}.`.slice(0, 1000);
}

/** The invalid fields of the first part of the request that has any, like in the service. */
export function fieldErrors(violations: Violation[], unknownParameters: string[]): FieldError[] {
  const errors = [...unknownParameters.map(unknownParameter), ...violations.map(fieldError)];
  const part = (['query', 'headers', 'body'] as const).find((name) => errors.some((error) => error.in === name));
  // Prism reports a failed `anyOf` and each of its branches.
  const distinct = new Map(errors.map((error) => [`${error.in} ${error.pointer} ${error.code}`, error]));
  return [...distinct.values()].filter((error) => error.in === part).slice(0, maxFieldErrors);
}

const unknownParameter = (name: string): FieldError => ({
  in: 'query',
  pointer: pointer([name]),
  code: 'unknown_field',
  detail: 'is unknown',
});

function fieldError({ path: [part = 'body', ...path] = [], code = '', message }: Violation): FieldError {
  // For a missing or unknown field, Prism reports the parent in `path` and the field only in the message.
  const field = /(?:required property|found) '([^']+)'$/.exec(message)?.[1];
  return {
    in: part === 'query' ? 'query' : part === 'header' ? 'headers' : 'body',
    pointer: pointer(field === undefined ? path : [...path, field]),
    code: fieldErrorCodes[code] ?? 'invalid_format',
    detail: message.slice(0, 500),
  };
}

const pointer = (steps: string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

import { ProblemError, UnexpectedResponseError } from './errors.ts';
import { takes } from './headers.ts';
import type { Answer, OperationId, Schemas } from './operations.ts';

/** Converts a success to what a call resolves with. */
export async function readSuccess(operation: OperationId, response: Response): Promise<Answer<number, unknown>> {
  const { status, headers } = response;
  return {
    status,
    data: await readContent(response),
    headers,
    requestId: headers.get('X-Request-Id'),
    ...(takes(operation, 'If-None-Match') && { etag: headers.get('ETag') }),
    ...(takes(operation, 'Idempotency-Key') && { replayed: headers.get('Idempotent-Replayed') === 'true' }),
  };
}

/** The body of a success: JSON, a file or nothing. The service sends nothing else. */
async function readContent(response: Response): Promise<unknown> {
  if ([204, 304].includes(response.status)) return undefined;
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('image/')) return response.blob();
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedResponseError(response, text);
  }
}

/** Converts any other response to the error to throw. @param body its parsed JSON, else its text */
export function readError(response: Response, body: unknown): ProblemError | UnexpectedResponseError {
  return isProblem(response, body)
    ? new ProblemError(body, response.headers)
    : new UnexpectedResponseError(response, body);
}

function isProblem(response: Response, body: unknown): body is Schemas['Problem'] {
  const type = response.headers.get('Content-Type') ?? '';
  // Gateways may send application/problem+json too, but without a `code`.
  return type.startsWith('application/problem+json') && typeof body === 'object' && body !== null && 'code' in body;
}

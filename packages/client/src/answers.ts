import { ProblemError, UnexpectedResponseError } from './errors.ts';
import type { Schemas } from './operations.ts';

/** The body of a success: JSON, a file, or nothing. Anything else does not come from the service. */
export async function readContent(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('image/')) return response.blob();
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedResponseError(response.status, text);
  }
}

/** The error to throw for an answer that is no success; `body` is its parsed JSON, else its text. */
export function readProblem(response: Response, body: unknown): ProblemError | UnexpectedResponseError {
  return isProblem(response, body) ? new ProblemError(body) : new UnexpectedResponseError(response.status, body);
}

function isProblem(response: Response, body: unknown): body is Schemas['Problem'] {
  const type = response.headers.get('Content-Type') ?? '';
  // Others speak problem+json too, a gateway for one; only ours have a code.
  return type.startsWith('application/problem+json') && typeof body === 'object' && body !== null && 'code' in body;
}

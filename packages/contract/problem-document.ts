import { problems } from './generated/problems.ts';
import type { components } from './generated/types.ts';

type Problem = components['schemas']['Problem'];

/** What differs between two problems of the same code. */
interface Occurrence {
  detail: string;
  /** The path of the request. */
  instance: string;
  requestId: string;
  /** The additional members of the code. */
  members: Partial<Problem>;
}

/** Makes the body of an error response (RFC 9457). */
export function problemDocument(code: Problem['code'], { detail, instance, requestId, members }: Occurrence): Problem {
  const { status, title } = problems[code];
  return { type: `/docs/errors/${code}`, title, status, detail, instance, code, request_id: requestId, ...members };
}

import { problems } from '../generated/problems.ts';
import type { components } from '../generated/types.ts';

type Problem = components['schemas']['Problem'];

/** What differs between two problems of the same code. */
interface Occurrence {
  detail: string;
  /** Of the request. */
  path: string;
  requestId: string;
  /** The additional members of the code. */
  members: Partial<Problem>;
}

/**
 * With the code, it identifies the kind of problem: the same URI for every service and mock, whose docs have other URLs
 * (RFC 9457, section 3.1.1, and RFC 4151).
 */
const typeBase = 'tag:waybill-freight.github.io,2026:';

/** Makes the body of an error response (RFC 9457). */
export function problemDocument(code: Problem['code'], { detail, path, requestId, members }: Occurrence): Problem {
  const { status, title } = problems[code];
  const instance = uriReference(path);
  return { type: typeBase + code, title, status, detail, instance, code, request_id: requestId, ...members };
}

/** Escapes what RFC 3986 does not allow in a path, such as `[`: HTTP servers accept it. Returns at most 16,384 characters. */
const uriReference = (path: string): string =>
  path
    .replace(/%(?![\dA-F]{2})|[^\w\-.~!$&'()*+,;=:@/%]/gi, encodeURIComponent)
    .slice(0, 16_384)
    .replace(/%.?$/, '');

/** What the service and the mock read from request headers in the same way. */

/** The characters and the length that the contract states for `X-Request-Id`. */
const requestIdPattern = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns the `X-Request-Id` of a request if it matches the contract, otherwise a new one. */
export const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && requestIdPattern.test(given) ? given : crypto.randomUUID();

/** The media type of a `Content-Type`, lower-case and without parameters (RFC 9110, section 8.3.1). */
export const mediaTypeOf = (header: string | undefined): string | undefined =>
  header?.split(';')[0]?.trim().toLowerCase();

/** Whether a `Content-Encoding` names another coding than `identity`, such as gzip (RFC 9110, section 8.4). */
export const hasContentCoding = (header: string | undefined): boolean =>
  header?.split(',').some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase())) ?? false;

/** An ETag without the coding of its representation: it identifies the same version. */
const withoutCoding = (etag: string): string => etag.replace(/-(br|gzip)"$/, '"');

/** Whether a list of ETags in this form contains one, or is `*`. */
const contains = (header: string, form: RegExp, etag: string): boolean =>
  header.trim() === '*' ||
  (header.match(form)?.some((listed) => listed === etag || withoutCoding(listed) === etag) ?? false);

/** Whether an `If-None-Match` header contains this ETag or `*`. The comparison is weak (RFC 9110, section 13.1.2). */
export const isMatch = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && contains(ifNoneMatch, /"[^"]*"/g, etag);

/** Whether an `If-Match` header contains this ETag or `*`. The comparison is strong (RFC 9110, section 13.1.1). */
export const isStrongMatch = (ifMatch: string, etag: string): boolean => contains(ifMatch, /(W\/)?"[^"]*"/g, etag);

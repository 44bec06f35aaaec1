// Made from spec/ by `pnpm generate`. Do not edit.
/** Maximum bytes of a file. */
export const maxFileBytes: number = 20971520;

/** Entries of a page when the request has no `limit`. */
export const defaultPageSize: number = 25;

/** Maximum number of invalid fields in a problem. */
export const maxFieldErrors: number = 50;

/** Maximum exceptions of a shipment. */
export const maxExceptions: number = 50;

/** Maximum accesses of a shipment that have not expired. */
export const maxAccesses: number = 20;

/** Maximum documents of a shipment. */
export const maxDocuments: number = 20;

/** Maximum webhook endpoints of an account. */
export const maxEndpoints: number = 16;

/** Maximum characters of the URL of a webhook endpoint. */
export const maxEndpointUrl: number = 2048;

/** Hours for which a replaced secret of a webhook endpoint signs when the request has none. */
export const defaultPreviousHours: number = 24;

/** Maximum characters of the body and of the error of an attempt to send a webhook. */
export const maxAttemptBody: number = 1000;

export const maxAttemptError: number = 200;

/** Maximum uploads of a list. */
export const maxListedUploads: number = 100;

/** Maximum references of a shipment. */
export const maxReferences: number = 200;

/** The largest number that the shipments of a list are counted to. */
export const maxTotalCount: number = 10000;

/** How far ahead an access expires at most, as an ISO 8601 duration. */
export const maxAccessAhead: string = "PT8760H";

/** Of one line of text with a visible character, for a regular expression with the flag `u`. */
export const linePattern: string = "^(?:[^\\p{L}\\p{N}\\p{P}\\p{S}\\x00-\\x1F\\x7F-\\x9F\\u2028-\\u202E\\u2066-\\u206F]|[\\u115F\\u1160\\u2800\\u3164\\uFFA0\\uFFFC])*(?:[^\\p{C}\\p{M}\\p{Z}\\u115F\\u1160\\u2800\\u3164\\uFFA0\\uFFFC]|[CMZp{}])[^\\x00-\\x1F\\x7F-\\x9F\\u2028-\\u202E\\u2066-\\u206F]*$";

/** Maximum characters of the phone number of a dispatcher. */
export const maxPhoneLength: number = 50;

/** How far the timestamp of a position may be ahead of now, as an ISO 8601 duration. */
export const maxPositionAhead: string = "PT5M";

/** Maximum entries of a timeline. */
export const maxTrackingEvents: number = 50;

import { operationTable } from '@waybill/contract/operations';

/** A correction of what `redocly generate-client` writes. It must find something, so that none outlives its reason. */
export interface Amendment {
  why: string;
  find: RegExp;
  /** As of `String.replaceAll`. */
  replace: string | ((found: string, ...groups: string[]) => string);
}

/** What generators of several languages get wrong. */
export const reasons = {
  lists: 'a list in a query has commas (style: form, explode: false)',
  unknown: 'an event of an unknown type is raw data, not an event of another type',
  comments: 'a message of the stream without data is not an event (HTML Living Standard, 9.2.6)',
  keys: 'the contract has keys for POST; a lost PATCH is for the caller to decide',
  retries: 'of the conflicts only idempotency_in_progress has Retry-After, and nobody waits for an hour',
  pauses: 'who follows the feed tries again without end, at least twice a minute',
  portals: 'a success that is not JSON, such as the page of a portal, is no result',
  empty: 'a success without the member that each has, such as {} or null, is no result',
  streams: 'a stream goes on until the caller ends it: it is opened again when it ends, is cut or stays silent',
  secrets: 'the errors of HTTP libraries show a header that is malformed, and with it the key',
  redirects: 'a redirect, which is not followed, is no result',
  bytes: 'a downloaded file has bytes',
};

/** Operation → a member that the JSON of each success has. */
export const members: [operation: string, member: string][] = Object.entries(operationTable).flatMap(
  ([id, { member }]) => (member ? [[id, member]] : []),
);

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
  redirects: 'a redirect, which is not followed, is no result',
  bytes: 'a downloaded file has bytes',
};

/** What is counted: the requests with a valid key by key, all others by IP address. */
export type Counted = 'key' | 'address';

/** Seconds that a limit is for. */
export const window = 60;

/** How much of a limit is used, and the milliseconds until it starts anew. */
export interface Count {
  used: number;
  milliseconds: number;
}

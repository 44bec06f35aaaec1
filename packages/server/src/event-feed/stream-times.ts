/** The times of streams in milliseconds. Tests shorten them. */
export const streamTimes = {
  /** After so long without an event, a stream sends a comment. The contract states it. */
  heartbeat: 15_000,
  /** The least and the most of `retry`: clients that are disconnected together do not reconnect together. */
  leastRetry: 1000,
  mostRetry: 3000,
};

/** Milliseconds after which a stream without events sends a comment. The contract states it. */
export const heartbeatInterval = 15_000;

/** Milliseconds after which a connection is closed that takes no byte of a stream. More than the heartbeats need. */
export const stallTimeout = 30_000;

/** The least and the most milliseconds of `retry`: clients that are disconnected together do not reconnect together. */
export const retryRange: [number, number] = [1000, 3000];

/** How a page gets changes: over a stream, by requests, or not at the moment. */
export type Connection = 'loading' | 'live' | 'polling' | 'interrupted' | 'offline';

/** The state that a page shows. Without a network it is offline, whatever was read before. */
export const shownConnection = (connection: Connection): Connection => (navigator.onLine ? connection : 'offline');

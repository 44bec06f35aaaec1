/** Why a key or a token does not work. */
export type KeyEnd = 'expired' | 'unknown';

/** Why the service has refused a key or a token with 401. */
export const keyEndOf = ({ detail }: { detail: string }): KeyEnd => (/expired/.test(detail) ? 'expired' : 'unknown');

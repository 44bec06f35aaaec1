import { Problem } from '@waybill/http/problems';
import type { KeyWatch } from './key-watch.ts';

/** Seconds after which a refused reader may try again. */
const retryAfter = 5;

/** A stream, or a request that waits for events. */
export interface Reader {
  /** Aborts when its key is revoked or expires, or its account is disabled. */
  keyEnded: AbortSignal;
  /** Ends it. Later calls have no effect. */
  close(): void;
}

/** The open readers of this instance. */
export interface Readers {
  /**
   * Counts a reader.
   * @param keyId of its API key or access
   * @throws {Problem} too_many_streams for the key or the account, unavailable for the instance
   */
  open(accountId: string, keyId: string): Reader;
  /** How many are open. */
  count(): number;
}

/** Makes the limits of open readers. @param max of all accounts; one account has at most three quarters of it */
export function limitReaders(maxOfKey: number, max: number, watchKey: KeyWatch['watch']): Readers {
  const maxOfAccount = Math.max(1, Math.floor(max * 0.75));
  const open = new Map<string, number>();
  let total = 0;

  const refuseFrom = (owner: string, id: string, limit: number): void => {
    if ((open.get(id) ?? 0) < limit) return;
    const detail = `The ${owner} has ${limit} streams and waiting requests.`;
    throw new Problem('too_many_streams', detail, {}, { 'Retry-After': String(retryAfter) });
  };
  const add = (id: string, difference: 1 | -1): void => {
    const count = (open.get(id) ?? 0) + difference;
    if (count > 0) open.set(id, count);
    else open.delete(id);
  };

  return {
    open(accountId, keyId) {
      refuseFrom('key', keyId, maxOfKey);
      refuseFrom('account', accountId, maxOfAccount);
      if (total >= max) {
        const detail = 'The service has too many streams and waiting requests.';
        throw new Problem('unavailable', detail, {}, { 'Retry-After': String(retryAfter) });
      }
      for (const id of [accountId, keyId]) add(id, 1);
      total++;
      const keyEnded = new AbortController();
      const endWatch = watchKey(keyId, () => keyEnded.abort());
      let isOpen = true;
      return {
        keyEnded: keyEnded.signal,
        close() {
          if (!isOpen) return;
          isOpen = false;
          endWatch();
          total--;
          for (const id of [accountId, keyId]) add(id, -1);
        },
      };
    },
    count: () => total,
  };
}

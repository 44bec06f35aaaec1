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
  /** Counts a reader of an API key. @throws {Problem} too_many_streams for the key, unavailable for the instance */
  open(keyId: string): Reader;
  /** How many are open. */
  count(): number;
}

/** Makes the limits of open readers. @param max of all keys */
export function limitReaders(perKey: number, max: number, watchKey: KeyWatch['watch']): Readers {
  const openOf = new Map<string, number>();
  let total = 0;
  return {
    open(keyId) {
      const open = openOf.get(keyId) ?? 0;
      if (open >= perKey) {
        const detail = `The key has ${perKey} streams and waiting requests.`;
        throw new Problem('too_many_streams', detail, {}, { 'Retry-After': String(retryAfter) });
      }
      if (total >= max) {
        const detail = 'The service has too many streams and waiting requests.';
        throw new Problem('unavailable', detail, {}, { 'Retry-After': String(retryAfter) });
      }
      openOf.set(keyId, open + 1);
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
          const remaining = (openOf.get(keyId) ?? 0) - 1;
          if (remaining > 0) openOf.set(keyId, remaining);
          else openOf.delete(keyId);
        },
      };
    },
    count: () => total,
  };
}

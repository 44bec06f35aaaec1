import { Problem } from '../http/problems.ts';

/** Seconds after which a refused reader may try again. */
const retryAfter = 5;

/** The open readers of this instance: streams and requests that wait for events. */
export interface Readers {
  /**
   * Counts a reader of an API key. @returns a function that ends it; later calls of that have no effect
   * @throws {Problem} too_many_streams for the key, unavailable for the instance
   */
  open(keyId: string): () => void;
  /** How many are open. */
  count(): number;
}

/** Makes the limits of open readers. @param max of all keys */
export function limitReaders(perKey: number, max: number): Readers {
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
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        total--;
        const remaining = (openOf.get(keyId) ?? 0) - 1;
        if (remaining > 0) openOf.set(keyId, remaining);
        else openOf.delete(keyId);
      };
    },
    count: () => total,
  };
}

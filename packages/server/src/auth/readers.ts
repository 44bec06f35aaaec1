import { Problem } from '@waybill/http/problems';
import type { Database } from '../database/database.ts';
import { isAccessId } from './keys.ts';
import { findValidAccesses, findValidKeys } from './queries.ts';

/** Milliseconds between two looks at all keys and accesses that are watched. A look takes less than the rest of a second. */
const lookInterval = 750;

/** Notices that keys and accesses end which are in use for a long time, such as by streams. */
interface KeyWatch {
  /**
   * Calls `onEnd` once when a key or an access is revoked or expires, or its account is disabled, on whatever instance.
   * @param keyId the id of a key, or the public id of an access
   * @returns the function that ends the watch
   */
  watch(keyId: string, onEnd: () => void): () => void;
  close(): void;
}

/**
 * Makes a watch, which reads all of its keys by one query, and all of its accesses by another.
 * @param forget removes a key or an access that has ended from a cache
 */
export function watchKeys(db: Database, forget: (keyId: string) => void): KeyWatch {
  const watched = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const schedule = (): void => {
    timer = watched.size > 0 && !isClosed ? setTimeout(look, lookInterval) : undefined;
  };
  const look = async (): Promise<void> => {
    const keyIds = [...watched.keys()];
    // While PostgreSQL cannot be read, streams get nothing that a key could protect.
    const valid = await findValid(db, keyIds).catch(() => new Set(keyIds));
    for (const keyId of keyIds) {
      if (valid.has(keyId)) continue;
      forget(keyId);
      for (const onEnd of watched.get(keyId) ?? []) onEnd();
      watched.delete(keyId);
    }
    schedule();
  };

  return {
    watch(keyId, onEnd) {
      const callbacks = watched.get(keyId) ?? new Set();
      const callback = (): void => onEnd(); // its own, so that the same function can be given twice
      callbacks.add(callback);
      watched.set(keyId, callbacks);
      timer ??= setTimeout(look, lookInterval);
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0 && watched.get(keyId) === callbacks) watched.delete(keyId);
      };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function findValid(db: Database, ids: string[]): Promise<Set<string>> {
  const accessIds = ids.filter(isAccessId);
  const keyIds = ids.filter((id) => !isAccessId(id));
  const valid = await Promise.all([
    keyIds.length > 0 ? findValidKeys(db, keyIds) : [],
    accessIds.length > 0 ? findValidAccesses(db, accessIds) : [],
  ]);
  return new Set(valid.flat());
}

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

/**
 * Makes the limits of open readers. Those of accesses are counted apart from those of API keys, so that a link that many
 * people open takes none of an integration.
 * @param max of all accounts, for keys and again for accesses; one account has at most three quarters of it
 */
export function limitReaders(maxOfKey: number, max: number, watchKey: KeyWatch['watch']): Readers {
  const [keys, accesses] = [readerPool('key', maxOfKey, max), readerPool('access token', maxOfKey, max)];
  return {
    open(accountId, keyId) {
      const remove = (isAccessId(keyId) ? accesses : keys).add(accountId, keyId);
      const keyEnded = new AbortController();
      const endWatch = watchKey(keyId, () => keyEnded.abort());
      let isOpen = true;
      return {
        keyEnded: keyEnded.signal,
        close() {
          if (!isOpen) return;
          isOpen = false;
          endWatch();
          remove();
        },
      };
    },
    count: () => keys.count() + accesses.count(),
  };
}

/** Counts readers. @param kind of what they are opened with */
function readerPool(kind: string, maxOfKey: number, max: number) {
  const maxOfAccount = Math.max(1, Math.floor(max * 0.75));
  const open = new Map<string, number>();
  let total = 0;

  const refuseFrom = (owner: string, id: string, limit: number): void => {
    if ((open.get(id) ?? 0) < limit) return;
    const detail = `The ${owner} has ${limit} streams and waiting requests.`;
    throw new Problem('too_many_streams', detail, {}, { 'Retry-After': String(retryAfter) });
  };
  const add = (ids: string[], difference: 1 | -1): void => {
    total += difference;
    for (const id of ids) {
      const count = (open.get(id) ?? 0) + difference;
      if (count > 0) open.set(id, count);
      else open.delete(id);
    }
  };

  return {
    /** @returns the function that removes it */
    add(accountId: string, keyId: string): () => void {
      refuseFrom(kind, keyId, maxOfKey);
      refuseFrom('account', accountId, maxOfAccount);
      if (total >= max) {
        const detail = 'The service has too many streams and waiting requests.';
        throw new Problem('unavailable', detail, {}, { 'Retry-After': String(retryAfter) });
      }
      add([accountId, keyId], 1);
      return () => add([accountId, keyId], -1);
    },
    count: () => total,
  };
}

import type { Database } from '../database/connect.ts';
import { noteUse, type StoredKey } from './queries.ts';

/** Milliseconds between two writes for one key, so that reading does not become writing. */
const interval = 60_000;

/** Records that a key was used. It never fails and never delays a request. */
export type RecordUse = (key: StoredKey) => void;

/** Writes `last_used_at` at most once a minute for each key. Of consecutive failures only the first is logged. */
export function recordLastUse(db: Database, warn: (message: string) => void): RecordUse {
  let failing = false;
  return (key) => {
    const now = new Date();
    const before = new Date(now.getTime() - interval);
    if (key.lastUsedAt && key.lastUsedAt > before) return;
    key.lastUsedAt = now; // the requests until the next look-up need not write again
    noteUse(db, key, now, before).then(
      () => {
        failing = false;
      },
      (error: unknown) => {
        if (!failing)
          warn(`The last use of API keys cannot be recorded: ${messageOf(error)}. Requests are not affected.`);
        failing = true;
      },
    );
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

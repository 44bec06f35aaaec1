import { createWriteStream } from 'node:fs';
import { Abandoned, type Journal, type Outcome, type Write } from '../simulate/writes.ts';

/** A write of the run and what is known of it. */
export interface Entry {
  write: Write;
  /** The acknowledged answer; undefined while there is none. */
  outcome?: Outcome;
  /** Whether a send of it had no answer, so that only a repetition could tell. */
  doubtful: boolean;
  /** Whether it had been done by a send that had no answer. */
  unheard: boolean;
  /** Whether nobody waits for its answer any more, as if its client had died. */
  abandoned: boolean;
}

/** Every write of the run, in memory and in a file. */
export interface Book extends Journal {
  entries: Map<string, Entry>;
  /** Lets no new write through, and resolves when none is under way. */
  pause(): Promise<void>;
  resume(): void;
  /** Lets no write through any more: those who wait are told that they are given up. */
  close(): void;
  /** Resolves with the next acknowledged answer. */
  nextAnswer(): Promise<void>;
}

/** @param leaves tells for an unanswered write whether its client gives up */
export function openBook(file: string, leaves: () => boolean): Book {
  const paper = createWriteStream(file, { flags: 'a' });
  const note = (line: object): void =>
    void paper.write(`${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
  const entries = new Map<string, Entry>();
  const underWay = new Set<string>();
  let closed = false;
  let gate: PromiseWithResolvers<void> | undefined;
  let quiet: PromiseWithResolvers<void> | undefined;
  let answer: PromiseWithResolvers<void> | undefined;
  const entryOf = ({ key }: Write): Entry => {
    const entry = entries.get(key);
    if (!entry) throw new Error(`The journal does not know the key ${key}.`);
    return entry;
  };
  const over = ({ key }: Write): void => {
    underWay.delete(key);
    if (underWay.size === 0) quiet?.resolve();
  };
  return {
    entries,
    async sending(write) {
      while (gate) await gate.promise;
      if (closed) throw new Abandoned(write.operation);
      const { operation, path, body, key } = write;
      note({ operation, path, body, key });
      entries.set(key, { write, doubtful: false, unheard: false, abandoned: false });
      underWay.add(key);
    },
    unanswered(write) {
      const entry = entryOf(write);
      entry.doubtful = true;
      entry.abandoned ||= leaves();
      return !entry.abandoned;
    },
    answered(write, outcome, replayed) {
      note({ key: write.key, ...outcome });
      const entry = entryOf(write);
      entry.outcome = outcome;
      entry.unheard = entry.doubtful && replayed === true;
      over(write);
      answer?.resolve();
      answer = undefined;
    },
    left(write) {
      entryOf(write).abandoned = true;
      over(write);
    },
    async pause() {
      gate ??= Promise.withResolvers();
      quiet = Promise.withResolvers();
      if (underWay.size > 0) await quiet.promise;
    },
    resume() {
      gate?.resolve();
      gate = undefined;
    },
    close() {
      closed = true;
      this.resume();
    },
    nextAnswer() {
      answer ??= Promise.withResolvers();
      return answer.promise;
    },
  };
}

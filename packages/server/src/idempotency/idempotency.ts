import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import type { Kysely } from 'kysely';
import type { Database, Transaction } from '../database/connect.ts';
import type { Tables } from '../database/tables.ts';
import { Problem } from '../http/problems.ts';
import { insertOutcome, type Outcome, selectOutcome } from './stored-responses.ts';

/** Milliseconds between two looks for the outcome of a request that another process is working on. */
const pollInterval = 100;
/** Statuses of a handler's problem that say nothing about the next attempt; what is 500 or more is not kept either. */
const notKept = [400, 401, 403, 413, 415, 429];

export interface KeyedRequest {
  accountId: string;
  key: string;
  fingerprint: Buffer;
}

/** What makes a request the same as another: operation, path values, and the body in canonical JSON (RFC 8785). */
export const fingerprintOf = (operation: string, path: unknown, body: unknown): Buffer =>
  hash('sha256', [operation, canonicalize(path), canonicalize(body)].join('\n'), 'buffer');

type Effect<Answer> = (trx: Transaction<Tables>) => Promise<Answer & Outcome>;
type Result<Answer> = { first: Answer & Outcome } | { replay: Outcome };

const reused = (): Problem => new Problem('idempotency_key_reused', 'This key was used for another request.');
const inProgress = (): Problem =>
  new Problem(
    'idempotency_in_progress',
    'The first request with this key is still running.',
    {},
    { 'Retry-After': '1' },
  );

const isInProgress = (error: unknown): boolean => error instanceof Problem && error.code === 'idempotency_in_progress';

const isLockTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03';

/** What became of storing an outcome: the key has one already, or another transaction is about to store one. */
type Kept = 'stored' | 'taken' | 'locked';

/** The key's own outcome could not be stored at the end of its transaction, which is therefore undone. */
class NotStored extends Error {
  readonly kept: Kept;
  constructor(kept: Kept) {
    super();
    this.kept = kept;
  }
}

/**
 * Makes an effect happen once for a key. The outcome is inserted last, in the effect's own transaction: whoever comes
 * second undoes its work and replays. Equal requests in one process share the first one's promise, so a storm of
 * retries holds one connection.
 * @param waitTimeout how long a repeated request waits for the first, in milliseconds
 */
export function idempotent(
  db: Database,
  waitTimeout: number,
): <Answer>(request: KeyedRequest, effect: Effect<Answer>) => Promise<Result<Answer>> {
  const running = new Map<string, { fingerprint: Buffer; result: Promise<Outcome> }>();

  return async (request, effect) => {
    const name = `${request.accountId} ${request.key}`;
    const deadline = performance.now() + waitTimeout;
    for (let other = running.get(name); other; other = running.get(name)) {
      if (other.fingerprint.equals(request.fingerprint)) {
        try {
          return { replay: await within(deadline, other.result) };
        } catch (error) {
          // The first one's time is up; who came later has some left, and tries for itself.
          if (isInProgress(error) && performance.now() < deadline) continue;
          throw error;
        }
      }
      // Another request with this key: whatever becomes of that one, this one is judged for itself.
      await within(
        deadline,
        other.result.catch(() => {}),
      );
    }
    const result = once(db, request, deadline, effect);
    const shared = result.then(
      (done) => ('first' in done ? done.first : done.replay),
      (error) => outcomeOf(error),
    );
    shared.catch(() => {}); // nobody may be waiting
    running.set(name, { fingerprint: request.fingerprint, result: shared });
    try {
      return await result;
    } finally {
      running.delete(name);
    }
  };
}

/** A problem that is kept, as an outcome; any other error as itself, for those who waited. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof Problem && isKept(error)) return problemOutcome(error);
  throw error;
}

async function within<T>(deadline: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(inProgress()), deadline - performance.now());
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function once<Answer>(
  db: Database,
  request: KeyedRequest,
  deadline: number,
  effect: Effect<Answer>,
): Promise<Result<Answer>> {
  let error: unknown;
  try {
    const first = await db.transaction().execute(async (trx) => {
      const answer = await effect(trx);
      const kept = await keep(trx, request, answer);
      if (kept !== 'stored') throw new NotStored(kept);
      return answer;
    });
    return { first };
  } catch (failure) {
    error = failure;
  }
  if (error instanceof Problem && isKept(error)) {
    const kept = await keep(db, request, problemOutcome(error));
    if (kept === 'stored') throw error;
    if (kept === 'locked') error = new NotStored(kept);
  }
  const isLocked = error instanceof NotStored && error.kept === 'locked';
  // The handler may have failed because the same request had already succeeded.
  const mayBeDone =
    error instanceof NotStored || isLockTimeout(error) || (error instanceof Problem && error.status < 500);
  const stored = mayBeDone ? await findOutcome(db, request, isLocked ? deadline : 0) : undefined;
  if (stored && !stored.fingerprint.equals(request.fingerprint)) throw reused();
  if (stored) return { replay: stored };
  if (isLocked) throw inProgress();
  throw error instanceof NotStored ? new Problem('unavailable') : error;
}

/** Stores an outcome. A lock that does not come free in time is another request's with this key. */
async function keep(db: Kysely<Tables>, request: KeyedRequest, outcome: Outcome): Promise<Kept> {
  try {
    return (await insertOutcome(db, request, outcome)) ? 'stored' : 'taken';
  } catch (error) {
    if (isLockTimeout(error)) return 'locked';
    throw error;
  }
}

/** The stored outcome, as soon as there is one before the deadline; looks at least once. */
async function findOutcome(db: Database, request: KeyedRequest, deadline: number): ReturnType<typeof selectOutcome> {
  for (;;) {
    const stored = await selectOutcome(db, request);
    if (stored || performance.now() + pollInterval > deadline) return stored;
    await wait(pollInterval);
  }
}

const isKept = (problem: Problem): boolean =>
  problem.status < 500 && !notKept.includes(problem.status) && !isInProgress(problem);
const problemOutcome = ({ status, code, message, members }: Problem): Outcome => ({
  status,
  headers: {},
  body: { code, detail: message, members },
});

/** What a stored outcome says, to be told again: an answer, or the problem that it was. */
export function replayed({ status, headers = {}, body }: Outcome): Outcome {
  if (status < 400) return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body };
  const { code, detail, members } = body as Pick<Problem, 'code' | 'members'> & { detail: string };
  throw new Problem(code, detail, members, { 'Idempotent-Replayed': 'true' });
}

import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from '../database/database.ts';
import type { EventFeed } from '../event-feed/feed.ts';
import { withTimeLimit } from '../timing/time-limit.ts';
import type { SecretBox } from '../webhook-signing/secrets.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type DeliveryRow, selectDueDeliveries } from './delivery-queries.ts';
import { type AttemptResult, disableReason, failingSince } from './health.ts';
import {
  deleteOldDeliveries,
  findQueue,
  maxFinished,
  type QueueRow,
  queueEvents,
  queueReplay,
  queueState,
  recordAttempts,
  releaseWaiting,
  setFailingSince,
} from './queue-queries.ts';
import type { Attempt, Sender } from './send.ts';

/** Requests to an endpoint at a time; fewer while its attempts fail. */
const maxConcurrent = 16;
const maxConcurrentFailing = 2;
/** Pending deliveries of an endpoint. Further events stay in the feed. */
const maxPending = 10_000;
/** Milliseconds after which an endpoint looks for deliveries that are due, at the latest. */
const maxIdle = 60_000;
/** Finished deliveries after which old ones are deleted. */
const trimInterval = 1000;
/** Milliseconds after which deliveries that wait for none are searched again: the one before them may have expired. */
const releaseInterval = 600_000;
/** Milliseconds after an error of the database, and until a lease may be renewed. */
const errorPause = 1000;

export interface WorkerServices {
  db: Database;
  feed: Pick<EventFeed, 'next'>;
  sender: Sender;
  secrets: SecretBox;
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  /** Limits the statements of all endpoints of this instance. */
  limit: LimitFunction;
  /** Whether this instance may send the events of the endpoint now. */
  hasLease(endpointId: string): boolean;
  disable(accountId: string, endpointId: string, reason: 'gone' | 'failing'): Promise<void>;
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Sends the events of one endpoint. */
export interface EndpointWorker {
  /** Reads the endpoint again, and looks for deliveries that are due. */
  wake(): void;
  /** Whether it was stopped, or has found its endpoint disabled or deleted. */
  isStopping(): boolean;
  /** Lets running attempts end, stores their results and stops. */
  stop(): Promise<void>;
}

/**
 * Queues the events of an endpoint and sends those that are due, one at a time for each shipment. Only one instance runs it
 * for an endpoint at a time.
 */
export function startEndpointWorker(accountId: string, endpointId: string, services: WorkerServices): EndpointWorker {
  const { db, feed, log, limit } = services;
  const stopping = new AbortController();
  /** Recording and queueing exclude each other: both decide which delivery of a shipment is due. */
  const exclusive = pLimit(1);
  const statement = <Result>(task: () => Promise<Result>): Promise<Result> => exclusive(() => limit(task));
  const inFlight = new Map<string, Promise<void>>();
  let results: AttemptResult[] = [];
  let queue: QueueRow | undefined;
  let pending = 0;
  /** Finished deliveries, from the most that an earlier instance may have left. */
  let finished = maxFinished + trimInterval;
  let isStale = true;
  let isLoading = false;
  let isFailing = false;
  /** Ends the pause of the queueing when the endpoint changes. */
  let changed = new AbortController();
  let signal = Promise.withResolvers<void>();
  const wakeSender = (): void => signal.resolve();
  stopping.signal.addEventListener('abort', wakeSender);

  /** Ends early when the worker stops. */
  const pause = (milliseconds: number): Promise<void> =>
    wait(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});

  const load = async (): Promise<void> => {
    isStale = false;
    isLoading = true;
    const found = await statement(() => findQueue(db, accountId, endpointId)).finally(() => {
      isLoading = false;
    });
    if (!found) return stopping.abort(); // disabled or deleted
    queue = found;
    isFailing = found.failing_since !== null;
    wakeSender();
  };

  /** Moves new events of the feed into the queue. */
  async function queueNext(current: QueueRow): Promise<void> {
    if (current.replay_from !== null) {
      const { queued, next } = await statement(() => queueReplay(db, current));
      pending += queued;
      isStale = true; // the position of the replay has changed
      if (queued > 0) wakeSender();
      if (next !== undefined || queued > 0) return;
    }
    const end = AbortSignal.any([stopping.signal, changed.signal]);
    const events = await feed.next(accountId, { position: BigInt(current.position) }, end);
    const last = events.at(-1);
    if (!last) {
      if (!end.aborted) await pause(errorPause); // the feed is closed
      return;
    }
    const { types } = current;
    const wanted = types.length === 0 ? events : events.filter(({ type }) => types.includes(type));
    const isOwn = await statement(() => queueEvents(db, current, wanted, last.position));
    if (!isOwn) {
      isStale = true;
      return;
    }
    current.position = String(last.position);
    pending += wanted.length;
    if (wanted.length > 0) wakeSender();
  }

  async function queueEventsUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (isStale || !queue) {
          changed = new AbortController();
          await load();
        } else if (pending >= maxPending) await pause(errorPause);
        else await queueNext(queue);
      } catch (error) {
        log.warn({ err: error, endpointId }, 'could not queue webhooks');
        await pause(errorPause);
      }
    }
  }

  const send = (delivery: DeliveryRow, current: QueueRow): void => {
    const attempt = attemptDelivery(delivery, current, services).then((result) => {
      results.push(result);
      wakeSender();
    });
    inFlight.set(delivery.order_key, attempt);
  };

  /** Stores the results of ended attempts. */
  async function record(current: QueueRow): Promise<void> {
    const ended = results;
    if (ended.length === 0) return;
    results = [];
    try {
      await statement(() =>
        recordAttempts(
          db,
          ended.map(({ recorded }) => recorded),
        ),
      );
    } catch (error) {
      results = [...ended, ...results];
      throw error;
    }
    const done = ended.filter(({ recorded }) => recorded.next_attempt_at === null).length;
    pending -= done;
    finished += done;
    for (const { recorded } of ended) inFlight.delete(recorded.order_key);
    const since = failingSince(current.failing_since, ended);
    isFailing = since !== null;
    if (since !== current.failing_since) {
      current.failing_since = since;
      await statement(() => setFailingSince(db, current, since));
    }
    const reason = disableReason(ended, since);
    if (reason) {
      stopping.abort();
      await statement(() => services.disable(accountId, endpointId, reason));
    }
    if (finished >= maxFinished + trimInterval) {
      finished = maxFinished;
      await statement(() => deleteOldDeliveries(db, current));
    }
  }

  /** Starts deliveries that are due. @returns milliseconds until more may be due */
  async function startDue(current: QueueRow): Promise<number> {
    const free = (isFailing ? maxConcurrentFailing : maxConcurrent) - inFlight.size;
    if (free <= 0) return maxIdle;
    const due = await statement(() => selectDueDeliveries(db, accountId, endpointId, [...inFlight.keys()], free));
    if (!services.hasLease(endpointId)) return errorPause;
    for (const delivery of due) {
      // A repeated delivery may be of the same shipment as another one: it follows.
      if (!inFlight.has(delivery.order_key)) send(delivery, current);
    }
    if (due.length === free || inFlight.size > 0) return maxIdle; // the end of an attempt wakes
    const { pending: count, nextAttempt } = await statement(() => queueState(db, current));
    pending = count;
    if (nextAttempt === null) return maxIdle;
    return Math.min(maxIdle, Math.max(5, nextAttempt.getTime() - Date.now()));
  }

  async function sendUntilStopped(): Promise<void> {
    let releasedAt = Number.NEGATIVE_INFINITY;
    while (!stopping.signal.aborted) {
      signal = Promise.withResolvers<void>();
      const current = queue;
      let idle = maxIdle;
      try {
        if (current && performance.now() - releasedAt >= releaseInterval) {
          await statement(() => releaseWaiting(db, current));
          releasedAt = performance.now();
        }
        if (current) {
          await record(current);
          // A changed endpoint is read first: its previous secret may have become known.
          if (!isStale && !isLoading && !stopping.signal.aborted) idle = await startDue(current);
        }
      } catch (error) {
        log.warn({ err: error, endpointId }, 'could not send webhooks');
        idle = errorPause;
      }
      if (!stopping.signal.aborted) await withTimeLimit(signal.promise, idle, () => {});
    }
    await Promise.allSettled(inFlight.values());
    if (queue) await record(queue).catch((error) => log.warn({ err: error }, 'could not store webhook attempts'));
  }

  const running = Promise.all([queueEventsUntilStopped(), sendUntilStopped()]);
  return {
    wake() {
      isStale = true;
      changed.abort();
      wakeSender();
    },
    isStopping: () => stopping.signal.aborted,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

import type { Activity } from '../../concurrency/fair-queue.ts';
import { withTimeLimit } from '../../concurrency/time-limit.ts';
import { unlessRunning } from '../../concurrency/unless-running.ts';
import type { SecretBox } from '../../database/secret-box.ts';
import type { EventWaker } from '../../event-feed/waker.ts';
import { startMaintenance } from '../endpoints/maintenance.ts';
import { statementSlots } from '../queue/statement-slots.ts';
import { EndpointWorker, stopTimeout, type WorkerServices } from './endpoint-worker.ts';
import { examinationOf } from './examination.ts';
import { type OwnEndpoint, OwnEndpoints } from './own-endpoints.ts';
import { ownershipOf } from './ownership.ts';

/** Milliseconds between two runs of `assign`. */
const assignInterval = 1000;
/** Milliseconds after which a stop does not wait any more: for the workers, and 2 s for the leases. */
export const webhooksCloseTimeout = stopTimeout + 2000;

/** Deliveries that wait, of the endpoints of this instance. */
export interface WebhookBacklog {
  pending: number;
  /** Since the oldest event; 0 when none waits. */
  oldestSeconds: number;
}

export interface WebhookWorkers {
  /** By whether the receiver responds. It needs no statement: each worker knows what it waits for. */
  backlog(): Record<'responding' | 'failing', WebhookBacklog>;
  /** Lets running attempts end and leaves the endpoints to other instances. */
  close(): Promise<void>;
}

export interface WorkersOptions extends Omit<WorkerServices, 'statementSlots'> {
  waker: Pick<EventWaker, 'listen'>;
  secrets: SecretBox;
  activity: Activity;
}

/**
 * Sends the events of all listed endpoints (endpoint-list.ts). One that nothing happens to has no worker, no timer and no
 * statement of its own.
 *
 * How an endpoint gets its worker:
 * 1. `assign` (ownership.ts) finds that it is of this instance, and takes its lease.
 * 2. `wake` makes the worker when there is something to do: the account has an event, the endpoint has changed, or an examination
 *    of what was leased has found something (examination.ts).
 *
 * How it loses it:
 * - It is of another instance, disabled or deleted, or its account is disabled: `leave` (ownership.ts).
 * - The instance stops: `close`, which start.ts calls, leaves all endpoints (`leaveAll`).
 * - The instance is killed: its leases end by themselves (leases.ts).
 *
 * After a late report, the worker stays, and starts no attempt until the lease is taken again.
 */
export function startWebhookWorkers(options: WorkersOptions): WebhookWorkers {
  const { activity, log, waker } = options;
  const own = new OwnEndpoints();
  const workerServices = { ...options, statementSlots: statementSlots(activity) };
  const examination = examinationOf(own, wake, options);
  const ownership = ownershipOf({ ...options, own, onLeased: examination.add, onChanged: wake });
  const assigning = unlessRunning(assign);
  const maintenance = startMaintenance(options);
  const timer = setInterval(assigning.start, assignInterval);
  let isClosed = false;

  waker.listen((accountId, last) => {
    for (const endpoint of own.ofAccount(accountId)) wake(endpoint, last);
  });

  /** Does not await the examination: it would hold up the renewal of leases. */
  async function assign(): Promise<void> {
    try {
      await ownership.assign();
      examination.start();
    } catch (error) {
      log.warn({ err: error }, 'could not assign the webhook endpoints');
    }
  }

  /**
   * Drops the wake while the endpoint has no lease here, or is being left. What it was for is not lost: whichever instance takes
   * the lease next examines the endpoint (`onLeased`) and finds it.
   * @param lastEvent the number of the last event of the account, if that is known and nothing else has happened
   */
  function wake(endpoint: OwnEndpoint, lastEvent?: number): void {
    if (endpoint.state !== 'leased' || isClosed) return;
    endpoint.worker ??= new EndpointWorker(endpoint, workerServices);
    if (lastEvent === undefined) endpoint.worker.wake();
    else endpoint.worker.wakeForEvent(lastEvent);
  }

  async function closeAll(): Promise<void> {
    const ends = [maintenance.close(), examination.close()];
    for (const { worker } of own.all()) void worker?.stop(); // no attempt starts during what follows
    await assigning.ended();
    await Promise.all([...ends, ownership.leaveAll()]);
  }

  return {
    backlog() {
      const responding: WebhookBacklog = { pending: 0, oldestSeconds: 0 };
      const failing = { ...responding };
      for (const { worker } of own.all()) {
        if (!worker) continue;
        const waiting = worker.backlog();
        const total = waiting.isReceiverFailing ? failing : responding;
        total.pending += waiting.pending;
        total.oldestSeconds = Math.max(total.oldestSeconds, waiting.oldestSeconds);
      }
      return { responding, failing };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      await withTimeLimit(closeAll(), webhooksCloseTimeout, () => log.warn('did not end all webhook attempts in time'));
    },
  };
}

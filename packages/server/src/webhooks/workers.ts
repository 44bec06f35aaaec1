import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Activity } from '../concurrency/fair-queue.ts';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import { unlessRunning } from '../concurrency/unless-running.ts';
import type { SecretBox } from '../database/secret-box.ts';
import type { Tables } from '../database/tables.ts';
import type { EventWaker } from '../event-feed/waker.ts';
import { pending } from './delivery-queue.ts';
import { EndpointWorker, stopTimeout, type WorkerServices } from './endpoint-worker.ts';
import type { EndpointRef } from './endpoints.ts';
import {
  assignedInstance,
  attemptsDuration,
  EndpointList,
  type ListedEndpoint,
  leaseDuration,
  releaseLeases,
  removeInstance,
  reportInstance,
  takeLeases,
} from './leases.ts';
import { startMaintenance } from './maintenance.ts';
import { type OwnEndpoint, OwnEndpoints } from './own-endpoints.ts';
import { statementSlots } from './statement-slots.ts';

/** Milliseconds between two runs of `assign`, which finds endpoints that were created, changed or left by another instance. */
const assignInterval = 1000;
/** Runs of `assign` after which some endpoints are examined again. */
const examineInterval = 10;
/** Endpoints of which one statement finds those with something to do. */
const examinedAtOnce = 200;
/** Endpoints whose leases one statement takes. */
const leasedAtOnce = 2000;
/** Milliseconds after which a stop does not wait any more: for the workers, and 2 s for the leases. */
const closeTimeout = stopTimeout + 2000;

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
 * Sends the events of all listed endpoints: those with a row of `enabled_webhook_endpoints`, which `addToList` (endpoints.ts) writes.
 * The instances share them: each endpoint belongs to one instance, which is chosen by a hash of both, and a lease ensures that
 * no other one sends its events. This file decides which endpoints are those of this instance, and wakes the worker of one that
 * has something to do. An endpoint that nothing happens to has no worker, no timer and no statement of its own.
 *
 * `assign` reads only tables that the Citus coordinator has. What concerns an account is left to the workers of its endpoints,
 * and `assign` does not await `examine`, which reads all nodes of Citus. So a stopped node affects no other accounts, and leases
 * are renewed meanwhile.
 */
export function startWebhookWorkers(options: WorkersOptions): WebhookWorkers {
  const { db, activity, log, waker } = options;
  const instanceId = randomUUID();
  const list = new EndpointList();
  const own = new OwnEndpoints();
  /**
   * The ids of endpoints that `leave` has ended with, also in vain. While it ran, `assign` skipped them. So the next run decides
   * on them, although nothing has changed in the list: to take them again, or to leave them again.
   */
  const toAssign = new Set<string>();
  /** Those of which `examine` does not know whether they have something to do. */
  const unexamined = new Set<OwnEndpoint>();
  const workerServices = { ...options, statementSlots: statementSlots(activity) };
  let knownInstances = '';
  /** When this instance has renewed its leases, by `performance.now()`. */
  let renewedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let assignRuns = 0;
  const assigning = unlessRunning(assign);
  const examining = unlessRunning(examine);
  const maintenance = startMaintenance(options);

  waker.listen((accountId, last) => {
    for (const endpoint of own.ofAccount(accountId)) {
      if (last === undefined) wake(endpoint);
      else workerOf(endpoint)?.wakeForEvent(last);
    }
  });

  const timer = setInterval(assigning.start, assignInterval);

  async function assign(): Promise<void> {
    try {
      await assignEndpoints();
    } catch (error) {
      log.warn({ err: error }, 'could not assign the webhook endpoints');
      return;
    }
    if (++assignRuns % examineInterval === 0) examineNext();
  }

  async function assignEndpoints(): Promise<void> {
    // Before it reports: an instance that cannot read the endpoints must not get any.
    const changed = await list.read(db);
    const start = performance.now(); // before the statement that renews the leases
    const instances = await reportInstance(db, instanceId);
    // The report was too late, after the end of the leases: `takeMissingLeases` takes those again that no other instance has.
    if (performance.now() > renewedAt + leaseDuration) for (const endpoint of own.all()) endpoint.isLeased = false;
    renewedAt = start;
    const areKnown = instances.join() === knownInstances;
    knownInstances = instances.join();
    const ids = new Set(areKnown ? [...changed, ...toAssign] : [...list.ids(), ...own.ids()]);
    toAssign.clear();
    const left: OwnEndpoint[] = [];
    for (const id of ids) {
      const [listed, current] = [list.get(id), own.get(id)];
      if (!listed || assignedInstance(id, instances) !== instanceId) {
        if (current) left.push(current);
      } else if (!current) add(listed);
      else if (!current.leaving && current.version !== listed.version) {
        current.version = listed.version;
        wake(current);
      }
    }
    leave(left);
    await takeMissingLeases();
  }

  function add({ account_id, endpoint_id, version }: ListedEndpoint): void {
    const mayStartAttempt = () => endpoint.isLeased && performance.now() < renewedAt + attemptsDuration;
    const endpoint: OwnEndpoint = {
      ...{ accountId: account_id, endpointId: endpoint_id, version, mayStartAttempt },
      ...{ isLeased: false, worker: undefined, leaving: undefined },
    };
    own.add(endpoint);
  }

  async function takeMissingLeases(): Promise<void> {
    const missing = own.all().filter(({ isLeased, leaving }) => !isLeased && !leaving);
    for (let first = 0; first < missing.length; first += leasedAtOnce) {
      const ids = missing.slice(first, first + leasedAtOnce).map(({ endpointId }) => endpointId);
      for (const id of await takeLeases(db, instanceId, ids)) {
        const endpoint = own.get(id);
        if (!endpoint) continue;
        endpoint.isLeased = true;
        unexamined.add(endpoint);
      }
    }
    examining.start();
  }

  /** Wakes the workers of endpoints that have something to do. */
  async function examine(): Promise<void> {
    while (unexamined.size > 0 && !isClosed) {
      const some = [...unexamined.values().take(examinedAtOnce)];
      for (const endpoint of some) unexamined.delete(endpoint);
      try {
        const withWork = await selectWithWork(db, some);
        for (const endpoint of some) if (withWork.has(endpoint.endpointId)) wake(endpoint);
      } catch (error) {
        log.warn({ err: error }, 'could not look for the work of webhook endpoints');
        // A stopped node of Citus: the workers of the accounts on others go on.
        if (await db.isCitus().catch(() => false)) for (const endpoint of some) wake(endpoint);
        else {
          for (const endpoint of some) unexamined.add(endpoint);
          return; // until the next run of `assign`
        }
      }
    }
  }

  /** Examines some endpoints again, in turn, whatever may have been missed. */
  function examineNext(): void {
    for (const endpoint of own.rotate(examinedAtOnce)) {
      if (endpoint.isLeased && !endpoint.leaving) unexamined.add(endpoint);
    }
    examining.start();
  }

  function wake(endpoint: OwnEndpoint): void {
    workerOf(endpoint)?.wake();
  }

  /**
   * @returns undefined when the endpoint has no lease here, or is being left. The wake is then dropped, but what it was for is
   * not lost: whichever instance takes the lease next examines the endpoint (`takeMissingLeases`) and finds it.
   */
  function workerOf(endpoint: OwnEndpoint): EndpointWorker | undefined {
    if (!endpoint.isLeased || endpoint.leaving || isClosed) return undefined;
    endpoint.worker ??= new EndpointWorker(endpoint, workerServices);
    return endpoint.worker;
  }

  /** Stops the workers of endpoints, and releases their leases: at once those of which nothing runs. */
  function leave(endpoints: Iterable<OwnEndpoint>): void {
    const idle: OwnEndpoint[] = [];
    for (const endpoint of endpoints) {
      if (endpoint.leaving) continue;
      if (endpoint.worker?.isIdle() ?? true) idle.push(endpoint);
      else endpoint.leaving = stopAndRelease([endpoint]);
    }
    const leaving = idle.length > 0 ? stopAndRelease(idle) : undefined;
    for (const endpoint of idle) endpoint.leaving = leaving;
  }

  async function stopAndRelease(endpoints: OwnEndpoint[]): Promise<void> {
    const ids = endpoints.map(({ endpointId }) => endpointId);
    try {
      await Promise.all(endpoints.map(({ worker }) => worker?.stop()));
      await releaseLeases(db, instanceId, ids);
      for (const endpoint of endpoints) {
        own.forget(endpoint);
        unexamined.delete(endpoint);
      }
    } catch (error) {
      log.warn({ err: error, endpointIds: ids.slice(0, 10) }, 'could not leave webhook endpoints');
      for (const endpoint of endpoints)
        Object.assign(endpoint, { leaving: undefined, isLeased: false, worker: undefined });
    }
    for (const id of ids) toAssign.add(id);
  }

  async function leaveAll(): Promise<void> {
    const maintenanceEnd = maintenance.close();
    for (const { worker } of own.all()) void worker?.stop(); // no attempt starts during what follows
    await assigning.ended(); // it may take leases, and reports the instance
    const working = own.all().filter(({ worker }) => worker && !worker.isIdle());
    const ids = working.map(({ endpointId }) => endpointId);
    // Then other instances take each endpoint as soon as it is left.
    const removed = removeInstance(db, instanceId, ids).catch((error) =>
      log.warn({ err: error }, 'could not release webhook endpoints'),
    );
    leave(working);
    await Promise.allSettled([removed, maintenanceEnd, examining.ended(), ...working.map(({ leaving }) => leaving)]);
  }

  return {
    backlog() {
      const responding: WebhookBacklog = { pending: 0, oldestSeconds: 0 };
      const failing = { ...responding };
      for (const { worker } of own.all()) {
        if (!worker) continue;
        const { oldest, ...waiting } = worker.backlog();
        const total = waiting.isReceiverFailing ? failing : responding;
        total.pending += waiting.pending;
        if (oldest) total.oldestSeconds = Math.max(total.oldestSeconds, (Date.now() - oldest.getTime()) / 1000);
      }
      return { responding, failing };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      await withTimeLimit(leaveAll(), closeTimeout, () => log.warn('did not end all webhook attempts in time'));
    },
  };
}

/**
 * Those of some endpoints that have something to do: events to queue, or deliveries that are pending. Each may have its own
 * account. Without it a worker would have to look for each endpoint when an instance starts.
 */
async function selectWithWork(db: Kysely<Tables>, endpoints: EndpointRef[]): Promise<Set<string>> {
  const [accountIds, ids] = [endpoints.map(({ accountId }) => accountId), endpoints.map((each) => each.endpointId)];
  const rows = await db
    .selectFrom('webhook_endpoints as w')
    .select('w.id')
    .where('w.account_id', '=', sql<string>`any(${[...new Set(accountIds)]}::uuid[])`)
    .where('w.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('w.status', '=', 'enabled')
    .where((eb) => {
      // Not `exists`, for which PostgreSQL may read the events of all accounts.
      const events = eb.selectFrom('events as e').select('e.number').whereRef('e.account_id', '=', 'w.account_id');
      const later = events.whereRef('e.number', '>', 'w.event_number').orderBy('e.number').limit(eb.lit(1));
      const deliveries = eb
        .selectFrom('webhook_deliveries as d')
        .select('d.id')
        .whereRef('d.account_id', '=', 'w.account_id')
        .whereRef('d.endpoint_id', '=', 'w.id')
        .where('d.status', '=', pending)
        .limit(eb.lit(1));
      return eb.or([eb('w.replay_from', 'is not', null), eb(later, 'is not', null), eb(deliveries, 'is not', null)]);
    })
    .execute();
  return new Set(rows.map(({ id }) => id));
}

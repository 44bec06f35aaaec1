import { randomUUID } from 'node:crypto';
import type { Activity } from '../concurrency/fair-queue.ts';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import { EndpointWorker, stopTimeout, type WorkerServices } from './endpoint-worker.ts';
import { addMissingToList, type ListedEndpoint, selectListed } from './endpoints.ts';
import {
  type Assignment,
  assignedInstance,
  releaseLease,
  removeInstance,
  reportInstance,
  takeLeases,
} from './instances.ts';
import { renewSecrets } from './renew-secrets.ts';
import { attemptTimeout } from './send.ts';
import type { SecretBox } from './signing.ts';
import { statementSlots } from './statements.ts';

/** Milliseconds between two looks for endpoints that were created, changed or left by another instance. */
const assignInterval = 1000;
/** Looks between two searches for endpoints that are not listed. */
const missingInterval = 10;
/**
 * Milliseconds of a lease, with which one instance sends the events of an endpoint. `takeLeases` takes it when no other
 * instance has it, and renews it. Attempts start only while it lasts for one more (`mayStartAttempt`), so that an instance
 * that cannot renew it has none left at its end, when another instance takes it: a lease of 20 s is renewed after 3 s, and
 * attempts, of 10 s, start in its first 9 s.
 */
const lease = {
  duration: attemptTimeout + 10_000,
  /** The rest of it at which it is renewed. */
  renewBefore: attemptTimeout + 7000,
  /** The rest of it that an attempt must leave: the clocks of PostgreSQL and of this instance may differ in speed. */
  margin: 1000,
};
/** @param leaseEnd milliseconds, by `performance.now()` */
const leavesTimeForAttempt = (leaseEnd: number): boolean =>
  performance.now() + attemptTimeout < leaseEnd - lease.margin;
/** Milliseconds after which a stop does not wait any more: for the workers, and 2 s for the leases. */
const closeTimeout = stopTimeout + 2000;

interface WebhookWorkers {
  /** Lets running attempts end and leaves the endpoints to other instances. */
  close(): Promise<void>;
}

interface WorkersOptions extends Omit<WorkerServices, 'statementSlots'> {
  secrets: SecretBox;
  activity: Activity;
}

/** An endpoint whose worker runs on this instance, also while it leaves the endpoint. */
interface RunningEndpoint {
  /** `version` is that for which the worker was last started or woken; `leaseEnd` a time of `performance.now()`. */
  assignment: Assignment & { leaseEnd: number };
  worker: EndpointWorker;
  /** Undefined until the instance leaves the endpoint. */
  leaving: Promise<void> | undefined;
}

/**
 * Sends the events of all listed endpoints: those with a row of `webhook_changes`, which `addToList` (endpoints.ts) writes.
 * The instances share them: each endpoint belongs to one instance, which is chosen by a hash of both, and a lease ensures that
 * no other one sends its events. This file starts and stops their workers, and wakes one when its endpoint has changed. Of new
 * events a worker learns by itself (`EndpointWorker`).
 *
 * `assignEndpoints` reads only tables that the Citus coordinator has. What concerns an account is left to the workers of its
 * endpoints, and `maintain`, which reads all Citus nodes, is not awaited. So a stopped node affects no other accounts.
 */
export function startWebhookWorkers(options: WorkersOptions): WebhookWorkers {
  const { db, activity, log } = options;
  const instanceId = randomUUID();
  const running = new Map<string, RunningEndpoint>();
  const slots = statementSlots(activity);
  let isClosed = false;
  let areSecretsRenewed = false;
  let looks = 0;
  let assigning: Promise<void> | undefined;
  let maintaining: Promise<void> | undefined;

  const startWorker = ({ account_id, endpoint_id, version }: ListedEndpoint, leaseEnd: number): void => {
    const assignment = {
      accountId: account_id,
      endpointId: endpoint_id,
      version,
      leaseEnd,
      mayStartAttempt: () => leavesTimeForAttempt(assignment.leaseEnd),
    };
    const worker = new EndpointWorker(assignment, { ...options, statementSlots: slots });
    running.set(endpoint_id, { assignment, worker, leaving: undefined });
  };

  function leave(id: string, endpoint: RunningEndpoint): Promise<void> {
    endpoint.leaving ??= stopAndRelease(id, endpoint);
    return endpoint.leaving;
  }

  async function stopAndRelease(id: string, { worker }: RunningEndpoint): Promise<void> {
    try {
      await worker.stop();
      await releaseLease(db, instanceId, id);
    } catch (error) {
      log.warn({ err: error, endpointId: id }, 'could not leave a webhook endpoint');
    } finally {
      running.delete(id);
    }
  }

  async function assignEndpoints(): Promise<void> {
    // Before it reports: an instance that cannot read the endpoints must not get any.
    const listed = await selectListed(db);
    const instances = await reportInstance(db, instanceId);
    activity.instances = instances.length; // all that gives accounts shares of several instances uses it
    const assigned = listed.filter(({ endpoint_id }) => assignedInstance(endpoint_id, instances) === instanceId);
    const ids = new Set(assigned.map(({ endpoint_id }) => endpoint_id));
    for (const [id, endpoint] of running) if (!ids.has(id)) void leave(id, endpoint);
    const leaseEnd = performance.now() + lease.duration; // before the statement that takes the leases
    const leased = await takeLeases(db, instanceId, [...ids].filter(needsLease), lease.duration);
    for (const endpoint of assigned) {
      const isLeased = leased.has(endpoint.endpoint_id);
      const current = running.get(endpoint.endpoint_id);
      if (current?.leaving) continue; // a later call starts it again
      if (current) {
        // When another instance has taken the lease after its end, the worker stays: `mayStartAttempt` stops its sending, and
        // each call tries to take the lease again.
        const { assignment, worker } = current;
        if (isLeased) assignment.leaseEnd = leaseEnd;
        const isChanged = assignment.version !== endpoint.version;
        assignment.version = endpoint.version;
        if (isChanged) worker.wake();
      } else if (isLeased) startWorker(endpoint, leaseEnd);
    }
  }

  /** Whether to take or renew the lease of an endpoint that is assigned to this instance. */
  function needsLease(endpointId: string): boolean {
    const current = running.get(endpointId);
    if (!current) return true;
    return !current.leaving && performance.now() > current.assignment.leaseEnd - lease.renewBefore;
  }

  async function maintain(): Promise<void> {
    try {
      await addMissingToList(db);
      if (areSecretsRenewed) return; // a start follows each change of SIGNING_KEYS
      const failed = await renewSecrets(db, options.secrets, () => isClosed);
      areSecretsRenewed = true;
      if (failed > 0) log.warn({ endpoints: failed }, 'found webhook secrets that no key of SIGNING_KEYS decrypts');
    } catch (error) {
      log.warn({ err: error }, 'could not read the webhook endpoints of all accounts');
    }
  }

  /** Not awaited: it needs all nodes of Citus, and leases must be renewed meanwhile. */
  function maintainSometimes(): void {
    if (looks++ % missingInterval !== 0) return;
    maintaining ??= maintain().finally(() => {
      maintaining = undefined;
    });
  }

  const timer = setInterval(() => {
    assigning ??= assignEndpoints()
      .then(maintainSometimes)
      .catch((error) => log.warn({ err: error }, 'could not assign the webhook endpoints'))
      .finally(() => {
        assigning = undefined;
      });
  }, assignInterval);

  async function leaveAll(): Promise<void> {
    for (const { worker } of running.values()) void worker.stop(); // no attempt starts during what follows
    await assigning; // it may take leases and start workers, and reports the instance
    // Then other instances take each endpoint as soon as it is left.
    const removed = removeInstance(db, instanceId).catch((error) =>
      log.warn({ err: error }, 'could not release webhook endpoints'),
    );
    await Promise.allSettled([removed, maintaining, ...[...running].map(([id, endpoint]) => leave(id, endpoint))]);
  }

  return {
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      await withTimeLimit(leaveAll(), closeTimeout, () => log.warn('did not end all webhook attempts in time'));
    },
  };
}

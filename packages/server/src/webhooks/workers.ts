import { hash, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Activity, fairQueue, fairShares } from '../concurrency/fair-queue.ts';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import { ago, interval, now } from '../database/expressions.ts';
import { recordset } from '../database/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import {
  type Assignment,
  type EndpointWorker,
  recordTimeout,
  startEndpointWorker,
  type WorkerServices,
} from './endpoint-worker.ts';
import { type ListedEndpoint, listMissing, selectListed } from './endpoints.ts';
import { renewSecrets } from './renew-secrets.ts';
import { attemptTimeout } from './send.ts';
import type { SecretBox } from './signing.ts';

/** Milliseconds between two looks for endpoints that were created, changed or left by another instance. */
const roundInterval = 1000;
/** Looks between two searches for endpoints that are not listed. */
const missingInterval = 10;
/** Seconds after which an instance that does not report is ignored. */
const instanceSeconds = 10;
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
/** Milliseconds after which a stop does not wait any more: for the last attempts, their results and 2 s for the leases. */
const closeTimeout = attemptTimeout + recordTimeout + 2000;
/** Each loop of an endpoint waits for one statement, so that the queues are bounded. After the time it tries again. */
const waitingLimits = {
  maxWaiting: Number.POSITIVE_INFINITY,
  maxWaitingPerAccount: Number.POSITIVE_INFINITY,
  timeout: 60_000,
};
/** Statements of a queue at a time, so that requests are not delayed. An account has one at a time in each queue. */
const statementLimits = { slots: 2, slotsPerAccount: 1, ...waitingLimits };
/**
 * Those of endpoints whose last statement got no response. When a Citus node does not respond, each of its accounts has a slot
 * of the others once, until the time limit of a statement. After that, the node delays only its own accounts.
 */
const unresponsiveLimits = { ...statementLimits, slots: 1 };
/** What an account has of the time while others are active. The statements for one webhook fit into a period. */
const healthyShare = { costPerMillisecond: 0.5, period: 40 };
/** The same for its endpoints whose receivers fail: all their deliveries are retried, most in vain. */
const failingShare = { costPerMillisecond: 0.1, period: 40 };

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
  isLeaving: boolean;
}

/**
 * Sends the events of all listed endpoints: those with a row of `webhook_changes`, which `listEndpoint` (endpoints.ts) writes.
 * The instances share them: each endpoint belongs to one instance, which is chosen by a hash of both, and a lease ensures that
 * no other one sends its events. This file starts and stops their workers, and wakes one when its endpoint has changed. Of new
 * events a worker learns by itself (`startEndpointWorker`).
 *
 * `shareEndpoints` reads only tables that the Citus coordinator has. What concerns an account is left to the workers of its endpoints,
 * and `maintain`, which reads all Citus nodes, is not awaited. So a stopped node affects no other accounts.
 */
export function startWebhookWorkers(options: WorkersOptions): WebhookWorkers {
  const { db, activity, log } = options;
  const healthyShares = fairShares({ ...healthyShare, activity });
  const failingShares = fairShares({ ...failingShare, activity });
  const instanceId = randomUUID();
  const running = new Map<string, RunningEndpoint>();
  const statementSlots = {
    healthy: fairQueue({ ...statementLimits, shared: { shares: healthyShares } }),
    failing: fairQueue({ ...statementLimits, shared: { shares: failingShares } }),
    unresponsive: fairQueue({ ...unresponsiveLimits, shared: { shares: healthyShares } }),
  };
  let isClosed = false;
  let areSecretsRenewed = false;
  let rounds = 0;
  let sharing: Promise<void> | undefined;
  let maintaining: Promise<void> | undefined;

  const startWorker = ({ account_id, endpoint_id, version }: ListedEndpoint, leaseEnd: number): void => {
    const assignment = {
      accountId: account_id,
      endpointId: endpoint_id,
      version,
      leaseEnd,
      mayStartAttempt: () => leavesTimeForAttempt(assignment.leaseEnd),
    };
    const worker = startEndpointWorker(assignment, { ...options, statementSlots });
    running.set(endpoint_id, { assignment, worker, isLeaving: false });
  };

  async function leave(id: string, endpoint: RunningEndpoint): Promise<void> {
    if (endpoint.isLeaving) return;
    endpoint.isLeaving = true;
    try {
      await endpoint.worker.stop();
      await releaseLease(db, instanceId, id);
    } catch (error) {
      log.warn({ err: error, endpointId: id }, 'could not leave a webhook endpoint');
    } finally {
      running.delete(id);
    }
  }

  async function shareEndpoints(): Promise<void> {
    // Before it reports: an instance that cannot read the endpoints must not get any.
    const listed = await selectListed(db);
    const instances = await reportInstance(db, instanceId);
    activity.instances = instances.length; // all that gives accounts shares of several instances uses it
    const assigned = listed.filter(({ endpoint_id }) => assignedInstance(endpoint_id, instances) === instanceId);
    const ids = new Set(assigned.map(({ endpoint_id }) => endpoint_id));
    for (const [id, endpoint] of running) if (!ids.has(id)) void leave(id, endpoint);
    const leaseEnd = performance.now() + lease.duration; // before the statement that takes the leases
    const leased = await takeLeases(db, instanceId, [...ids].filter(needsLease));
    for (const endpoint of assigned) {
      const isLeased = leased.has(endpoint.endpoint_id);
      const current = running.get(endpoint.endpoint_id);
      if (current?.isLeaving) continue; // a later call starts it again
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
    return !current.isLeaving && performance.now() > current.assignment.leaseEnd - lease.renewBefore;
  }

  async function maintain(): Promise<void> {
    try {
      await listMissing(db);
      if (areSecretsRenewed) return; // a start follows each change of SIGNING_KEYS
      const failed = await renewSecrets(db, options.secrets, () => isClosed);
      areSecretsRenewed = true;
      if (failed > 0) log.warn({ endpoints: failed }, 'found webhook secrets that no key of SIGNING_KEYS decrypts');
    } catch (error) {
      log.warn({ err: error }, 'could not read the webhook endpoints of all accounts');
    }
  }

  const timer = setInterval(() => {
    sharing ??= shareEndpoints()
      .catch((error) => log.warn({ err: error }, 'could not share the webhook endpoints'))
      .finally(() => {
        sharing = undefined;
      });
    // It needs all nodes of Citus, so that it runs beside the rounds, which renew leases meanwhile.
    if (rounds++ % missingInterval === 0) {
      maintaining ??= maintain().finally(() => {
        maintaining = undefined;
      });
    }
  }, roundInterval);

  /** Not by `leave` for each: `removeInstance` deletes all leases at once. */
  async function leaveAll(): Promise<void> {
    await sharing; // it may start workers
    await Promise.allSettled([maintaining, ...[...running.values()].map(({ worker }) => worker.stop())]);
    await removeInstance(db, instanceId).catch((error) =>
      log.warn({ err: error }, 'could not release webhook endpoints'),
    );
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

/** The instance that an endpoint is assigned to. A new instance takes over only a part of the endpoints of each other one. */
function assignedInstance(endpointId: string, instances: string[]): string | undefined {
  if (instances.length < 2) return instances[0];
  const weighted = instances.map((instance) => ({ instance, weight: hash('sha1', `${instance} ${endpointId}`) }));
  return weighted.reduce((best, each) => (each.weight > best.weight ? each : best)).instance;
}

/** Reports this instance as running. @returns the ids of all that run */
async function reportInstance(db: Kysely<Tables>, instanceId: string): Promise<string[]> {
  await db
    .insertInto('webhook_workers')
    .values({ id: instanceId, seen_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ seen_at: eb.ref('excluded.seen_at') })))
    .execute();
  const instances = db
    .selectFrom('webhook_workers')
    .select('id')
    .where('seen_at', '>', ago(`${instanceSeconds} seconds`));
  return (await instances.orderBy('id').execute()).map(({ id }) => id);
}

/** Removes this instance with its leases, and instances that were killed. */
async function removeInstance(db: Kysely<Tables>, instanceId: string): Promise<void> {
  await db.deleteFrom('webhook_leases').where('worker_id', '=', instanceId).execute();
  await db
    .deleteFrom('webhook_workers')
    .where((eb) => eb.or([eb('id', '=', instanceId), eb('seen_at', '<', ago('1 hour'))]))
    .execute();
}

/**
 * Takes or renews the leases of those of the endpoints that no other instance has, perhaps of none.
 * @returns the ids of these endpoints
 */
async function takeLeases(db: Kysely<Tables>, instanceId: string, endpointIds: string[]): Promise<Set<string>> {
  if (endpointIds.length === 0) return new Set();
  const endpoints = endpointIds.map((id) => ({ id }));
  const rows = await db
    .insertInto('webhook_leases')
    .columns(['endpoint_id', 'worker_id', 'expires_at'])
    .expression((from) =>
      from
        .selectFrom(recordset('e', { id: 'uuid' }, endpoints))
        .select((eb) => [
          'e.id',
          eb.cast<string>(eb.val(instanceId), 'uuid').as('worker_id'),
          eb(now, '+', interval(`${lease.duration} milliseconds`)).as('expires_at'),
        ])
        .orderBy('e.id'),
    )
    .onConflict((conflict) =>
      conflict
        .column('endpoint_id')
        .doUpdateSet((eb) => ({
          worker_id: eb.ref('excluded.worker_id'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where((eb) =>
          eb.or([
            eb('webhook_leases.worker_id', '=', eb.ref('excluded.worker_id')),
            eb('webhook_leases.expires_at', '<', now),
          ]),
        ),
    )
    .returning('endpoint_id')
    .execute();
  return new Set(rows.map(({ endpoint_id }) => endpoint_id));
}

async function releaseLease(db: Kysely<Tables>, instanceId: string, endpointId: string): Promise<void> {
  await db
    .deleteFrom('webhook_leases')
    .where('endpoint_id', '=', endpointId)
    .where('worker_id', '=', instanceId)
    .execute();
}

import { hash, randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { disableEndpoint } from './disable.ts';
import { type EndpointWorker, startEndpointWorker, type WorkerServices } from './endpoint-worker.ts';
import {
  type EnabledEndpoint,
  leaseSeconds,
  releaseLease,
  removeWorker,
  reportWorker,
  selectEnabled,
  takeLeases,
} from './lease-queries.ts';
import { renewSecrets } from './renew-secrets.ts';
import { attemptTimeout } from './send.ts';

/** Milliseconds between two looks for endpoints that were created, changed or left by another instance. */
const interval = 1000;
/**
 * Milliseconds before its end at which a lease is renewed. Then a lease that is not renewed any more, because the endpoint is
 * left, does not end before the attempts that are running.
 */
const renewBefore = attemptTimeout + 2 * interval;
/** Milliseconds before its end at which a lease is no longer used. */
const margin = 1000;
/** Statements of all endpoints of this instance at a time, so that requests are not delayed. */
const maxStatements = 2;

export interface WebhookWorkers {
  /** The number of endpoints whose events this instance sends. */
  count(): number;
  /** Lets running attempts end and leaves the endpoints to other instances. */
  close(): Promise<void>;
}

export interface WorkersOptions extends Omit<WorkerServices, 'limit' | 'hasLease' | 'disable'> {
  /** Call it after an event was committed. */
  notify(accountId: string): void;
}

interface Owned {
  worker: EndpointWorker;
  /** Of the endpoint that the worker has read. */
  version: string;
  /** Milliseconds, by `performance.now()`. */
  leaseEnd: number;
}

/**
 * Sends the events of all enabled endpoints. The instances share them: each endpoint belongs to one instance, which is
 * chosen by a hash of both, and a lease ensures that no other one sends its events.
 */
export function startWebhookWorkers(options: WorkersOptions): WebhookWorkers {
  const { db, sender, secrets, log, notify } = options;
  const workerId = randomUUID();
  const owned = new Map<string, Owned>();
  const limit = pLimit(maxStatements);
  let isClosed = false;
  let renewing: Promise<void> | undefined;
  let running: Promise<void> | undefined;

  const start = (accountId: string, id: string): EndpointWorker =>
    startEndpointWorker(accountId, id, {
      ...options,
      limit,
      hasLease: (endpointId) => performance.now() < (owned.get(endpointId)?.leaseEnd ?? 0) - margin,
      async disable(account, endpointId, reason) {
        if (await disableEndpoint(db, account, endpointId, reason)) notify(account);
        log.info({ endpointId, reason }, 'disabled a webhook endpoint');
      },
    });

  const leaving = new Set<string>();
  async function leave(id: string): Promise<void> {
    if (leaving.has(id)) return;
    leaving.add(id);
    try {
      await owned.get(id)?.worker.stop();
      await releaseLease(db, workerId, id);
    } finally {
      owned.delete(id);
      leaving.delete(id);
    }
  }

  async function update(): Promise<void> {
    // Before it reports: an instance that cannot read the endpoints must not get any.
    const enabled = await selectEnabled(db);
    const workers = await reportWorker(db, workerId);
    const endpoints = enabled.filter(({ id }) => ownerOf(id, workers) === workerId);
    const own = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    // An endpoint that was disabled and enabled meanwhile is started again by the next update.
    const left = [...owned].flatMap(([id, { worker }]) => (own.has(id) && !worker.isStopping() ? [] : id));
    for (const id of left)
      void leave(id).catch((error) => log.warn({ err: error }, 'could not leave a webhook endpoint'));
    await takeAndStart(endpoints);
    renewing ??= renewAfterStart(); // not awaited: leases must be renewed meanwhile
  }

  /** Runs once, because a start follows each change of SIGNING_KEYS. After an error the next update tries again. */
  async function renewAfterStart(): Promise<void> {
    try {
      const failed = await renewSecrets(db, secrets, () => isClosed);
      if (failed > 0) log.warn({ endpoints: failed }, 'found webhook secrets that no key of SIGNING_KEYS decrypts');
    } catch (error) {
      log.warn({ err: error }, 'could not renew webhook secrets');
      renewing = undefined;
    }
  }

  async function takeAndStart(endpoints: EnabledEndpoint[]): Promise<void> {
    const now = performance.now();
    const due = endpoints.filter(({ id }) => now > (owned.get(id)?.leaseEnd ?? 0) - renewBefore);
    const taken =
      due.length > 0
        ? await takeLeases(
            db,
            workerId,
            due.map(({ id }) => id),
          )
        : new Set<string>();
    for (const { account_id, id, version } of endpoints) {
      const known = owned.get(id);
      if (taken.has(id)) {
        const leaseEnd = now + leaseSeconds * 1000;
        if (known) known.leaseEnd = leaseEnd;
        else owned.set(id, { worker: start(account_id, id), version, leaseEnd });
      }
      if (known && known.version !== version) {
        known.version = version;
        known.worker.wake();
      }
    }
  }

  const timer = setInterval(() => {
    running ??= update()
      .catch((error) => log.warn({ err: error }, 'could not share the webhook endpoints'))
      .finally(() => {
        running = undefined;
      });
  }, interval);

  return {
    count: () => owned.size,
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      await running;
      await renewing;
      await Promise.allSettled([...owned.values()].map(({ worker }) => worker.stop()));
      await removeWorker(db, workerId).catch((error) =>
        log.warn({ err: error }, 'could not release webhook endpoints'),
      );
      sender.close();
    },
  };
}

/** The instance that an endpoint belongs to. A new instance takes over only a part of the endpoints of each other one. */
export function ownerOf(endpointId: string, workers: string[]): string | undefined {
  if (workers.length < 2) return workers[0];
  const weighted = workers.map((worker) => ({ worker, weight: hash('sha1', `${worker} ${endpointId}`) }));
  return weighted.reduce((best, each) => (each.weight > best.weight ? each : best)).worker;
}

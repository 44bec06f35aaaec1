import { randomUUID } from 'node:crypto';
import { EndpointList, type ListedEndpoint } from '../endpoints/endpoint-list.ts';
import type { WorkerServices } from './endpoint-worker.ts';
import {
  assignedInstance,
  attemptsDuration,
  leaseDuration,
  releaseLeases,
  removeInstance,
  reportInstance,
  takeLeases,
} from './leases.ts';
import type { OwnEndpoint, OwnEndpoints } from './own-endpoints.ts';

/** Endpoints whose leases one statement takes. */
const leasedAtOnce = 2000;

interface Options extends Pick<WorkerServices, 'db' | 'log'> {
  own: OwnEndpoints;
  /** Is called when this instance has taken the lease of an endpoint. */
  onLeased(endpoint: OwnEndpoint): void;
  /** Is called when an endpoint has a new version. */
  onChanged(endpoint: OwnEndpoint): void;
}

interface Ownership {
  /** Finds endpoints that were created, changed or left by another instance. Takes leases, and leaves endpoints. */
  assign(): Promise<void>;
  /** Leaves all endpoints to other instances. Call it after the last `assign`, which may take leases, and reports the instance. */
  leaveAll(): Promise<void>;
}

/**
 * Decides which endpoints are those of this instance, `own`: each endpoint belongs to one instance, which is chosen by a hash
 * of both, and a lease ensures that no other one sends its events (leases.ts).
 *
 * It reads only tables that the Citus coordinator has, and leaves what concerns an account to the workers of its endpoints. So a
 * stopped node affects no other accounts, and leases are renewed meanwhile.
 */
export function ownershipOf({ db, log, own, onLeased, onChanged }: Options): Ownership {
  const instanceId = randomUUID();
  const list = new EndpointList();
  /**
   * The ids of endpoints that the next `assign` decides on: those that have changed in the list, also while no report succeeded,
   * and those that `leave` has ended with, also in vain, which `assign` has skipped meanwhile.
   */
  const toAssign = new Set<string>();
  /** The calls of `stopAndRelease` that have not ended. */
  const leaving = new Set<Promise<void>>();
  let knownInstances = '';
  /** When this instance has renewed its leases, by `performance.now()`. */
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function assign(): Promise<void> {
    // Before it reports: an instance that cannot read the endpoints must not get any.
    for (const id of await list.read(db)) toAssign.add(id);
    const instances = await report();
    const areKnown = instances.join() === knownInstances;
    knownInstances = instances.join();
    const ids = new Set(areKnown ? toAssign : [...list.ids(), ...own.all().map(idOf)]);
    toAssign.clear();
    const toLeave: OwnEndpoint[] = [];
    for (const id of ids) {
      const [listed, current] = [list.get(id), own.get(id)];
      const isOwn = listed && assignedInstance(id, instances) === instanceId;
      if (isOwn && !current) add(listed);
      else if (!isOwn && current) toLeave.push(current);
      else if (isOwn && current && current.state !== 'leaving' && current.version !== listed.version) {
        current.version = listed.version;
        onChanged(current);
      }
    }
    leave(toLeave);
    await takeMissingLeases();
  }

  /** Renews the leases. @returns the ids of all instances */
  async function report(): Promise<string[]> {
    const start = performance.now(); // before the statement that renews the leases
    const instances = await reportInstance(db, instanceId);
    // The report was too late, after the end of the leases: `takeMissingLeases` takes those again that no other instance has.
    if (performance.now() > renewedAt + leaseDuration) {
      for (const endpoint of own.all()) if (endpoint.state === 'leased') endpoint.state = 'unleased';
    }
    renewedAt = start;
    return instances;
  }

  function add({ account_id, endpoint_id, version }: ListedEndpoint): void {
    const mayStartAttempt = () => endpoint.state === 'leased' && performance.now() < renewedAt + attemptsDuration;
    const endpoint: OwnEndpoint = {
      ...{ accountId: account_id, endpointId: endpoint_id, version, mayStartAttempt },
      ...{ state: 'unleased', worker: undefined },
    };
    own.add(endpoint);
  }

  async function takeMissingLeases(): Promise<void> {
    const missing = own.all().filter(({ state }) => state === 'unleased');
    for (let first = 0; first < missing.length; first += leasedAtOnce) {
      const some = missing.slice(first, first + leasedAtOnce);
      const leased = new Set(await takeLeases(db, instanceId, some.map(idOf)));
      for (const endpoint of some.filter(({ endpointId }) => leased.has(endpointId))) {
        endpoint.state = 'leased';
        onLeased(endpoint);
      }
    }
  }

  /** Stops the workers of endpoints, and releases their leases: at once those of which nothing runs. */
  function leave(endpoints: OwnEndpoint[]): void {
    const toLeave = endpoints.filter(({ state }) => state !== 'leaving');
    const idle = toLeave.filter((endpoint) => !isWorking(endpoint));
    const groups = [idle, ...toLeave.filter(isWorking).map((endpoint) => [endpoint])];
    for (const group of groups.filter(({ length }) => length > 0)) {
      const end = stopAndRelease(group).finally(() => leaving.delete(end));
      leaving.add(end);
    }
  }

  async function stopAndRelease(endpoints: OwnEndpoint[]): Promise<void> {
    const ids = endpoints.map(idOf);
    for (const endpoint of endpoints) endpoint.state = 'leaving';
    try {
      await Promise.all(endpoints.map(({ worker }) => worker?.stop()));
      await releaseLeases(db, instanceId, ids);
      for (const endpoint of endpoints) own.forget(endpoint);
    } catch (error) {
      log.warn({ err: error, endpointIds: ids.slice(0, 10) }, 'could not leave webhook endpoints');
      for (const endpoint of endpoints) {
        endpoint.state = 'unleased';
        endpoint.worker = undefined;
      }
    }
    for (const id of ids) toAssign.add(id);
  }

  async function leaveAll(): Promise<void> {
    const working = own.all().filter(isWorking);
    // It releases all other leases. The instance is assigned no endpoints then: others take each of these as soon as it is left.
    const removed = removeInstance(db, instanceId, working.map(idOf)).catch((error) =>
      log.warn({ err: error }, 'could not release webhook endpoints'),
    );
    leave(working);
    await Promise.all([removed, ...leaving]);
  }

  return { assign, leaveAll };
}

const idOf = ({ endpointId }: OwnEndpoint): string => endpointId;
const isWorking = ({ worker }: OwnEndpoint): boolean => worker !== undefined && !worker.isIdle();

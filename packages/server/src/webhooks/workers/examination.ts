import { unlessRunning } from '../../concurrency/unless-running.ts';
import { selectWithWork } from '../queue/queue-events.ts';
import type { WorkerServices } from './endpoint-worker.ts';
import type { OwnEndpoint, OwnEndpoints } from './own-endpoints.ts';

/** Endpoints of which one statement finds those with something to do. */
const examinedAtOnce = 200;
/** Calls of `start` after which some endpoints are examined again. */
const examineInterval = 10;

interface Examination {
  /** The next start examines the endpoint: it may have something to do. */
  add(endpoint: OwnEndpoint): void;
  /** Examines what was added, and now and then some others, in turn, whatever may have been missed. Call it each second. */
  start(): void;
  close(): Promise<void>;
}

/**
 * Finds the endpoints that have something to do, without a statement for each. It reads all nodes of Citus.
 * @param wake is called for each of them
 */
export function examinationOf(
  own: OwnEndpoints,
  wake: (endpoint: OwnEndpoint) => void,
  { db, log }: Pick<WorkerServices, 'db' | 'log'>,
): Examination {
  const unexamined = new Set<OwnEndpoint>();
  const examining = unlessRunning(examine);
  let starts = 0;
  let isClosed = false;

  async function examine(): Promise<void> {
    while (unexamined.size > 0 && !isClosed) {
      const some = [...unexamined.values().take(examinedAtOnce)];
      for (const endpoint of some) unexamined.delete(endpoint);
      try {
        for (const endpoint of await selectWithWork(db, some)) wake(endpoint);
      } catch (error) {
        log.warn({ err: error }, 'could not look for the work of webhook endpoints');
        // A stopped node of Citus: the workers of the accounts on others go on.
        if (await db.isCitus().catch(() => false)) for (const endpoint of some) wake(endpoint);
        else {
          for (const endpoint of some) unexamined.add(endpoint);
          return; // until the next start
        }
      }
    }
  }

  return {
    add: (endpoint) => unexamined.add(endpoint),
    start() {
      const again = ++starts % examineInterval === 0 ? own.rotate(examinedAtOnce) : [];
      for (const endpoint of again) if (endpoint.state === 'leased') unexamined.add(endpoint);
      examining.start();
    },
    close() {
      isClosed = true;
      return examining.ended();
    },
  };
}

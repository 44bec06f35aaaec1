import type { Assignment, EndpointWorker } from './endpoint-worker.ts';

/**
 * An endpoint that is assigned to this instance, also while the instance leaves it. Only ownership.ts changes its state:
 *
 * | state      | next states                                                                                                |
 * | ---------- | ---------------------------------------------------------------------------------------------------------- |
 * | `unleased` | `leased`, when the instance has taken the lease (`takeMissingLeases`); `leaving`, as below                 |
 * | `leased`   | `unleased`, after a late report (`report`); `leaving`, when it is of another instance or of none (`leave`) |
 * | `leaving`  | forgotten, when the lease is released; `unleased` without a worker, if that fails (`stopAndRelease`)       |
 */
export interface OwnEndpoint extends Assignment {
  state: 'unleased' | 'leased' | 'leaving';
  /** Undefined until the endpoint has had something to do. While `unleased` after a late report, it waits for the lease. */
  worker: EndpointWorker | undefined;
}

/** The endpoints of this instance, by id and by account. */
export class OwnEndpoints {
  readonly #byId = new Map<string, OwnEndpoint>();
  readonly #byAccount = new Map<string, Set<OwnEndpoint>>();

  get(endpointId: string): OwnEndpoint | undefined {
    return this.#byId.get(endpointId);
  }

  all(): OwnEndpoint[] {
    return [...this.#byId.values()];
  }

  ofAccount(accountId: string): Iterable<OwnEndpoint> {
    return this.#byAccount.get(accountId) ?? [];
  }

  add(endpoint: OwnEndpoint): void {
    const { accountId, endpointId } = endpoint;
    this.#byId.set(endpointId, endpoint);
    const ofAccount = this.#byAccount.get(accountId);
    if (ofAccount) ofAccount.add(endpoint);
    else this.#byAccount.set(accountId, new Set([endpoint]));
  }

  forget(endpoint: OwnEndpoint): void {
    const { accountId, endpointId } = endpoint;
    this.#byId.delete(endpointId);
    const ofAccount = this.#byAccount.get(accountId);
    ofAccount?.delete(endpoint);
    if (ofAccount?.size === 0) this.#byAccount.delete(accountId);
  }

  /** @returns the first endpoints, which it moves behind the others: the next call returns those that follow */
  rotate(count: number): OwnEndpoint[] {
    const first = [...this.#byId.values().take(count)];
    for (const endpoint of first) {
      this.#byId.delete(endpoint.endpointId);
      this.#byId.set(endpoint.endpointId, endpoint);
    }
    return first;
  }
}

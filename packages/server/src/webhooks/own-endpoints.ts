import type { Assignment, EndpointWorker } from './endpoint-worker.ts';

/** An endpoint that is assigned to this instance, also while the instance leaves it. */
export interface OwnEndpoint extends Assignment {
  /** Whether this instance has the lease, as long as it reports. */
  isLeased: boolean;
  /** Undefined until the endpoint has had something to do. */
  worker: EndpointWorker | undefined;
  /** Undefined until the instance leaves the endpoint. */
  leaving: Promise<void> | undefined;
}

/** The endpoints of this instance, by id and by account. */
export class OwnEndpoints {
  readonly #byId = new Map<string, OwnEndpoint>();
  readonly #byAccount = new Map<string, Set<OwnEndpoint>>();

  get(endpointId: string): OwnEndpoint | undefined {
    return this.#byId.get(endpointId);
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
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

import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import type { ContractOperation } from '../fixtures/contract.ts';
import { type Received, receive, type Sent, send } from '../fixtures/http.ts';
import { type PrismProxy, prismViolations } from '../fixtures/prism.ts';
import type { Coverage } from './coverage.ts';

/** A request to an operation and its response. */
export interface Exchange {
  operation: ContractOperation;
  sent: Sent;
  received: Received;
}

/** Sends requests and checks every response with Prism and Ajv. */
export class CheckedSender {
  readonly exchanges: Exchange[] = [];
  readonly #coverage: Coverage;

  constructor(coverage: Coverage) {
    this.#coverage = coverage;
  }

  async send(proxy: PrismProxy, operation: ContractOperation, sent: Sent): Promise<Received> {
    // Prism cannot proxy a request that is not JSON, so its validator gets the response directly.
    const beside = sent.file !== undefined;
    const response = await send(beside ? proxy.upstream : proxy.url, operation, sent, beside ? fetch : proxy.fetch);
    const received = await receive(response);
    received.headers.delete('sl-violations'); // from Prism
    if (beside) expect(prismViolations(operation, received)).toEqual([]);
    expect(violations(operation, received)).toEqual([]);
    this.#coverage.add(operation.id, received);
    this.exchanges.push({ operation, sent, received });
    return received;
  }
}

import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, pathOf } from '../fixtures/contract.ts';
import { type PrismProxy, prismViolations } from '../fixtures/prism.ts';
import type { Ready } from '../fixtures/requests.ts';
import type { Coverage } from './coverage.ts';

/** A request to an operation. */
export interface Sent extends Partial<Ready> {
  /** Without a key the request is unauthenticated. */
  key?: string | undefined;
  query?: string;
  headers?: Record<string, string>;
}

export interface Received {
  status: number;
  headers: Headers;
  body: unknown;
  code?: string | undefined;
}

/** A request to an operation and its response. */
export interface Exchange {
  operation: ContractOperation;
  sent: Sent;
  received: Received;
}

/** Sends a request as it is, without the client's checks and retries. */
export function sendTo(baseUrl: string, operation: ContractOperation, sent: Sent, by = fetch): Promise<Response> {
  const { path, query, key, body, file, headers } = sent;
  const type = file?.type ?? (body && 'application/json');
  return by(`${baseUrl}${pathOf(operation, path)}${query ? `?${query}` : ''}`, {
    method: operation.method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(type && { 'content-type': type }),
      ...headers,
    },
    ...(type && { body: file?.bytes ?? JSON.stringify(body) }),
  });
}

/** Parses a response, without the header that Prism adds. */
export async function partsOf(response: Response): Promise<Received> {
  const headers = new Headers(response.headers);
  headers.delete('sl-violations');
  const isJson = headers.get('content-type')?.includes('json');
  const bytes = await response.bytes();
  const body = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  return { status: response.status, headers, body, code: body?.code };
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
    const response = await sendTo(beside ? proxy.upstream : proxy.url, operation, sent, beside ? fetch : proxy.fetch);
    const received = await partsOf(response);
    if (beside) expect(prismViolations(operation, received)).toEqual([]);
    expect(violations(operation, received)).toEqual([]);
    this.#coverage.add(operation.id, received);
    this.exchanges.push({ operation, sent, received });
    return received;
  }
}

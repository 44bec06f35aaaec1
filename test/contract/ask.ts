import { expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, pathOf } from '../fixtures/contract.ts';
import { type PrismProxy, prismViolations } from '../fixtures/prism.ts';
import type { Ready } from '../fixtures/requests.ts';
import type { Coverage } from './cells.ts';

/** A request to an operation. */
export interface Asked extends Partial<Ready> {
  /** Without one it comes from a stranger. */
  key?: string | undefined;
  query?: string;
  headers?: Record<string, string>;
}

export interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
  code?: string | undefined;
}

/** An operation, what was asked of it, and what the server answered. */
export interface Exchange {
  operation: ContractOperation;
  asked: Asked;
  answered: Answered;
}

/** Sends a request as it is, with nothing made better on the way. */
export function sendTo(baseUrl: string, operation: ContractOperation, asked: Asked, by = fetch): Promise<Response> {
  const { path, query, key, body, file, headers } = asked;
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

/** An answer in parts: what Prism noted on it is taken off. */
export async function partsOf(response: Response): Promise<Answered> {
  const headers = new Headers(response.headers);
  headers.delete('sl-violations');
  const isJson = headers.get('content-type')?.includes('json');
  const bytes = await response.bytes();
  const body = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
  return { status: response.status, headers, body, code: body?.code };
}

/** Sends requests and judges every answer, first by Prism, through which it comes, then by Ajv. */
export class Asker {
  readonly exchanges: Exchange[] = [];
  readonly #coverage: Coverage;

  constructor(coverage: Coverage) {
    this.#coverage = coverage;
  }

  async ask(proxy: PrismProxy, operation: ContractOperation, asked: Asked): Promise<Answered> {
    // Prism cannot carry a request that is not JSON; its judgement of the answer can be had all the same.
    const beside = asked.file !== undefined;
    const response = await sendTo(beside ? proxy.upstream : proxy.url, operation, asked, beside ? fetch : proxy.fetch);
    const answered = await partsOf(response);
    if (beside) expect(prismViolations(operation, answered)).toEqual([]);
    expect(violations(operation, answered)).toEqual([]);
    this.#coverage.add(operation.id, answered);
    this.exchanges.push({ operation, asked, answered });
    return answered;
  }
}

import { dereferenced } from '@waybill/contract/dereferenced';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { defaultBaseUrl } from '@waybill/contract/operations';
import type { ContractOperation } from '../../fixtures/contract.ts';
import { type Sent, send } from '../../fixtures/http.ts';
import type { Service } from '../../fixtures/service.ts';
import type { TestAccount } from '../../fixtures/test.ts';

type Node = Record<string, unknown>;
type Examples = Record<string, { value: Node }>;

/** A service and the account that calls it. */
export type Caller = Pick<Service, 'baseUrl'> & Pick<TestAccount, 'key' | 'client'>;

/** The examples of an operation's JSON body: name → value. */
export function requestExamples({ path, method }: ContractOperation): Record<string, Node> {
  const paths = contract.paths as unknown as Record<string, Record<string, Node>>;
  const body = dereferenced(paths[path]?.[method.toLowerCase()]?.requestBody ?? {}) as { content?: object };
  return valuesIn(body.content);
}

/** The examples of an operation's JSON responses with this status: name → value. */
export const responseExamples = ({ responses }: ContractOperation, status: string): Record<string, Node> =>
  valuesIn(responses[status]?.content);

/** The status of an operation's first success response. */
export const successOf = ({ responses }: ContractOperation): string =>
  Object.keys(responses).find((status) => status.startsWith('2')) ?? '';

const valuesIn = (content: object | undefined): Record<string, Node> =>
  Object.fromEntries(
    Object.values(content ?? {}).flatMap(({ examples }: { examples?: Examples }) =>
      Object.entries(examples ?? {}).map(([name, { value }]) => [name, value]),
    ),
  );

/** Sends an operation's request. */
export function sendExample(
  { baseUrl, key }: Pick<Caller, 'baseUrl' | 'key'>,
  operation: ContractOperation,
  sent: Sent,
): Promise<Response> {
  return send(baseUrl, operation, { key, ...sent });
}

/**
 * A response, or an example of one, without its random parts: the random part of identifiers (not their
 * timestamp), the sequence of tracking numbers, signed tokens, request ids, and cursors except their length.
 */
export function withoutRandomParts(value: unknown, { baseUrl }: Pick<Caller, 'baseUrl'>): unknown {
  const text = JSON.stringify(value)
    .replaceAll(new URL(baseUrl).origin, new URL(defaultBaseUrl).origin)
    .replace(/\b(ship|acc|upl|exc)_([0-9a-z]{10})[0-9a-z]{16}\b/g, '$1_$2…')
    .replace(/\b([A-Z]{2,8}-\d{4})-\d{6,12}\b/g, '$1-…')
    .replace(/\bwba_\w+/g, 'wba_…')
    .replace(/(uploads|files)\/[\w-]{71}(?![\w-])/g, '$1/…')
    .replace(/"request_id":"[^"]+"/, '"request_id":"…"')
    .replace(/"next_cursor":"[^"]+"/, ({ length }) => `"next_cursor":"${length}"`);
  return JSON.parse(text);
}

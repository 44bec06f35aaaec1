import { type ContractOperation, contractOperations, problemCodes } from '../../fixtures/contract.ts';
import type { Received, Sent } from '../../fixtures/http.ts';

/** What is counted: the response, each of its headers, media types and problem codes. */
type Kind = 'response' | 'header' | 'media type' | 'problem code';

/** One part of an operation's response that the contract documents. */
interface Item {
  operation: string;
  status: number;
  kind: Kind;
  name: string;
}

/** A request to an operation and its response. */
export interface Exchange {
  operation: ContractOperation;
  sent: Sent;
  received: Received;
}

/** Everything that the contract documents. */
export const items: Item[] = contractOperations.flatMap(itemsOf);

function itemsOf({ id, responses }: ContractOperation): Item[] {
  return Object.entries(responses).flatMap(([code, response]) => {
    const { headers = {}, content = {} } = response;
    const item = (kind: Kind, name: string): Item => ({ operation: id, status: Number(code), kind, name });
    return [
      item('response', ''),
      ...Object.keys(headers).map((name) => item('header', name)),
      ...Object.keys(content).map((type) => item('media type', type)),
      ...problemCodes(response).map((name) => item('problem code', name)),
    ];
  });
}

/** Whether a response has a documented item. */
export function isReturned({ operation, status, kind, name }: Item, exchange: Exchange): boolean {
  const { headers, code, status: received } = exchange.received;
  if (exchange.operation.id !== operation || received !== status) return false;
  if (kind === 'header') return headers.has(name);
  if (kind === 'media type') return headers.get('content-type')?.split(';')[0] === name;
  return kind === 'response' || code === name;
}

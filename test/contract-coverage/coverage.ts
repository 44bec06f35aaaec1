import { type ContractOperation, contractOperations, problemCodes } from '../fixtures/contract.ts';

/** What is counted: the response, each of its headers, media types and problem codes. */
export const kinds = ['response', 'header', 'media type', 'problem code'] as const;
export type Kind = (typeof kinds)[number];

/** One part of an operation's response that the contract documents. */
export interface Item {
  operation: string;
  status: number;
  kind: Kind;
  name: string;
}

/** A response of the service. */
export interface Counted {
  status: number;
  headers: Headers;
  /** The `code` of a problem. */
  code?: string | undefined;
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

const nameOf = ({ operation, status, kind, name }: Item): string => `${operation} ${status} ${kind} ${name}`.trim();

/** The documented items that responses of the service have had. */
export class Coverage {
  readonly #seen = new Set<string>();

  add(operation: string, { status, headers, code }: Counted): void {
    const type = headers.get('content-type')?.split(';')[0];
    const isSeen: Record<Kind, (name: string) => boolean> = {
      response: () => true,
      header: (name) => headers.has(name),
      'media type': (name) => name === type,
      'problem code': (name) => name === code,
    };
    for (const item of items.filter((item) => item.operation === operation && item.status === status)) {
      if (isSeen[item.kind](item.name)) this.#seen.add(nameOf(item));
    }
  }

  has = (item: Item): boolean => this.#seen.has(nameOf(item));

  /** The documented items that no response has had. */
  missing(): string[] {
    return items.filter((item) => !this.has(item)).map(nameOf);
  }

  /** `131 of 131` */
  total(kind: Kind): string {
    const own = items.filter((item) => item.kind === kind);
    return `${own.filter(this.has).length} of ${own.length}`;
  }
}

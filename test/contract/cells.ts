import { type ContractOperation, contractOperations, problemCodes } from '../fixtures/contract.ts';

/** What is counted: that an answer came, each of its headers, each of its media types, each code of its problem. */
export const kinds = ['response', 'header', 'media type', 'problem code'] as const;
export type Kind = (typeof kinds)[number];

/** One thing that the contract says an operation's answer may have. */
export interface Cell {
  operation: string;
  status: number;
  kind: Kind;
  name: string;
}

/** An answer of the server, as it is counted. */
export interface Counted {
  status: number;
  headers: Headers;
  /** The `code` of a problem. */
  code?: string | undefined;
}

/** Everything that the contract documents, from which nothing is left out. */
export const cells: Cell[] = contractOperations.flatMap(cellsOf);

function cellsOf({ id, responses }: ContractOperation): Cell[] {
  return Object.entries(responses).flatMap(([code, response]) => {
    const { headers = {}, content = {} } = response;
    const cell = (kind: Kind, name: string): Cell => ({ operation: id, status: Number(code), kind, name });
    return [
      cell('response', ''),
      ...Object.keys(headers).map((name) => cell('header', name)),
      ...Object.keys(content).map((type) => cell('media type', type)),
      ...problemCodes(response).map((name) => cell('problem code', name)),
    ];
  });
}

const nameOf = ({ operation, status, kind, name }: Cell): string => `${operation} ${status} ${kind} ${name}`.trim();

/** What of the contract has been seen in answers of the real server. */
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
    for (const cell of cells.filter((cell) => cell.operation === operation && cell.status === status)) {
      if (isSeen[cell.kind](cell.name)) this.#seen.add(nameOf(cell));
    }
  }

  has = (cell: Cell): boolean => this.#seen.has(nameOf(cell));

  /** What the contract says and no answer has shown, in words. */
  missing(): string[] {
    return cells.filter((cell) => !this.has(cell)).map(nameOf);
  }

  /** `131 of 131` */
  total(kind: Kind): string {
    const own = cells.filter((cell) => cell.kind === kind);
    return `${own.filter(this.has).length} of ${own.length}`;
  }
}

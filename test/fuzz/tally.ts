import { contractOperations, type OperationId } from '../harness/contract.ts';

type Kind = 'valid' | 'broken' | 'nonsense';

/** What was sent and answered, so that the fuzzer cannot stop fuzzing without anybody noticing. */
export interface Tally {
  requests: Record<Kind, number>;
  /** `getTracking 200` → how often. */
  reached: Map<string, number>;
  /** The breaks that were refused: `createShipment body /origin/city maxLength`. */
  refused: Set<string>;
}

export const newTally = (): Tally => ({
  requests: { valid: 0, broken: 0, nonsense: 0 },
  reached: new Map(),
  refused: new Set(),
});

export function count({ requests, reached }: Tally, kind: Kind, id: OperationId | undefined, status: number): void {
  requests[kind]++;
  const cell = `${id ?? 'no operation'} ${status}`;
  reached.set(cell, (reached.get(cell) ?? 0) + 1);
}

/** What should have happened and did not: an operation without a success, a break that was never tried. */
export function gaps({ reached, refused }: Tally, breaks: string[]): string[] {
  const successes = contractOperations.flatMap(({ id, responses }) =>
    Object.keys(responses).flatMap((status) => (status.startsWith('2') ? `${id} ${status}` : [])),
  );
  return [...successes.filter((cell) => !reached.has(cell)), ...breaks.filter((name) => !refused.has(name))];
}

export function summary({ requests, reached, refused }: Tally, seed: number): string {
  const { valid, broken, nonsense } = requests;
  const statuses = Map.groupBy([...reached.keys()].toSorted(), (cell) => cell.slice(0, cell.lastIndexOf(' ')));
  const table = [...statuses].map(([id, cells]) => `${id} ${cells.map((cell) => cell.slice(id.length + 1)).join('/')}`);
  return `fuzz: seed ${seed}, ${valid + broken + nonsense} requests: ${valid} valid, ${broken} broken (${refused.size} ways), ${nonsense} nonsense; ${table.join(', ')}`;
}

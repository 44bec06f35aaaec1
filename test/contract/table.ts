import { contractOperations } from '../fixtures/contract.ts';
import { type Coverage, cells, kinds } from './cells.ts';

/** For people: a row per operation, a column per status, and in each cell what was seen of what is documented. */
export function tableOf(coverage: Coverage): string {
  const statuses = [...new Set(cells.map(({ status }) => status))].sort();
  const row = (first: string, rest: string[]): string => first.padEnd(24) + rest.map((text) => text.padEnd(6)).join('');
  const lines = contractOperations.map(({ id }) =>
    row(
      id,
      statuses.map((status) => {
        const own = cells.filter((cell) => cell.operation === id && cell.status === status);
        return own.length === 0 ? '·' : `${own.filter(coverage.has).length}/${own.length}`;
      }),
    ),
  );
  const totals = kinds.map((kind) => `${kind}s: ${coverage.total(kind)}`).join(', ');
  return [
    'Seen of what the contract documents: the response, its headers, media types and problem codes.',
    row('', statuses.map(String)),
    ...lines,
    totals,
  ].join('\n');
}

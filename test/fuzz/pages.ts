import fc from 'fast-check';
import type { OperationId } from '../fixtures/contract.ts';
import type { RequestBreak } from './broken.ts';
import type { Environment } from './environment.ts';
import { expectedFor, refusal, statusesAllowing } from './expected.ts';
import { contractParts, fieldOf } from './parts.ts';
import { bringTo, perform, performValid } from './perform.ts';
import { validRequest } from './requests.ts';
import type { Sent } from './send.ts';
import { valid } from './valid-values.ts';

/** The lists of the contract: operations whose query takes a cursor. */
export const lists = contractParts.filter(({ in: place, schema }) => place === 'query' && schema.properties?.cursor);

/** The operation that creates the items of a list. */
const fills = { listShipments: 'createShipment', listPositions: 'recordPositions' } as const;

/** A first page of one item and its cursor; creates items until there is a second page. */
async function firstPage(environment: Environment, id: OperationId): Promise<{ sent: Sent; cursor: string }> {
  const fill = fills[id as keyof typeof fills];
  if (!fill) throw new Error(`Add the operation that creates items of ${id} to test/fuzz/pages.ts`);
  const shipment = await bringTo(environment, statusesAllowing(fill)[0] ?? 'scheduled');
  const { sent } = validRequest(environment, id, shipment);
  const first = { ...sent, query: { limit: 1 } };
  for (;;) {
    const { body } = await perform(environment, first, expectedFor(environment, first));
    const { next_cursor } = body as { next_cursor: string | null };
    if (next_cursor !== null) return { sent: first, cursor: next_cursor };
    await performValid(environment, fill, fill === 'createShipment' ? undefined : shipment);
  }
}

export async function nextPage(environment: Environment, id: OperationId): Promise<void> {
  const { sent, cursor } = await firstPage(environment, id);
  const next = { ...sent, query: { limit: environment.draw(valid(fieldOf(id, 'query', 'limit'))), cursor } };
  await perform(environment, next, expectedFor(environment, next));
}

/** Cursors that are made up or have other filters. */
export const cursorBreaks: RequestBreak[] = lists.flatMap(({ operation, schema: { properties = {} } }) => {
  const named = (what: string, query: (cursor: string) => Record<string, fc.Arbitrary<unknown>>): RequestBreak => ({
    operation,
    name: `${operation} query /cursor ${what}`,
    broken: async (environment) => {
      const { sent, cursor } = await firstPage(environment, operation);
      return {
        sent: { ...sent, query: environment.draw(fc.record(query(cursor))) },
        expected: refusal(400, 'cursor_mismatch'),
      };
    },
  });
  const filters = Object.entries(properties).filter(([name]) => !['limit', 'cursor', 'to_date'].includes(name));
  return [
    named('made up', () => ({ cursor: valid(properties.cursor ?? {}) })),
    named('of another length', (cursor) => ({ cursor: fc.constantFrom(cursor.slice(0, -4), `${cursor}AAAA`) })),
    ...filters.map(([name, schema]) =>
      named(`of a list without ${name}`, (cursor) => ({ cursor: fc.constant(cursor), [name]: valid(schema) })),
    ),
  ];
});

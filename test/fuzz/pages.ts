import fc from 'fast-check';
import type { OperationId } from '../fixtures/contract.ts';
import type { RequestBreak } from './broken.ts';
import { contractParts, fieldOf } from './parts.ts';
import { bring, perform, performValid } from './perform.ts';
import { validRequest } from './requests.ts';
import { valid } from './schema.ts';
import type { Sent } from './send.ts';
import { allowing, refusal, verdictOn } from './verdict.ts';
import type { World } from './world.ts';

/** The lists of the contract: operations whose query takes a cursor. */
export const lists = contractParts.filter(({ in: place, schema }) => place === 'query' && schema.properties?.cursor);

/** What lists are of is made by this operation. */
const fills = { listShipments: 'createShipment', listPositions: 'recordPositions' } as const;

/** A first page of one, and the cursor of the page after it; what the list is of is made until there is one. */
async function firstPage(world: World, id: OperationId): Promise<{ sent: Sent; cursor: string }> {
  const fill = fills[id as keyof typeof fills];
  if (!fill) throw new Error(`Teach the fuzzer how ${id} gets something to list: test/fuzz/pages.ts`);
  const shipment = await bring(world, allowing(fill)[0] ?? 'scheduled');
  const { sent } = validRequest(world, id, shipment);
  const first = { ...sent, query: { limit: 1 } };
  for (;;) {
    const { body } = await perform(world, first, verdictOn(world, first));
    const { next_cursor } = body as { next_cursor: string | null };
    if (next_cursor !== null) return { sent: first, cursor: next_cursor };
    await performValid(world, fill, fill === 'createShipment' ? undefined : shipment);
  }
}

export async function nextPage(world: World, id: OperationId): Promise<void> {
  const { sent, cursor } = await firstPage(world, id);
  const next = { ...sent, query: { limit: world.draw(valid(fieldOf(id, 'query', 'limit'))), cursor } };
  await perform(world, next, verdictOn(world, next));
}

/** Cursors that are made up, or belong to other filters. */
export const cursorBreaks: RequestBreak[] = lists.flatMap(({ operation, schema: { properties = {} } }) => {
  const named = (what: string, query: (cursor: string) => Record<string, fc.Arbitrary<unknown>>): RequestBreak => ({
    operation,
    name: `${operation} query /cursor ${what}`,
    broken: async (world) => {
      const { sent, cursor } = await firstPage(world, operation);
      return {
        sent: { ...sent, query: world.draw(fc.record(query(cursor))) },
        verdict: refusal(400, 'cursor_mismatch'),
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

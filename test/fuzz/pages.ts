import type { OperationId } from '../fixtures/contract.ts';
import type { Environment } from './environment.ts';
import { expectedFor, statusesAllowing } from './expected.ts';
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

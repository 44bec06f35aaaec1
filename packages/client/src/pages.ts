import type { Arguments, CallOptions, Operations, Schemas } from './operations.ts';

/** Walks through a list page by page: see `Client.eachShipment`. */
export async function* eachShipment(
  listShipments: Operations['listShipments'],
  query: Arguments<'listShipments'>['query'] = {},
  options: CallOptions = {},
): AsyncGenerator<Schemas['Shipment'], void, undefined> {
  let cursor = query.cursor;
  do {
    const { data: page } = await listShipments({ ...options, query: { ...query, ...(cursor && { cursor }) } });
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** The items of a list, which are requested page by page while they are consumed. */
export interface Items<Item> extends AsyncIterable<Item> {
  /**
   * Collects the first items, at most `limit`.
   *
   * @example console.log((await client.eachShipment().toArray({ limit: 500 })).length);
   */
  toArray(options: { limit: number }): Promise<Item[]>;
}

interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Iterates over a list from a cursor, or from its start. Requests each page when its first item is needed. */
export function eachItem<Item>(
  read: (position: { cursor?: string }) => Promise<{ data: Page<Item> }>,
  start: string | undefined,
): Items<Item> {
  async function* iterate(): AsyncGenerator<Item, void, undefined> {
    let cursor = start;
    do {
      const { data: page } = await read(cursor === undefined ? {} : { cursor });
      yield* page.data;
      // The same cursor again would never end.
      const next = page.has_more && page.next_cursor !== cursor ? page.next_cursor : null;
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }
  return {
    [Symbol.asyncIterator]: iterate,
    async toArray({ limit }) {
      if (!(Number.isInteger(limit) && limit > 0))
        throw new TypeError(`limit must be a positive integer, not ${limit}`);
      const items: Item[] = [];
      for await (const item of iterate()) {
        items.push(item);
        if (items.length >= limit) break;
      }
      return items;
    },
  };
}

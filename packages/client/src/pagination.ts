interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** Iterates over a list from a cursor, or from its start. Requests each page when its first item is needed. */
export async function* eachItem<Item>(
  read: (position: { cursor?: string }) => Promise<{ data: Page<Item> }>,
  start: string | undefined,
): AsyncGenerator<Item, void, undefined> {
  let cursor = start;
  do {
    const { data: page } = await read(cursor === undefined ? {} : { cursor });
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

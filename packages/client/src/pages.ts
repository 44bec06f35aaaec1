interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** Walks through a list from a cursor on, or from its beginning, reading a page when its first item is asked for. */
export async function* eachItem<Item>(
  read: (at: { cursor?: string }) => Promise<{ data: Page<Item> }>,
  start: string | undefined,
): AsyncGenerator<Item, void, undefined> {
  let cursor = start;
  do {
    const { data: page } = await read(cursor === undefined ? {} : { cursor });
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

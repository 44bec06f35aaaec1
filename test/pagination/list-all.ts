import { expect } from 'vitest';
import type { TestAccount } from '../fixtures/test.ts';

export type Query = NonNullable<NonNullable<Parameters<TestAccount['client']['listShipments']>[0]>['query']>;

/** Follows the cursors of listShipments and returns the ids. Checks that every page keeps what the one before promised. */
export async function listAll({ client }: TestAccount, query: Query): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { data } = await client.listShipments({ query: { ...query, ...(cursor !== null && { cursor }) } });
    ids.push(...data.data.map(({ id }) => id));
    expect(data.has_more).toBe(data.next_cursor !== null);
    if (cursor !== null) expect(data.data, 'more was promised').not.toEqual([]);
    cursor = data.next_cursor;
  } while (cursor !== null);
  return ids;
}

import type { Database } from '@waybill/server/database/connect';
import { sql } from 'kysely';
import type { TestAccount } from '../fixtures/test.ts';

const tables = ['shipments', 'tracking_events', 'positions', 'current_positions', 'proof_uploads', 'proofs'] as const;

/** Everything that an account's requests left behind, the outcomes of keys excepted. */
export async function effects(db: Database, { id }: Pick<TestAccount, 'id'>): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(table)} t where account_id = ${id} order by 1`.execute(db);
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** How many rows that is. */
export const countOf = (found: Record<string, string[]>): number => Object.values(found).flat().length;

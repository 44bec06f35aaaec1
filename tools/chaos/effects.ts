import pg from 'pg';
import type { Entry } from './journal.ts';

/**
 * Counts what the client cannot see: declared uploads, and the answers that are kept for keys.
 * @returns where there is more or less of them than keys were used; nothing when all is well
 */
export async function countEffects(databaseUrl: string, account: string, entries: Entry[]): Promise<string[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const count = async (table: string): Promise<number> => {
      const { rows } = await client.query(`select count(*)::int as n from ${table} where account_id = $1`, [account]);
      return rows[0].n;
    };
    const uploads = entries.filter(({ write }) => write.operation === 'uploadProofFile').length;
    const expected = { idempotency_keys: entries.length, proof_uploads: uploads };
    const faults: string[] = [];
    for (const [table, number] of Object.entries(expected)) {
      const found = await count(table);
      if (found !== number) faults.push(`${table}: ${found} rows for ${number} keys`);
    }
    return faults;
  } finally {
    await client.end();
  }
}

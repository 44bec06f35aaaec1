import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@waybill/client';
import pg from 'pg';
import { check } from './check.ts';
import type { Environment } from './environment.ts';
import type { Entry, Journal } from './journal.ts';
import { finish, repeatAll } from './repeat.ts';

export interface FinalReport {
  writes: number;
  shipments: number;
  /** Abandoned writes, and how many of them had had their effect. */
  abandoned: number;
  applied: number;
  lost: string[];
  duplicated: string[];
  /** Repeated writes whose response differed, and shipments that changed by the repetition. */
  changed: string[];
}

/** Finishes abandoned writes, checks everything, repeats every write, and checks again. No write may be in progress. */
export async function runFinalCheck(environment: Environment, journal: Journal, client: Client): Promise<FinalReport> {
  const entries = [...journal.entries.values()];
  const abandoned = entries.filter(({ result }) => result === undefined);
  const applied = await finish(abandoned);
  const { lost, duplicated, states } = await check(client, entries);
  const changed = await repeatAll(entries);
  const again = await check(client, entries);
  for (const [reference, state] of states) {
    if (!isDeepStrictEqual(state, again.states.get(reference))) changed.push(`${reference}: changed by repetition`);
  }
  const rows = await checkRowCounts(environment, entries);
  return {
    writes: entries.length,
    shipments: states.size,
    abandoned: abandoned.length,
    applied,
    lost: [...new Set([...lost, ...again.lost])],
    duplicated: [...new Set([...duplicated, ...again.duplicated, ...rows])],
    changed,
  };
}

/** Compares the rows that the API does not show, uploads and idempotency keys, with the number of writes. */
async function checkRowCounts({ databaseUrl, accountId }: Environment, entries: Entry[]): Promise<string[]> {
  const uploads = entries.filter(({ write }) => write.operation === 'uploadProofFile').length;
  const expected = { idempotency_keys: entries.length, proof_uploads: uploads };
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const errors: string[] = [];
    for (const [table, number] of Object.entries(expected)) {
      const { rows } = await client.query(`select count(*)::int as n from ${table} where account_id = $1`, [accountId]);
      if (rows[0].n !== number) errors.push(`${table}: ${rows[0].n} rows for ${number} writes`);
    }
    return errors;
  } finally {
    await client.end();
  }
}

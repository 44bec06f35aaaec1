import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { query } from '@waybill/sandbox/postgres/client';
import { type Entry, isRetryable, sendOnce } from '@waybill/sandbox/simulate/writes';
import type { EventReader } from '../readers/event-readers.ts';
import { check, inParallel, type Run } from './check.ts';
import { checkEvents, type EventCheck } from './event-check.ts';

/** The numbers of a final check. */
export interface FinalCheck {
  shipments: number;
  /** Writes that their client did not repeat, and those of them that had their effect. */
  abandoned: number;
  applied: number;
  lost: number;
  duplicated: number;
  /** Writes whose repetition had another response or another effect. */
  changed: number;
  /** By the way in which they were read. */
  events: EventCheck[];
}

/**
 * Finishes abandoned writes, checks everything, repeats every write, and checks again. Reports what is wrong. No write may
 * be in progress.
 */
export async function runFinalCheck(run: Run, databaseUrl: string, readers: EventReader[]): Promise<FinalCheck> {
  const { entries } = run;
  const abandoned = entries.filter(({ result }) => result === undefined);
  let applied = 0;
  await inParallel(abandoned, async (entry) => {
    const { result, replayed } = await sendUntilFinal(entry, run.signal);
    entry.result = result;
    if (replayed) applied++;
  });
  const first = await check(run);

  const changed: string[] = [];
  await inParallel(entries, async (entry) => {
    const { result, replayed } = await sendUntilFinal(entry, run.signal);
    const what = `${entry.write.operation} ${entry.write.key}`;
    if (!isDeepStrictEqual(result, entry.result))
      changed.push(`${what}: ${JSON.stringify(result)} after ${JSON.stringify(entry.result)}`);
    else if (replayed === false) changed.push(`${what}: executed again`);
  });
  const again = await check(run);
  for (const [reference, state] of first.states) {
    if (!isDeepStrictEqual(state, again.states.get(reference))) changed.push(`${reference}: changed by repetition`);
  }
  const lost = new Set([...first.lost, ...again.lost]);
  const rows = await checkRowCounts(databaseUrl, entries);
  const duplicated = new Set([...first.duplicated, ...again.duplicated, ...rows]);
  for (const each of [...lost, ...duplicated, ...changed]) run.report(each);
  return {
    shipments: first.states.size,
    abandoned: abandoned.length,
    applied,
    lost: lost.size,
    duplicated: duplicated.size,
    changed: changed.length,
    events: await checkEvents(run, readers, again.states),
  };
}

async function sendUntilFinal({ write }: Entry, signal: AbortSignal): ReturnType<typeof sendOnce> {
  for (;;) {
    try {
      return await sendOnce(write, { signal });
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await setTimeout(200, undefined, { signal });
    }
  }
}

/** Compares the rows that the API does not show, uploads and idempotency keys, with the number of writes. */
async function checkRowCounts(databaseUrl: string, entries: Entry[]): Promise<string[]> {
  const uploads = entries.filter(({ write }) => write.operation === 'uploadProofFile').length;
  const keyed = entries.filter(({ write }) => write.operation !== 'updateShipment').length;
  const errors: string[] = [];
  for (const [table, writes] of Object.entries({ idempotency_keys: keyed, proof_uploads: uploads })) {
    const [row] = await query(databaseUrl, `select count(*)::int as n from ${table}`);
    if (row?.n !== writes) errors.push(`${table}: ${row?.n} rows for ${writes} writes`);
  }
  return errors;
}

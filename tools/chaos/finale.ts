import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@waybill/client';
import { check } from './check.ts';
import { countEffects } from './effects.ts';
import type { Environment } from './environment.ts';
import type { Book } from './journal.ts';
import { finish, repeatAll } from './repeat.ts';

/** What the whole run came to. */
export interface Finale {
  writes: number;
  shipments: number;
  /** Writes that were given up, and how many of them had had their effect all the same. */
  abandoned: number;
  recovered: number;
  lost: string[];
  doubled: string[];
  /** Repeated writes whose answer was another, and shipments that the repetition has changed. */
  changed: string[];
}

/** When nothing is under way any more: finishes what was given up, checks all, repeats all, and checks again. */
export async function playFinale(environment: Environment, book: Book, client: Client): Promise<Finale> {
  const entries = [...book.entries.values()];
  const abandoned = entries.filter(({ outcome }) => outcome === undefined);
  const recovered = await finish(abandoned);
  const { lost, doubled, states } = await check(client, entries);
  const changed = await repeatAll(entries);
  const again = await check(client, entries);
  for (const [reference, state] of states) {
    if (!isDeepStrictEqual(state, again.states.get(reference))) changed.push(`${reference}: changed by repetition`);
  }
  const effects = await countEffects(environment.databaseUrl, environment.accountId, entries);
  return {
    writes: entries.length,
    shipments: states.size,
    abandoned: abandoned.length,
    recovered,
    lost: [...new Set([...lost, ...again.lost])],
    doubled: [...new Set([...doubled, ...again.doubled, ...effects])],
    changed,
  };
}

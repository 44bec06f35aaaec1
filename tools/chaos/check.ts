import type { Client } from '@waybill/client';
import type { Entry } from './journal.ts';
import { type Findings, judge } from './judge.ts';
import { readStates, type State } from './state.ts';

/** The entries of each shipment, by its reference. */
export function bySubject(entries: Iterable<Entry>): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.write.subject) ?? [];
    groups.set(entry.write.subject, [...group, entry]);
  }
  return groups;
}

/** Checks shipments of the journal against the service, which must be quiet. @param which references; all when absent */
export async function check(
  client: Client,
  entries: Iterable<Entry>,
  which?: Set<string>,
): Promise<Findings & { states: Map<string, State> }> {
  const groups = bySubject(entries);
  const states = await readStates(client, which ?? groups.keys());
  const findings: Findings = { lost: [], doubled: [] };
  for (const [reference, state] of states) {
    const { lost, doubled } = judge(reference, groups.get(reference) ?? [], state);
    findings.lost.push(...lost);
    findings.doubled.push(...doubled);
  }
  const strangers = await countStrangers(client, groups);
  findings.doubled.push(...strangers);
  return { ...findings, states };
}

/** Walks through all shipments of the account: each must belong to one entry, and none to the same. */
async function countStrangers(client: Client, groups: Map<string, Entry[]>): Promise<string[]> {
  const seen = new Set<string>();
  const strangers: string[] = [];
  for await (const { id, reference = '' } of client.eachShipment({ limit: 100 })) {
    if (!groups.has(reference)) strangers.push(`${id}: a shipment that nobody asked for`);
    if (seen.has(reference)) strangers.push(`${id}: a second shipment ${reference}`);
    seen.add(reference);
  }
  return strangers;
}

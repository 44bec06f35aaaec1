import { sendSignal } from '../processes/kill.ts';
import { processAndChildren } from '../processes/process-tree.ts';
import { waitUntil } from '../processes/wait-until.ts';
import type { Postgres } from './postgres.ts';

/** `kill -9` of all processes of a PostgreSQL; resolves when they have ended. */
export async function killPostgres({ pid, exited }: Pick<Postgres, 'pid' | 'exited'>): Promise<void> {
  sendSignal(pid, 'SIGSTOP'); // a suspended postmaster cannot fork a child that the list of processes misses
  const killed = await processAndChildren(pid);
  for (const each of killed) sendSignal(each, 'SIGKILL');
  await exited;
  await waitUntil(() => !killed.some((each) => sendSignal(each, 0)), 10_000);
}

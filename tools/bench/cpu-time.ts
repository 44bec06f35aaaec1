import type { Environment } from '../chaos/environment.ts';
import { statOf } from '../processes/process-tree.ts';

/** Microseconds in a clock tick of /proc; a constant of Linux. */
const tick = 10_000;

/** Microseconds of CPU time that the server and PostgreSQL have used; undefined without /proc. */
export async function cpuTime(environment: Environment): Promise<{ node: number; postgres: number } | undefined> {
  if (process.platform !== 'linux') return undefined;
  const [node, postgres] = await Promise.all([environment.pids('server'), environment.pids('PostgreSQL')]);
  return { node: await sum(node), postgres: await sum(postgres) };
}

/** utime and stime of each process; for the first, the parent, also those of its ended children. */
async function sum(pids: number[]): Promise<number> {
  const times = await Promise.all(
    pids.map(async (pid, index) => {
      const [utime = 0, stime = 0, cutime = 0, cstime = 0] = ((await statOf(pid)) ?? []).slice(11, 15).map(Number);
      return utime + stime + (index === 0 ? cutime + cstime : 0);
    }),
  );
  return times.reduce((total, time) => total + time, 0) * tick;
}

import type { Environment } from '../chaos/environment.ts';
import { statOf } from '../processes/family.ts';

/** Microseconds in a clock tick of /proc, which Linux fixes for user space. */
const tick = 10_000;

/** Microseconds of processor time that the server and PostgreSQL have used so far; undefined where /proc is not. */
export async function used(environment: Environment): Promise<{ node: number; postgres: number } | undefined> {
  if (process.platform !== 'linux') return undefined;
  const [node, postgres] = await Promise.all([environment.pids('server'), environment.pids('PostgreSQL')]);
  return { node: await sum(node), postgres: await sum(postgres) };
}

/** utime and stime of each, and of the first, the parent, those of its children that have ended. */
async function sum(pids: number[]): Promise<number> {
  const times = await Promise.all(
    pids.map(async (pid, place) => {
      const [utime = 0, stime = 0, cutime = 0, cstime = 0] = ((await statOf(pid)) ?? []).slice(11, 15).map(Number);
      return utime + stime + (place === 0 ? cutime + cstime : 0);
    }),
  );
  return times.reduce((total, time) => total + time, 0) * tick;
}

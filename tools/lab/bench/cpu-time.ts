import { processAndChildren, statOf } from '@waybill/sandbox/processes/process-tree';

/** Microseconds in a clock tick of /proc; a constant of Linux. */
const tick = 10_000;

/** Microseconds of CPU time that a process and its children have used; NaN without /proc. */
export async function cpuTime(pid: number): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const times = await Promise.all(
    (await processAndChildren(pid)).map(async (each) => {
      const [utime = 0, stime = 0, cutime = 0, cstime = 0] = ((await statOf(each)) ?? []).slice(11, 15).map(Number);
      return utime + stime + (each === pid ? cutime + cstime : 0); // of the parent also those of its ended children
    }),
  );
  return times.reduce((total, time) => total + time, 0) * tick;
}

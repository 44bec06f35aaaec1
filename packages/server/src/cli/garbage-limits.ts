/**
 * Limits of the garbage that V8 keeps: space for new objects in MiB, and percent of the live old ones. By default it keeps
 * more than the service uses (decision 0033). One thread collects new objects, because the other processors have work.
 */
const limits = ['--max-semi-space-size=16', '--heap-growing-percent=40', '--no-parallel-scavenge'];

/**
 * Of glibc's allocator: all threads use again what one has freed, and in bytes, how large an allocation is that is returned
 * to the system when it is freed, and how much is kept at the end of the heap.
 */
const allocator = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Starts this process again, in its place and with its id, with limits that V8 reads only at its start. A process that has
 * one of them on its command line or in NODE_OPTIONS keeps that. Windows cannot replace a process: there V8's defaults apply.
 */
export function limitGarbage(): void {
  const { argv, env, execArgv, execPath, execve, platform } = process;
  const options = [...execArgv, env.NODE_OPTIONS].join(' ');
  if (/semi-space|heap-growing/.test(options) || platform === 'win32' || !execve) return;
  execve(execPath, [execPath, ...limits, ...execArgv, ...argv.slice(1)], { ...allocator, ...env });
}

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitUntil } from '@waybill/sandbox/processes/wait-until';

const run = promisify(execFile);

export type Disk = Awaited<ReturnType<typeof mountDisk>>;

/**
 * Mounts a file system of its own, an ext4 image. It needs root. Each of its faults returns a function that ends it. Disposal
 * unmounts it.
 * @param size in MiB
 */
export async function mountDisk(size: number) {
  const base = await mkdtemp(join(tmpdir(), 'waybill-disk-'));
  const [image, folder] = [join(base, 'image'), join(base, 'mounted')];
  await mkdir(folder);
  await run('mkfs.ext4', ['-q', '-m', '0', '-O', '^has_journal', image, `${size}M`]);
  await run('mount', ['-o', 'loop,noatime', image, folder]);

  /** Repeats `work` until the function that it returns is called, which waits for the end of the work. */
  const repeat = (work: () => Promise<unknown>) => {
    let isOver = false;
    const ended = (async () => {
      while (!isOver) await work();
    })();
    return () => {
      isOver = true;
      return ended;
    };
  };
  const thaw = (): Promise<unknown> => run('fsfreeze', ['--unfreeze', folder]).catch(() => {});
  const freeze = () => run('fsfreeze', ['--freeze', folder]).then(() => thaw);
  const remount = (mode: string): Promise<unknown> => run('mount', ['-o', `remount,${mode},noatime`, folder]);
  return {
    folder,
    /** Fills the disk and keeps it full. */
    async fill() {
      const filler = join(folder, 'filler');
      // It ends when no space is left.
      const write = () => run('sh', ['-c', 'exec cat /dev/zero >> "$0"', filler]).catch(() => setTimeout(50));
      await write();
      const stop = repeat(write);
      return async () => {
        await stop();
        await rm(filler);
      };
    },
    /** Writes never end. */
    freeze,
    /** Writes wait for 400 ms, and then are accepted for 100 ms. */
    async slowDown() {
      return repeat(async () => {
        await freeze();
        await setTimeout(400);
        await thaw();
        await setTimeout(100);
      });
    },
    async makeReadOnly() {
      // The kernel refuses while a file is being written.
      const attempt = async () => (await remount('ro').catch(() => undefined)) !== undefined;
      if (!(await waitUntil(attempt, 2000))) throw new Error(`${folder} cannot be made read-only.`);
      return () => remount('rw');
    },
    async [Symbol.asyncDispose]() {
      await thaw();
      await run('umount', ['--lazy', folder]);
      await rm(base, { recursive: true, force: true });
    },
  };
}

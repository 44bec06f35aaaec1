import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Disk = Awaited<ReturnType<typeof mountDisk>>;

/** Milliseconds between two attempts to use up space that was freed. */
const fillInterval = 50;
/** A slow disk accepts writes for the second of these times, in milliseconds, after the first. */
const [stalled, moving] = [400, 100] as const;

/** Mounts a file system of its own, an ext4 image. It needs root. Disposal unmounts it. @param size in MiB */
export async function mountDisk(size: number) {
  const base = await mkdtemp(join(tmpdir(), 'waybill-disk-'));
  const [image, folder] = [join(base, 'image'), join(base, 'mounted')];
  await mkdir(folder);
  await (await open(image, 'w')).close();
  await truncate(image, size * 1024 * 1024);
  await run('mkfs.ext4', ['-q', '-m', '0', '-O', '^has_journal', image]);
  await run('mount', ['-o', 'loop,noatime', image, folder]);

  const filler = join(folder, 'filler');
  let active: { stop: AbortController; ended: Promise<void> } | undefined;
  const isOver = (): boolean => active === undefined || active.stop.signal.aborted;
  const start = (loop: () => Promise<void>): void => {
    active = { stop: new AbortController(), ended: Promise.resolve() };
    active.ended = loop();
  };
  const stop = async (): Promise<void> => {
    active?.stop.abort();
    await active?.ended;
    active = undefined;
  };
  const freeze = (): Promise<unknown> => run('fsfreeze', ['--freeze', folder]);
  const thaw = (): Promise<unknown> => run('fsfreeze', ['--unfreeze', folder]).catch(() => {});
  return {
    folder,
    /** Fills the disk and keeps it full. */
    async fill(): Promise<void> {
      await writeUntilFull(filler);
      start(async () => {
        for (; !isOver(); await setTimeout(fillInterval)) await writeUntilFull(filler);
      });
    },
    async empty(): Promise<void> {
      await stop();
      await rm(filler);
    },
    /** Writes wait until `thaw`. */
    freeze,
    thaw,
    /** Writes wait most of the time, until `stop`. */
    slowDown(): void {
      start(async () => {
        while (!isOver()) {
          await freeze();
          await setTimeout(stalled);
          await thaw();
          await setTimeout(moving);
        }
      });
    },
    stop,
    async setWritable(isWritable: boolean): Promise<void> {
      // The kernel refuses while a file is being written.
      for (let attempt = 1; ; attempt++) {
        try {
          return void (await run('mount', ['-o', `remount,${isWritable ? 'rw' : 'ro'},noatime`, folder]));
        } catch (error) {
          if (attempt === 200) throw error;
          await setTimeout(5);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await thaw();
      await run('umount', ['--lazy', folder]);
      await rm(base, { recursive: true, force: true });
    },
  };
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (let size = 1024 * 1024; size >= 512; ) {
      try {
        const { bytesWritten } = await file.write(Buffer.alloc(size));
        if (bytesWritten < size) size /= 2;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        size /= 2;
      }
    }
  } finally {
    await file.close();
  }
}

import { cp, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed } from '../fixtures/programs/installed.ts';
import { execute } from './release.ts';

export const podmanPath: string | undefined = installed('podman');

/** Podman with images and containers in a folder of its own. Disposal removes all of them. */
export async function startPodman() {
  const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'waybill-podman-'));
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--cgroup-manager', 'cgroupfs'];
  const runtime = installed('runc') ? ['--runtime', 'runc'] : []; // crun refuses some combinations of cgroups
  const podman = async (...args: string[]): Promise<string> =>
    (await execute(podmanPath ?? '', [...storage, ...runtime, ...args])).stdout.trim();
  // With the network of this machine, and limits that an unprivileged machine permits.
  const options = ['--pull=never', '--network=host', '--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'];
  return {
    podman,
    run: (...args: string[]) => podman('run', ...options, ...args),
    /** Builds an image with nothing but this Node, in place of one from a registry, and returns its name. */
    async buildNode(): Promise<string> {
      const { stdout } = await execute('ldd', [process.execPath]);
      const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => [path, path] as const);
      for (const [from, to] of [[process.execPath, '/usr/local/bin/node'] as const, ...libraries])
        await cp(from, join(folder, 'root', to), { dereference: true });
      await writeFile(join(folder, 'Containerfile'), 'FROM scratch\nCOPY root /\nENV PATH=/usr/local/bin\n');
      await podman('build', '--tag', 'localhost/node', folder);
      return 'localhost/node';
    },
    async [Symbol.asyncDispose]() {
      await podman('rm', '--all', '--force', '--volumes');
      await remove();
    },
  };
}

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installed } from '../fixtures/installed.ts';
import { execute } from './release.ts';

export const podmanPath: string | undefined = installed('podman');

const limits = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'];

/** Podman with images and containers in a folder of its own. Disposal removes all of them. */
export async function startPodman() {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-podman-'));
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--cgroup-manager', 'cgroupfs'];
  const runtime = installed('runc') ? ['--runtime', 'runc'] : []; // crun refuses some combinations of cgroups
  const podman = async (...args: string[]): Promise<string> =>
    (await execute(podmanPath ?? '', [...storage, ...runtime, ...args])).stdout.trim();
  return {
    podman,
    /** Runs a container with the network of this machine, and with limits that an unprivileged machine permits. */
    run: (...args: string[]) => podman('run', '--pull=never', '--network=host', ...limits, ...args),
    /** Builds an image with nothing but this Node, in place of one from a registry, and returns its name. */
    async buildNode(): Promise<string> {
      const root = join(folder, 'root');
      const { stdout } = await execute('ldd', [process.execPath]);
      const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => [path, path] as const);
      for (const [from, to] of [[process.execPath, '/usr/local/bin/node'] as const, ...libraries]) {
        await mkdir(dirname(join(root, to)), { recursive: true });
        await cp(from, join(root, to), { dereference: true });
      }
      await writeFile(join(folder, 'Containerfile'), 'FROM scratch\nCOPY root /\nENV PATH=/usr/local/bin\n');
      await podman('build', '--tag', 'localhost/node', folder);
      return 'localhost/node';
    },
    async [Symbol.asyncDispose]() {
      await podman('rm', '--all', '--force', '--volumes');
      await rm(folder, { recursive: true });
    },
  };
}

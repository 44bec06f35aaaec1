import { readFile } from 'node:fs/promises';
import { freePort } from '@waybill/tools/free-port';
import { expect, inject, test, vi } from 'vitest';
import { skippedWithout } from '../fixtures/installed.ts';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { podmanPath, startPodman } from './container.ts';
import { packServer } from './release.ts';

test.skipIf(!podmanPath)(
  `the image serves as PID 1 without privileges on a read-only file system, and SIGTERM stops it${skippedWithout('podman', podmanPath)}`,
  async ({ skip }) => {
    await using engine = await startPodman();
    const { podman, run } = engine;
    const node = await engine.buildNode();
    const failure = await run('--rm', node, 'node', '--version').then(
      () => undefined,
      (error: Error) => error.message,
    );
    skip(failure !== undefined, `podman cannot run containers on this machine: ${failure}`);

    await using release = await packServer();
    const containerfile = release.file('dist/deploy/Containerfile');
    await podman('build', '--from', node, '--file', containerfile, '--tag', 'localhost/waybill', release.file(''));
    const PORT = String(await freePort());
    const settings = { HOST: '127.0.0.1', PORT, DATABASE_URL: inject('databaseUrl'), SIGNING_KEYS: signingKey };
    const container = await run(
      ...['--detach', '--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
      ...['--volume', '/var/lib/waybill'],
      ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      'localhost/waybill',
    );
    const ready = async () => expect((await fetch(`http://127.0.0.1:${PORT}/health/ready`)).status).toBe(200);
    await vi.waitFor(ready, waitTimeout).catch(async (error) => {
      throw new Error(await podman('logs', container), { cause: error });
    });

    const pid = await podman('inspect', '--format', '{{.State.Pid}}', container);
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(await readFile(`/proc/${pid}/comm`, 'utf8')).toMatch(/^(node|MainThread)\n$/);
    expect(await readFile(`/proc/${pid}/mounts`, 'utf8')).toMatch(/^\S+ \/ \S+ ro,/m);

    await podman('kill', '--signal', 'TERM', container);
    expect(await podman('wait', container)).toBe('0');
    expect(await podman('logs', container)).toContain('stopping after SIGTERM');
  },
);

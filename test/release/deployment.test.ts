import { globSync, readFileSync } from 'node:fs';
import { appendFile, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeTimeoutOf } from '@waybill/server/app';
import { readConfig } from '@waybill/server/config';
import { findProgram } from '@waybill/tools/lab/cluster/daemon';
import { sampleWith } from '@waybill/tools/lab/cluster/sample';
import { expect, test } from 'vitest';
import { installed, skippedWithout } from '../fixtures/programs/installed.ts';
import { execute } from './release.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const textOf = (file: string): Promise<string> => readFile(join(deploy, file), 'utf8');

const compose = installed('docker-compose');
test.skipIf(!compose)(
  `compose.yaml is valid and refuses to start without secrets${skippedWithout('docker-compose', compose)}`,
  async () => {
    const config = (settings: Record<string, string>) =>
      execute(compose ?? '', ['--file', join(deploy, 'compose.yaml'), 'config', '--services'], {
        env: { PATH: process.env.PATH, ...settings },
      });
    const { stdout } = await config({ POSTGRES_PASSWORD: 'p', SIGNING_KEYS: 'k', GRAFANA_PASSWORD: 'g' });
    const services = ['backup', 'grafana', 'postgres', 'prometheus', 'proxy', 'redis', 'waybill-1', 'waybill-2'];
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(services));
    await expect(config({})).rejects.toThrow('See the head of compose.yaml');
  },
);

const haproxy = findProgram('haproxy');
test.skipIf(!haproxy)(`haproxy.cfg is valid${skippedWithout('haproxy', haproxy)}`, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'waybill-haproxy-'));
  const [pem, file] = [join(folder.path, 'waybill.pem'), join(folder.path, 'haproxy.cfg')];
  const request = [...'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout - -out'.split(' '), pem];
  await appendFile(pem, (await execute('openssl', request)).stdout);
  await writeFile(file, await sampleWith('haproxy.cfg', { '/etc/haproxy/waybill.pem': pem }));
  await execute(haproxy ?? '', ['-c', '-f', file]); // throws
});

const systemd = installed('systemd-analyze');
test.skipIf(!systemd)(
  `waybill.service is valid, and its exposure level is at most 1.5${skippedWithout('systemd-analyze', systemd)}`,
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'waybill-unit-'));
    const unit = join(folder.path, 'waybill.service');
    // systemd requires that the program exists.
    const source = (await textOf('waybill.service')).split('\nExecStart=waybill serve\n');
    await writeFile(unit, source.join(`\nExecStart=${process.execPath} serve\n`));
    const analyze = (...args: string[]) => execute(systemd ?? '', [...args, unit]);
    expect(await analyze('verify', '--man=no')).toEqual({ stdout: '', stderr: '' });
    await analyze('security', '--offline=true', '--threshold=15'); // tenths; fails above it
  },
);

test('the deployment files give a stop the time that it may take, and the guide on faults says how long', async () => {
  const config = readConfig({}, []);
  const time = closeTimeoutOf(config);
  for (const [file, pattern] of [
    ['compose.yaml', /stop_grace_period: (\d+)s/g],
    ['waybill.service', /TimeoutStopSec=(\d+)/g],
    ['kubernetes/waybill.yaml', /terminationGracePeriodSeconds: (\d+)/g],
  ] as const) {
    const periods = [...(await textOf(file)).matchAll(pattern)];
    expect([file, periods.length]).toEqual([file, 1]);
    expect(Number(periods[0]?.[1]) * 1000, file).toBeGreaterThanOrEqual(time);
  }
  const more = (time - config.DRAIN_MS - config.SHUTDOWN_TIMEOUT_MS) / 1000;
  expect(await textOf('guides/faults.md')).toContain(`Give a restart ${more} s more than`);
});

test('actions of the workflows and images of deploy/ are pinned: a tag can be moved to other code', () => {
  const files = globSync(['compose.yaml', '**/Containerfile', '../.github/workflows/*'], { cwd: deploy });
  const text = files.map((file) => readFileSync(join(deploy, file), 'utf8')).join('\n');
  const used = [...text.matchAll(/(?:uses|image): (.+)|^FROM (.+)/gm)];
  const names = used.map(([, used, from]) => used ?? from ?? '').filter((name) => name !== 'waybill:1.0.0'); // it is built
  expect(names.length).toBeGreaterThan(15);
  for (const name of names) expect(name).toMatch(/^\S+\/\S+@([0-9a-f]{40} # v\d+\.\d+\.\d+|sha256:[0-9a-f]{64})$/);
});

test('the lockfile has each program also for macOS', () => {
  const lockfile = readFileSync(join(deploy, '../pnpm-lock.yaml'), 'utf8');
  const names = [...lockfile.matchAll(/^ {2}'?(@?[\w./-]+)@[\d.]+'?:$/gm)].map(([, name = '']) => name);
  const programs = names.filter((name) => /linux-x?64(-gnu)?$/.test(name));
  expect(programs.length).toBeGreaterThan(5);
  expect(names).toEqual(expect.arrayContaining(programs.map((name) => name.replace(/linux-(x?64).*/, 'darwin-$1'))));
});

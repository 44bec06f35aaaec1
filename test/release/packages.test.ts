import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { packAll, publishAll, tarballsIn } from '@waybill/tools/release/packages';
import { beforeAll, expect, test, vi } from 'vitest';
import { pnpm } from '../fixtures/pnpm.ts';
import { execute } from './release.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-packages-'));
  return () => rm(folder, { recursive: true });
});

test('packAll packs server, client and mock, whose dependencies can be installed', async () => {
  const destination = join(folder, 'dist');
  await mkdir(destination);
  await writeFile(join(destination, 'waybill-mock-0.9.0.tgz'), 'An earlier release.');
  const tarballs = await packAll(pnpm, destination);
  expect(tarballs).toEqual(await tarballsIn(destination));
  const found: Record<string, unknown> = {};
  for (const { path, size } of tarballs) {
    expect(size).toBeGreaterThan(100_000);
    const { stdout } = await execute('tar', ['xOf', path, 'package/package.json']);
    const { name, version, dependencies } = JSON.parse(stdout);
    expect(basename(path)).toBe(`waybill-${name.split('/')[1]}-${version}.tgz`);
    found[name] = dependencies;
  }
  expect(found).toEqual({
    '@waybill/client': { 'openapi-fetch': expect.stringMatching(/^\d/) },
    '@waybill/mock': { '@stoplight/prism-http': expect.stringMatching(/^\d/) },
    '@waybill/server': {},
  });
});

test('publishAll publishes with provenance what is not published yet, and reports what npm refuses', async () => {
  const programs = join(folder, 'programs');
  const log = join(folder, 'npm.log');
  await mkdir(programs);
  /** Replaces npm, which knows one package. */
  const npm = (commands: string) =>
    writeFile(join(programs, 'npm'), `#!/bin/sh\necho "$@" >> ${log}\n${commands}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', programs + delimiter + process.env.PATH);
  const tarballs: { path: string; size: number }[] = [];
  for (const name of ['client', 'mock']) {
    const root = join(folder, name);
    await mkdir(join(root, 'package'), { recursive: true });
    await writeFile(join(root, 'package/package.json'), JSON.stringify({ name: `@waybill/${name}`, version: '1.2.3' }));
    const path = join(folder, `waybill-${name}-1.2.3.tgz`);
    await execute('tar', ['czf', path, '-C', root, 'package']);
    tarballs.push({ path, size: 1 });
  }
  await npm('case "$*" in "view @waybill/client@1.2.3 version") echo 1.2.3;; view*) exit 1;; esac');
  expect(await publishAll(tarballs)).toEqual([
    '@waybill/client 1.2.3 is published already.',
    'Published @waybill/mock 1.2.3.',
  ]);
  expect((await readFile(log, 'utf8')).split('\n')).toEqual([
    'view @waybill/client@1.2.3 version',
    'view @waybill/mock@1.2.3 version',
    `publish ${tarballs[1]?.path} --provenance --access public`,
    '',
  ]);
  await npm('echo "need auth" >&2; exit 1');
  await expect(publishAll(tarballs)).rejects.toThrow('need auth');
  vi.unstubAllEnvs();
});

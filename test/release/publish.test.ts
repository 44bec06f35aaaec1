import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { publishAll } from '@waybill/tools/release/packages';
import { expect, onTestFinished, test, vi } from 'vitest';
import { execute } from './release.ts';

test('publishAll publishes with provenance what is not published yet, and reports what npm refuses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-packages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
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

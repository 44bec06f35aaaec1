import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@waybill/sandbox/processes/temporary-folder';
import { expect, test } from 'vitest';

test('commit-subjects.js and the hook accept subjects of 50 characters and merges, and reject longer ones', () => {
  using folder = temporaryFolder('waybill-commits-');
  const [short, long] = ['x'.repeat(50), 'x'.repeat(51)];
  const run = (file: string, args: string[], cwd = folder.path) => spawnSync(file, args, { cwd }).status;
  const settings = ['user.name=a', 'user.email=a', 'commit.gpgsign=false', 'core.hooksPath=tools/hooks'];
  const git = (...args: string[]) => run('git', [...settings.flatMap((each) => ['-c', each]), ...args]);
  const commit = (...args: string[]) => git('commit', '--allow-empty', '-m', ...args);
  const check = (cwd?: string) => run(process.execPath, [join(import.meta.dirname, 'commit-subjects.js')], cwd);
  cpSync(import.meta.dirname, join(folder.path, 'tools/hooks'), { recursive: true });
  expect(check()).toBe(0); // without .git, as in a tarball
  git('init', '-b', 'main');
  expect(commit(`${short}\n\n${long}`)).toBe(0);
  git('checkout', '-b', 'other');
  commit('Change something');
  git('checkout', 'main');
  expect(git('merge', '--no-ff', 'other', '-m', `Merge ${long}`)).toBe(0);
  expect(check()).toBe(0);
  const shallow = join(folder.path, 'shallow');
  expect(git('clone', '--depth', '1', `file://${folder.path}`, shallow)).toBe(0);
  expect(check(shallow)).toBe(0);
  expect(commit(long)).toBe(1);
  expect(check()).toBe(0);
  expect(commit(long, '--no-verify')).toBe(0);
  expect(check()).toBe(1);
});

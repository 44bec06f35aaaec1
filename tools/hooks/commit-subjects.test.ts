import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@waybill/sandbox/temporary-folder';
import { expect, test } from 'vitest';

const short = 'x'.repeat(50);
const long = 'x'.repeat(51);

test('commit-subjects.js and the hook accept subjects of 50 characters and merges, and reject longer ones', () => {
  using folder = temporaryFolder('waybill-commits-');
  const cwd = folder.path;
  cpSync(import.meta.dirname, join(cwd, 'tools/hooks'), { recursive: true });
  const git = (...args: string[]): number | null =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', '-c', 'commit.gpgsign=false', ...args], { cwd })
      .status;
  const commit = (...args: string[]) => git('commit', '--allow-empty', '-m', ...args);
  const check = () => spawnSync(process.execPath, ['tools/hooks/commit-subjects.js'], { cwd }).status;
  expect(check()).toBe(0); // without .git, as in a tarball
  git('init', '-b', 'main');
  git('config', 'core.hooksPath', 'tools/hooks');
  expect(commit(`${short}\n\n${long}`)).toBe(0);
  git('checkout', '-b', 'other');
  commit('Change something');
  git('checkout', 'main');
  expect(git('merge', '--no-ff', 'other', '-m', `Merge ${long}`)).toBe(0);
  expect(check()).toBe(0);
  const shallow = join(cwd, 'shallow');
  execFileSync('git', ['clone', '--depth', '1', `file://${cwd}`, shallow], { stdio: 'ignore' });
  mkdirSync(join(shallow, 'tools'));
  cpSync(join(cwd, 'tools'), join(shallow, 'tools'), { recursive: true });
  expect(spawnSync(process.execPath, ['tools/hooks/commit-subjects.js'], { cwd: shallow }).status).toBe(0);
  expect(commit(long)).toBe(1);
  expect(check()).toBe(0);
  expect(commit(long, '--no-verify')).toBe(0);
  expect(check()).toBe(1);
});

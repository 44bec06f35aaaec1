import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { pnpm } from '../fixtures/programs/pnpm.ts';

const cwd = fileURLToPath(new URL('../../', import.meta.url));

test('start installs at most 420 packages', async () => {
  const [, projects = ''] = /const projects = \[(.*)\]/.exec(readFileSync(`${cwd}tools/prepare.js`, 'utf8')) ?? [];
  expect(projects).toContain("'server'");
  const filters = [...projects.matchAll(/'(\w+)'/g)].map(([, name]) => `--filter=@waybill/${name}`);
  const [file = '', ...args] = [...pnpm, '--filter=waybill', ...filters, 'ls', '--prod', '--depth=Infinity'];
  const { stdout } = await promisify(execFile)(file, [...args, '--parseable'], { cwd, maxBuffer: 2 ** 26 });
  const installed = stdout.split('\n').filter((path) => path.includes('node_modules/.pnpm/') && existsSync(path));
  // A link to a folder of packages gives some of them a second path.
  expect(new Set(installed.map((path) => realpathSync(path))).size).toBeLessThanOrEqual(420);
});

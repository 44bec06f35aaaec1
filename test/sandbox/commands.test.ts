import { execFile } from 'node:child_process';
import { cp, type DisposableTempDir, mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeProgram } from '@waybill/server/cli/run';
import { expect } from 'vitest';
import { pnpm } from '../fixtures/programs/pnpm.ts';
import { test as base, perFile } from '../fixtures/test.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const generated = ['node_modules', 'dist', '.git', '.turbo', '.waybill'];

/** A clone in which nothing is installed, on a machine with a Node of its own. */
const test = base.extend<{ $file: { clone: DisposableTempDir } }>({
  clone: perFile(async () => {
    const folder = await mkdtempDisposable(join(tmpdir(), 'waybill-clone-'));
    await cp(root, folder.path, { recursive: true, filter: (path) => !generated.includes(basename(path)) });
    return folder;
  }),
});

const env = { PATH: process.env.PATH?.replaceAll(/[^:]*node_modules[^:]*:?/g, ''), HOME: process.env.HOME };
const run = (cwd: string, args: string[]): Promise<{ stdout: string; stderr: string; code?: number }> =>
  promisify(execFile)(pnpm[0] ?? '', [...pnpm.slice(1), ...args], { cwd, env }).catch((error) => error);

test.for([
  ...['start', 'mock', 'waybill', 'simulate', 'chaos', 'bench', 'build', 'test', 'test:citus', 'release'].map(
    (name) => [`${name} --help`, undefined, 'Usage: '] as const,
  ),
  ['start -- -h', undefined, '--simulate  simulate ten shipments'],
  ['waybill', undefined, 'accounts '],
  ['start --frehs', 2, "Unknown option '--frehs'"],
  ['start fresh', 2, "Unexpected argument 'fresh'"],
  ['simulate --speed', 2, 'argument missing'],
  ['build --fast', 2, "Unknown option '--fast'"],
] as const)('`%s` in a new clone prints the usage and installs nothing', async ([command, code, text], { clone }) => {
  const result = await run(clone.path, command.split(' '));
  const output = result.stdout + result.stderr;
  expect([result.code, output]).toEqual([code, expect.stringContaining('Usage: ')]);
  expect(output).toContain(text);
  expect(await readdir(clone.path)).not.toContain('node_modules');
});

test('the usage of waybill in a new clone has all of its commands', async () => {
  const usage = await readFile(join(root, 'tools/start/waybill.usage.json'), 'utf8');
  const { commands } = makeProgram({ out() {}, err() {} });
  const names = [...usage.matchAll(/^ {2}" {2}(\w+) /gm)].map(([, name]) => name);
  expect(names).toEqual([...commands.map((command) => command.name()), 'help']);
});

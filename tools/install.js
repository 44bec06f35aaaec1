// Installs all packages, and builds the pages. With the argument `start` it installs only the packages that `start` runs,
// unless all of them are installed.
// Plain JavaScript, because it also runs before Node 24 is installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';

const stateFile = 'node_modules/.pnpm-workspace-state-v1.json'; // pnpm writes it at the end of an installation
const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : undefined;
const isCurrent = state?.lastValidatedTimestamp > statSync('pnpm-lock.yaml').mtimeMs;
const hasAll = state?.filteredInstall === false;
const isForStart = process.argv[2] === 'start' && !hasAll;
const projects = ['tools', 'client', 'contract', 'docs', 'http', 'mcp', 'mock', 'pages', 'sandbox', 'server'].map(
  (name) => `@waybill/${name}`,
);

/** @returns the exit code */
async function install() {
  const args = ['install', '--frozen-lockfile'];
  // The lockfile has a checksum of each package. Its other checks are those of an update; the installation of all makes them.
  if (isForStart)
    args.push('--prod', '--trust-lockfile', ...['waybill', ...projects].map((name) => `--filter=${name}`));
  // npx adds the folder of its pnpm to the path.
  const pnpm = process.env.npm_config_user_agent?.startsWith('pnpm/') ? ['pnpm'] : ['npx', '-y', 'pnpm@12'];

  process.stderr.write(`Installing ${isForStart ? 'what start runs' : 'all packages'} …\n`);
  const child = spawn(pnpm[0], [...pnpm.slice(1), ...args, '--reporter=ndjson'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const counts = { resolved: 0, imported: 0 };
  for await (const line of createInterface({ input: child.stderr })) {
    const status = /"name":"pnpm:progress".*"status":"(resolved|imported)"/.exec(line)?.[1];
    if (!status) continue;
    counts[status] += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r${counts.imported} of ${counts.resolved} packages`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const [code] = await exited;
  if (code === 0) return code;
  // Again, for its messages.
  return spawnSync(pnpm[0], [...pnpm.slice(1), ...args], { stdio: 'inherit' }).status ?? 1;
}

const isInstalled = isCurrent && (hasAll || isForStart);
process.exitCode = isInstalled ? 0 : await install();
if (process.exitCode === 0) {
  // The Node of the path, which may have been installed just now.
  const build = ['--import', './tools/start/check-node.js', 'packages/pages/build.ts'];
  process.exitCode = spawnSync('node', build, { stdio: 'inherit' }).status ?? 1;
}
// Only in a clone of its own: a tarball may be inside another repository.
if (!isForStart && existsSync('.git')) spawnSync('git', ['config', 'core.hooksPath', 'tools/hooks']);

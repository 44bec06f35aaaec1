// Loaded before the commands of package.json: prints their help, and installs and builds what they need.
// Plain JavaScript without packages, because it also runs before Node 24 and the packages are installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [, main = '', ...rest] = process.argv;
const args = rest.filter((arg) => arg !== '--'); // pnpm passes the dashes on

/** What each command needs. Those that leave their options to another program have `passesOptions`. */
const commands = {
  'packages/mock/src/main.ts': { packages: 'start' },
  'packages/sandbox/src/simulate/main.ts': { packages: 'start' },
  'tools/lab/bench/main.ts': { packages: 'all', pages: true },
  'tools/lab/chaos/main.ts': { packages: 'all', pages: true },
  'tools/lab/citus/main.ts': { packages: 'all', pages: true },
  'tools/release/build.ts': { packages: 'all' },
  'tools/release/main.ts': { packages: 'all' },
  'tools/start/main.ts': { packages: 'start', pages: true },
  'tools/start/waybill.ts': { packages: 'start', pages: args[0] === 'serve', passesOptions: true },
  'tools/test.ts': { packages: 'all', passesOptions: true },
};

const stateFile = join(root, 'node_modules/.pnpm-workspace-state-v1.json'); // pnpm writes it at the end of an installation
const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : undefined;
const isCurrent = state?.lastValidatedTimestamp > statSync(join(root, 'pnpm-lock.yaml')).mtimeMs;
const hasAll = state?.filteredInstall === false;
const projects = ['tools', 'client', 'contract', 'docs', 'http', 'mcp', 'mock', 'pages', 'sandbox', 'server'].map(
  (name) => `@waybill/${name}`,
);

/** Installs all packages, or only those that `start` runs. @returns the exit code */
async function install(isForStart) {
  const installation = ['install', '--frozen-lockfile'];
  // The lockfile has a checksum of each package. Its other checks are those of an update; the installation of all makes them.
  if (isForStart)
    installation.push('--prod', '--trust-lockfile', ...['waybill', ...projects].map((name) => `--filter=${name}`));
  // npx adds the folder of its pnpm to the path.
  const pnpm = process.env.npm_config_user_agent?.startsWith('pnpm/') ? ['pnpm'] : ['npx', '-y', 'pnpm@12'];

  process.stderr.write(`Installing ${isForStart ? 'what start runs' : 'all packages'} …\n`);
  const child = spawn(pnpm[0], [...pnpm.slice(1), ...installation, '--reporter=ndjson'], {
    cwd: root,
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
  return spawnSync(pnpm[0], [...pnpm.slice(1), ...installation], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/** Prints the usage and ends the process if it is asked for, or if nothing is installed and an option is not in it. */
function handleUsage({ passesOptions }, isInstalled) {
  const text = JSON.parse(readFileSync(main.replace(/\.ts$/, '.usage.json'), 'utf8')).join('\n');
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h');
  const isWaybill = main.endsWith('waybill.ts'); // its commands have help of their own
  if (isWaybill ? !isInstalled && (isHelp || args.length === 0 || args[0] === 'help') : isHelp) {
    console.log(`${text}\n`);
    process.exit(0);
  }
  if (isInstalled || passesOptions) return; // the command checks its options
  const names = [...text.matchAll(/^ {2}--([a-z]+)( <)?/gm)];
  const options = Object.fromEntries(names.map(([, name, value]) => [name, { type: value ? 'string' : 'boolean' }]));
  try {
    parseArgs({ args, options, allowPositionals: /^Usage: .*<\w+> …/.test(text) });
  } catch (error) {
    console.error(`${error.message}\n\n${text}\n`);
    process.exit(2);
  }
}

/** Runs the command again by the Node that is installed. @returns the exit code */
async function runAgain() {
  const child = spawn('node', [...process.execArgv, main, ...rest], {
    stdio: 'inherit',
    env: { ...process.env, WAYBILL_NODE: 'installed' },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

const command = isMainThread && commands[relative(root, main).replaceAll('\\', '/')];
if (command) {
  const isForStart = command.packages === 'start' && !hasAll;
  const isInstalled = isCurrent && (hasAll || isForStart);
  handleUsage(command, isInstalled);
  if (!isInstalled) {
    const code = await install(isForStart);
    if (code !== 0) process.exit(code);
    // Only in a clone of its own: a tarball may be inside another repository.
    if (!isForStart && existsSync(join(root, '.git')))
      spawnSync('git', ['config', 'core.hooksPath', 'tools/hooks'], { cwd: root });
  }
}

const required = 24;
if (Number(process.versions.node.split('.')[0]) < required) {
  if (command && process.env.WAYBILL_NODE !== 'installed') process.exit(await runAgain());
  console.error(
    `Waybill needs Node ${required}, which its installation provides, but this is Node ${process.version}: the installation is incomplete.
Run \`npx -y pnpm@12 install\`, fix the errors that it prints, and start again.`,
  );
  process.exit(1);
}

// Compiled code is stored for the next start, also by the programs that this one starts.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compile');
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);

if (command?.pages) {
  const { status } = spawnSync(process.execPath, [join(root, 'packages/pages/build.ts')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

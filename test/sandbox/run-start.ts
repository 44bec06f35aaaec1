import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exitWithParent } from '@waybill/sandbox/processes/exit-with-parent';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { commandsWithVariable } from '@waybill/sandbox/processes/process-tree';
import { compileCache } from '../fixtures/programs/process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { PATH, HOME } = process.env; // vitest sets more, a BASE_URL of its own among them
const hook = new URL('refuse-builds.js', import.meta.url);
const NODE_OPTIONS = `--import=${hook}`;

export type Start = Awaited<ReturnType<typeof start>>;

/**
 * Runs `npx -y pnpm@12 start` without the package manager, as on a clean clone: nothing is imported from a build.
 * @param byShell whether the child is a shell that runs it
 */
export async function start(dataDir: string, settings: Record<string, string> = {}, byShell = false) {
  const marker = `waybill-start-test-${crypto.randomUUID()}`;
  const DRAIN_MS = '100'; // no load balancer watches
  const env = { ...compileCache, NODE_OPTIONS, PATH, HOME, DRAIN_MS, MARKER: marker, WAYBILL_DATA_DIR: dataDir };
  // What the shell of a developer may have for another server.
  if (!settings.DATABASE_URL) Object.assign(env, { PGSSLMODE: 'require', PGOPTIONS: '-c statement_timeout=1' });
  const PORT = settings.PORT ?? String(await freePort());
  const MOCK_PORT = String(await freePort());
  const command = scripts.start.replace(/^node/, process.execPath);
  const [file = '', ...args] = byShell ? ['sh', '-c', `${command}; true`] : command.split(' ');
  const child = spawn(file, args, { cwd: root, detached: true, env: { ...env, PORT, MOCK_PORT, ...settings } });
  exitWithParent(child, { group: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return {
    /** Leads a process group, as a program in a terminal does. */
    child,
    /** Without the version: `http://localhost:1234`. */
    origin: `http://localhost:${PORT}`,
    output: () => output,
    /** The command lines of everything that runs because of it. */
    processes: () => commandsWithVariable(marker),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        process.kill(-Number(child.pid), 'SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}

/** Runs `npx -y pnpm@12 waybill` without the package manager. It needs no page. */
export function runWaybill(dataDir: string, ...args: string[]) {
  const [, ...command] = scripts.waybill.split(' ');
  const env = { ...compileCache, NODE_OPTIONS: `--import=${hook}?pages`, PATH, HOME, WAYBILL_DATA_DIR: dataDir };
  return promisify(execFile)(process.execPath, [...command, ...args], { cwd: root, env });
}

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isLong } from '../fixtures/long-form.ts';
import { clientsFolder, type RunningClient, startRunner } from './runner.ts';
import { startJava } from './runners/java.ts';
import { startTypescript } from './runners/typescript.ts';

export interface ConformanceClient {
  start: () => Promise<RunningClient>;
  /** Its events have types at run time. */
  hasTypes: boolean;
  /** Why it cannot run on this machine. */
  unavailable?: string | undefined;
  /** Runs programs in a folder, one after the other. Absent for the TypeScript client, whose samples the tests of the docs run. */
  run?: (programs: string[], folder: string, env: Record<string, string>) => Promise<void>;
}

const runners = join(import.meta.dirname, 'runners');

/** The first of these commands that succeeds. */
const working = (...commands: [string, ...string[]][]): string | undefined =>
  commands.find(([program, ...args]) => {
    try {
      return execFileSync(program, args, { stdio: 'ignore' }) === null || true;
    } catch {
      return false;
    }
  })?.[0];

const hasGo = working(['sh', '-c', String.raw`go version | grep -qE 'go1\.(19|[2-9][0-9])'`]);
const inLongForm = 'it must be compiled: npx -y pnpm@12 test:clients';

const python = working(['python3', '-c', 'import httpx'], ['/usr/bin/python3', '-c', 'import httpx']);

const javac = working(['javac', '--release', '17', '--version']);

const writeAll = (programs: string[], folder: string, extension: string) =>
  Promise.all(programs.map((text, n) => writeFile(join(folder, `program${n}.${extension}`), text)));

const isPhp = 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);';
const php = working(['php', '-r', isPhp], ['/usr/bin/php', '-r', isPhp]);

/** Why a client of the long form does not run. */
const unlessLong = (missing: string | undefined) => (isLong ? missing : 'only in test:clients');

export const clients: Record<string, ConformanceClient> = {
  typescript: { start: startTypescript, hasTypes: false },
  python: {
    hasTypes: true,
    unavailable: python ? undefined : 'there is no Python with httpx on this machine; .ci/run installs it',
    start: async () => startRunner(python as string, [join(runners, 'runner.py'), join(clientsFolder, 'python')]),
    run: async (programs, cwd, env) => {
      await writeAll(programs, cwd, 'py');
      const all = 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file, run_name="__main__")';
      const options = { cwd, env: { ...env, PYTHONPATH: join(clientsFolder, 'python') } };
      await promisify(execFile)(python as string, ['-c', all, ...programs.map((_, n) => `program${n}.py`)], options);
    },
  },
  java: {
    hasTypes: true,
    unavailable: !isLong ? 'only in the long form' : javac ? undefined : 'there is no JDK 17 or later on this machine',
    start: startJava,
  },
  php: {
    hasTypes: true,
    unavailable: unlessLong(php ? undefined : 'there is no PHP 8.2 with curl on this machine'),
    start: async () => {
      const folder = join(clientsFolder, 'php');
      for (const file of ['src/client.php', 'src/Waybill.php', 'sample.php'])
        execFileSync(php as string, ['-l', join(folder, file)]);
      return startRunner(php as string, ['-d', 'display_errors=stderr', join(runners, 'runner.php'), folder]);
    },
  },
  go: {
    hasTypes: true,
    unavailable: isLong ? (hasGo ? undefined : 'there is no Go 1.19 or later on this machine') : inLongForm,
    start: startGo,
    run: runGo,
  },
};

/** Runs a command of Go in the module of the client, which the sources import. It downloads nothing. */
const inGo = (...args: string[]) => {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' };
  return promisify(execFile)('go', args, { cwd: join(clientsFolder, 'go'), env });
};

async function startGo(): Promise<RunningClient> {
  await using made = await mkdtempDisposable(join(tmpdir(), 'waybill-go-'));
  const [source, program] = [join(runners, 'runner.go'), join(made.path, 'runner')];
  await inGo('vet', './...');
  await inGo('vet', source);
  await inGo('test', '-timeout', '30s', './...');
  await inGo('build', '-o', program, source);
  return startRunner(program, []);
}

/** Builds one program, whose `main` calls those of all. */
async function runGo(programs: string[], folder: string, env: Record<string, string>): Promise<void> {
  const mains = programs.map((text, n) => text.replace('func main()', `func main${n}()`));
  const calls = programs.map((_, n) => `\tmain${n}()\n`).join('');
  const sources = [...mains, `package main\n\nfunc main() {\n${calls}}\n`];
  await writeAll(sources, folder, 'go');
  const program = join(folder, 'programs');
  await inGo('build', '-o', program, ...sources.map((_, n) => join(folder, `program${n}.go`)));
  await promisify(execFile)(program, { cwd: folder, env });
}

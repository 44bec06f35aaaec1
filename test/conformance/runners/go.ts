import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientsFolder, startRunner } from '../runner.ts';
import { type ConformanceClient, execute, inLongForm, working, writeAll } from './client.ts';

const hasGo = working(['sh', '-c', String.raw`go version | grep -qE 'go1\.(19|[2-9][0-9])'`]);

/** Runs a command of Go in the module of the client, which the sources import. It downloads nothing. */
const inModule = (...args: string[]) =>
  execute('go', args, { cwd: join(clientsFolder, 'go'), env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' } });

export const go: ConformanceClient = {
  hasTypes: true,
  unavailable: inLongForm(hasGo, 'Go 1.19 or later'),
  async start() {
    await using made = await mkdtempDisposable(join(tmpdir(), 'waybill-go-'));
    const [source, program] = [join(import.meta.dirname, 'runner.go'), join(made.path, 'runner')];
    await inModule('vet', './...');
    await inModule('vet', source);
    await inModule('test', '-timeout', '30s', './...');
    await inModule('build', '-o', program, source);
    return startRunner(program, []);
  },
  /** Builds one program, whose `main` calls those of all. */
  async run(programs, folder, env) {
    const mains = programs.map((text, n) => text.replace('func main()', `func main${n}()`));
    const calls = programs.map((_, n) => `\tmain${n}()\n`).join('');
    const files = await writeAll([...mains, `package main\n\nfunc main() {\n${calls}}\n`], folder, 'go');
    const program = join(folder, 'programs');
    await inModule('build', '-o', program, ...files.map((file) => join(folder, file)));
    await execute(program, { cwd: folder, env });
  },
};

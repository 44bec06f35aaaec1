import { glob, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientsFolder, startRunner } from '../runner.ts';
import { type ConformanceClient, execute, inLongForm, working, writeAll } from './client.ts';

const javac = working(['javac', '--release', '17', '--version']);

/** Compiles the client, its sample and others; a warning is an error. @returns the folder of the classes */
async function compile(...others: string[]) {
  const classes = await mkdtempDisposable(join(tmpdir(), 'waybill-java-'));
  const sources = await Array.fromAsync(glob(join(clientsFolder, 'java/**/*.java')));
  await execute('javac', ['--release', '17', '-Xlint:all', '-Werror', '-d', classes.path, ...sources, ...others]);
  return classes;
}

export const java: ConformanceClient = {
  hasTypes: true,
  unavailable: inLongForm(javac, 'JDK 17 or later'),
  async start() {
    const classes = await compile(join(import.meta.dirname, 'Runner.java'));
    const runner = startRunner('java', ['-cp', classes.path, 'Runner']);
    return {
      ask: runner.ask,
      async [Symbol.asyncDispose]() {
        await runner[Symbol.asyncDispose]();
        await classes.remove();
      },
    };
  },
  /** A program is a class, or imports and statements. */
  async run(programs, cwd, env) {
    await using classes = await compile();
    const bodies = programs.filter((text) => !/^class /m.test(text));
    const files = programs.filter((text) => !bodies.includes(text));
    if (bodies.length > 0) files.push(classOf(bodies));
    for (const file of await writeAll(files, cwd, 'java'))
      await execute('java', ['-cp', classes.path, file], { cwd, env });
  },
};

/** One class, whose `main` calls all. */
function classOf(bodies: string[]): string {
  const lines = bodies.flatMap((text) => text.split('\n'));
  const imports = new Set(lines.filter((line) => line.startsWith('import ')));
  const methods = bodies.map((text, n) => {
    const statements = text.split('\n').filter((line) => !line.startsWith('import '));
    return `static void run${n}() throws Exception {\n${statements.join('\n')}\n}`;
  });
  const calls = bodies.map((_, n) => `run${n}();`).join('\n');
  const main = `public static void main(String[] args) throws Exception {\n${calls}\n}`;
  return `${[...imports].join('\n')}\nclass Programs {\n${methods.join('\n')}\n${main}\n}\n`;
}

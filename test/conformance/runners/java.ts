import { execFileSync } from 'node:child_process';
import { glob, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientsFolder, type RunningClient, startRunner } from '../runner.ts';

/** Compiles the client, its sample and the runner; a warning is an error. */
export async function startJava(): Promise<RunningClient> {
  const classes = await mkdtempDisposable(join(tmpdir(), 'waybill-java-'));
  const sources = await Array.fromAsync(glob(join(clientsFolder, 'java/**/*.java')));
  const options = ['--release', '17', '-Xlint:all', '-Werror', '-d', classes.path];
  execFileSync('javac', [...options, ...sources, join(import.meta.dirname, 'Runner.java')], { stdio: 'pipe' });
  const runner = startRunner('java', ['-cp', classes.path, 'Runner']);
  return {
    ask: runner.ask,
    async [Symbol.asyncDispose]() {
      await runner[Symbol.asyncDispose]();
      await classes.remove();
    },
  };
}

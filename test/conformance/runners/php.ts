import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientsFolder, startRunner } from '../runner.ts';
import { type ConformanceClient, execute, inLongForm, working, writeAll } from './client.ts';

const isPhp = 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);';
const program = working(['php', '-r', isPhp], ['/usr/bin/php', '-r', isPhp]) as string;
const folder = join(clientsFolder, 'php');
const strict = ['-d', 'display_errors=stderr'];

export const php: ConformanceClient = {
  hasTypes: true,
  unavailable: inLongForm(program, 'PHP 8.2 with curl'),
  start: async () => startRunner(program, [...strict, join(import.meta.dirname, 'runner.php'), folder]),
  async run(programs, cwd, env) {
    // What Composer writes, and what the sample of the package has beside it.
    for (const file of ['vendor/autoload.php', 'src/Waybill.php']) {
      await mkdir(join(cwd, file, '..'), { recursive: true });
      await writeFile(join(cwd, file), `<?php require_once '${folder}/src/Waybill.php';`);
    }
    for (const file of await writeAll(programs, cwd, 'php')) await execute(program, [...strict, file], { cwd, env });
  },
};

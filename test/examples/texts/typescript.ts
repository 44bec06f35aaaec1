import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Ended, run } from '../../fixtures/process.ts';

const own = new URL('../../', import.meta.url);
const pathOf = (file: string): string => fileURLToPath(new URL(file, own));

/** Checks the types of a program as strictly as Waybill's own code, then runs it with these variables. */
export async function runTypeScript(code: string, env: Record<string, string>): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-text-'));
  try {
    await symlink(pathOf('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'program.ts'), code);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: pathOf('../tsconfig.base.json'), include: ['program.ts'] }),
    );
    const tsc = pathOf('node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [tsc, '--project', folder]).catch((error) =>
      Promise.reject(new Error(error.stdout)),
    );
    return await run(pathToFileURL(join(folder, 'program.ts')), [], env);
  } finally {
    await rm(folder, { recursive: true });
  }
}

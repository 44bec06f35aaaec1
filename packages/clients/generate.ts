import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Amendment } from './amendments/amendment.ts';
import { go } from './amendments/go.ts';
import { java } from './amendments/java.ts';
import { php } from './amendments/php.ts';
import { python } from './amendments/python.ts';

/** Where the generated file of each language stands in the folder of the clients, and what is corrected in it. */
const languages: Record<string, { file: string; target: string; amendments: Amendment[] }> = {
  python: { file: 'client.py', target: 'python/waybill/client.py', amendments: python },
  java: { file: 'Client.java', target: 'java/src/main/java/waybill/Client.java', amendments: java },
  go: { file: 'client.go', target: 'go/client.go', amendments: go },
  php: { file: 'client.php', target: 'php/src/client.php', amendments: php },
};

/**
 * Makes the clients of a contract with `redocly generate-client`, and corrects what `amendments/` names.
 * @param folder gets one file for each language, below `python/`, `java/`, `go/` and `php/`
 * @throws when the generator fails, or an amendment no longer fits what it wrote
 */
export async function generateClients(contract: object, folder: string): Promise<void> {
  await using made = await mkdtempDisposable(join(tmpdir(), 'waybill-clients-'));
  const description = join(made.path, 'openapi.json');
  await writeFile(description, JSON.stringify(contract));
  await copyFile(new URL('redocly.yaml', import.meta.url), join(made.path, 'redocly.yaml'));
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const args = ['generate-client', description, '--config', join(made.path, 'redocly.yaml'), '--go-package', 'waybill'];
  await promisify(execFile)(process.execPath, [redocly, ...args, '--output', join(made.path, 'client.ts')]);
  for (const [language, { file, target, amendments }] of Object.entries(languages)) {
    const generated = await readFile(join(made.path, file), 'utf8');
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await writeFile(
      join(folder, target),
      amendments.reduce((text, each) => amended(text, each, language), generated),
    );
  }
}

function amended(source: string, { why, find, replace }: Amendment, language: string): string {
  if (source.search(find) < 0) throw new Error(`The ${language} client has nothing to amend any more: ${why}`);
  return source.replaceAll(find, replace as string);
}

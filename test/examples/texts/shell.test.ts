import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startMock } from '@waybill/mock';
import { describe, expect, onTestFinished } from 'vitest';
import { prism } from '../../fixtures/prism.ts';
import { type Ended, run } from '../../fixtures/process.ts';
import { test } from '../../fixtures/test.ts';
import { type Block, blocks, root, texts } from './blocks.ts';

const shell = blocks.filter(({ language }) => language === 'sh');
const hasCurl = ({ code }: Block): boolean => code.includes('curl ');

test.for(shell.filter(hasCurl))('the curl calls of $file:$line succeed', async ({ code }, { service, account }) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-text-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // As `start` writes it.
  const demo = JSON.stringify({ api_key: account.key, carrier_api_key: account.key }, null, 2);
  await mkdir(join(folder, '.waybill'));
  await writeFile(join(folder, '.waybill/demo.json'), `${demo}\n`);
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const own = code
    .replaceAll('http://localhost:3000', service.origin)
    .replaceAll('http://localhost:4010', new URL(mock.url).origin);
  const script = `curl() { command curl --fail-with-body "$@"; }\n${own}`;
  const env = { ...process.env, WAYBILL_API_KEY: account.key };
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder, env });
  if (code.includes('/events/stream')) expect(stdout).toMatch(/^retry: \d+\n\n$/);
  else expect(JSON.parse(stdout)).not.toHaveProperty('code');
});

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);

/** Script of the repository or command of a package → its program; null for a script that runs something else. */
const programs: Record<string, URL | null> = Object.fromEntries(
  Object.entries(scripts).map(([name, script]) => {
    const file = /^node (?:--import \S+ |--conditions=\S+ )*(\S+)$/.exec(script)?.[1];
    return [name, file === undefined ? null : new URL(file, root)];
  }),
);
// The command of the server is a script of the repository, too.
const mock = JSON.parse(readFileSync(new URL('packages/mock/package.json', root), 'utf8'));
for (const [name, file] of Object.entries<string>(mock.bin)) {
  const source = file.replace('dist/', 'src/').replace(/js$/, 'ts');
  programs[name] = programs[mock.name] = new URL(`packages/mock/${source}`, root);
}

programs['@stoplight/prism-cli'] = prism;

const helps = new Map<string, Promise<Ended>>();

/** The output of `--help` for a program and its subcommands, which runs once. */
function helpOf(program: URL, subcommands: string[]): Promise<Ended> {
  const key = [program, ...subcommands].join(' ');
  const help = helps.get(key) ?? run(program, [...subcommands, '--help']);
  helps.set(key, help);
  return help;
}

/** The commands of a block, without their preparation, and without what client/package.test.ts runs. */
const commandsIn = ({ code }: Block): string[] =>
  code
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').replace(/^alias \w+='(.+)'$/, '$1'))
    .map((line) => line.replace(/^([A-Z_]+=\S+ )+/, '').replace(/^node dist\/waybill\.js/, 'waybill'))
    .filter((line) => line !== '' && !line.startsWith('export ') && line !== 'npm install @waybill/client');

describe.concurrent('commands in the texts', () => {
  const names = `(?:npx -y )?pnpm(?:@\\d+)?|${Object.keys(programs).join('|')}`;
  const inProse = Object.values(texts).flatMap((text) =>
    [...text.matchAll(new RegExp(`\`((?:${names}) [^\`]+)\``, 'g'))].flatMap(([, command]) => command ?? []),
  );
  const inBlocks = shell.filter((block) => !hasCurl(block)).flatMap(commandsIn);
  const commands = [...new Set([...inBlocks, ...inProse])].flatMap((command) => {
    // `accounts create|list` is two commands.
    const [, before = '', choices = '', after = ''] = /^(.*? )(\S+\|\S+)(.*)$/.exec(command) ?? [];
    return choices ? choices.split('|').map((choice) => before + choice + after) : [command];
  });

  test.each(commands)('the command `%s` exists', async (command) => {
    const [name = '', ...args] = command.replace(/^(npx (-y )?)?(pnpm(@\d+)? )?/, '').split(/\s+/);
    const program = programs[name];
    expect(program, `no package.json has the command ${name}`).toBeDefined();
    if (!program) {
      const takesArguments = scripts[name]?.endsWith(' vitest run'); // filters of test files
      expect(takesArguments ? [] : args, `${name} takes no arguments`).toEqual([]);
      return;
    }
    const firstOption = args.findIndex((arg) => arg.startsWith('-'));
    const { code, stdout, stderr } = await helpOf(program, firstOption < 0 ? args : args.slice(0, firstOption));
    expect(code, stderr).toBe(0);
    const [usage = ''] = stdout.split('\n');
    const isKnown = (arg: string): boolean =>
      arg.startsWith('--') ? stdout.includes(arg) : usage.includes(` ${arg}`) || stdout.includes(`\n  ${arg} `);
    expect(
      args.filter((arg) => /^(--|[a-z]+(?!.*:))/.test(arg) && !isKnown(arg)),
      'its help does not know these',
    ).toEqual([]);
  });
});

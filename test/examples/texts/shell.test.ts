import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startMock } from '@waybill/mock';
import { describe, expect, onTestFinished } from 'vitest';
import { test } from '../../fixtures/test.ts';
import { type Block, blocks, texts } from './blocks.ts';
import { errorIn, scripts } from './commands.ts';

const shell = blocks.filter(({ language }) => language === 'sh');
const callsIt = ({ code }: Block): boolean => code.includes('curl ');

test.for(shell.filter(callsIt))('the curl calls of $file:$line succeed', async ({ code }, { service, account }) => {
  const mock = await startMock();
  onTestFinished(() => mock.close());
  const folder = await mkdtemp(join(tmpdir(), 'waybill-text-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // As `start` writes it.
  const demo = JSON.stringify({ api_key: account.key, carrier_api_key: account.key }, null, 2);
  await mkdir(join(folder, '.waybill'));
  await writeFile(join(folder, '.waybill/demo.json'), `${demo}\n`);
  const script = code
    .replaceAll('http://localhost:3000', service.origin)
    .replaceAll('http://localhost:4010', new URL(mock.url).origin);
  // Each call's response on a line of its own.
  const whole = `set -eu\ncurl() { command curl -w '\\n' "$@"; }\n${script}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', whole], { cwd: folder });
  const responses = stdout.trim().split('\n');
  const problems = responses
    .map((line) => JSON.parse(line))
    .flatMap(({ code, status }) => (code ? [String(status)] : []));
  expect(problems, stdout).toEqual([...script.matchAll(/Prefer: code=(\d+)/g)].map(([, status]) => status));
});

/** The commands of a block, without their preparation. */
const commandsIn = ({ code }: Block): string[] =>
  code
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').replace(/^alias \w+='(.+)'$/, '$1'))
    .filter((line) => line !== '' && !line.startsWith('export '));

const inProse = new RegExp(
  `\`((?:(?:npx -y )?pnpm(?:@\\d+)?|waybill|waybill-mock|${scripts.join('|')}) [^\`]+)\``,
  'g',
);

describe('commands in the texts', () => {
  const named = Object.values(texts).flatMap((text) =>
    [...text.matchAll(inProse)].flatMap(([, command]) => command ?? []),
  );
  const shipment = shell.filter((block) => !callsIt(block)).flatMap(commandsIn);
  const commands = [...new Set([...shipment, ...named])].flatMap((command) => {
    // `accounts create|list` is two commands.
    const [, before = '', choices = '', after = ''] = /^(.*? )(\S+\|\S+)(.*)$/.exec(command) ?? [];
    return choices ? choices.split('|').map((choice) => before + choice + after) : [command];
  });
  test.each(commands)('the command `%s` exists', async (command) => expect(await errorIn(command)).toBeUndefined());
});

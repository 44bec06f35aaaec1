import { parseArgs } from 'node:util';
import { say } from '../quality/readme.ts';
import type { Defect } from './defect.ts';
import { defects } from './list/all.ts';
import { type Scratch, scratchCopy } from './scratch.ts';
import { drift, generate, lint, type Noticed, tests, types } from './suite.ts';

const usage = `Usage: npx -y pnpm@12 test:defects [--list] [<words> …]

Plants small defects, one at a time, in a copy of the repository, and runs the suite until it notices. Ends with a
table, and with exit code 1 when a defect was not noticed. Run it after \`test\`, which builds what it needs.

  <words>   only the defects whose names have one of these in them
  --list    the defects, without running anything
  --help    this text
`;

/** The parts of the suite, in the order of how soon they know. */
const suite = async (path: string): Promise<Noticed> =>
  (await lint(path)) ??
  (await drift(path)) ??
  (await types(path)) ??
  (await tests(path, 'test')) ??
  (await tests(path, 'spec')) ??
  (await tests(path, 'tools'));

/** What notices a defect first; undefined when nothing does. Where it should be noticed is looked at first. */
async function noticed({ path }: Scratch, { file, seenBy }: Defect): Promise<Noticed> {
  // Whoever changes the contract generates; else the drift check would notice each time.
  const early = file.startsWith('spec/') ? ((await lint(path)) ?? (await generate(path))) : await drift(path);
  return early ?? (await types(path)) ?? (await tests(path, 'test', seenBy.split(' '))) ?? suite(path);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

async function run(chosen: Defect[]): Promise<number> {
  await using scratch = await scratchCopy();
  const already = await suite(scratch.path);
  if (already) throw new Error(`The suite is red without any defect; run \`npx -y pnpm@12 test\`. ${already}`);

  console.log('| defect | noticed by | s |\n|---|---|---:|');
  let missed = 0;
  for (const defect of chosen) {
    const begun = performance.now();
    await scratch.plant(defect);
    const by = await noticed(scratch, defect);
    await scratch.restore();
    if (!by) missed++;
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`| ${cell(defect.name)} | ${by ? cell(by) : '**nothing**'} | ${seconds} |`);
  }
  const total = `${chosen.length - missed} of ${chosen.length}`;
  console.log(`\n${total} defects were noticed.`);
  if (chosen.length === defects.length) say('small defects planted, each noticed', total);
  return missed === 0 ? 0 : 1;
}

function read(): { words: string[]; list: boolean; help: boolean } {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const options = {
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  return { words: positionals, list: values.list, help: values.help };
}

try {
  const { words, list, help } = read();
  const chosen = defects.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (help) console.log(usage);
  else if (chosen.length === 0) throw new TypeError(`No defect has ${words.join(' or ')} in its name.`);
  else if (list) for (const { name } of chosen) console.log(name);
  else process.exitCode = await run(chosen);
} catch (error) {
  if (!(error instanceof TypeError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}

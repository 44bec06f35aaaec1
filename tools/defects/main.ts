import { parseArgs } from 'node:util';
import { command, UsageError } from '../command-line.ts';
import { say } from '../quality/readme.ts';
import { stopSignal } from '../start/stop.ts';
import type { Defect } from './defect.ts';
import { defects } from './list/all.ts';
import { scratchCopy } from './scratch.ts';
import { type Noticed, type Suite, suiteIn } from './suite.ts';

const usage = `Usage: npx -y pnpm@12 test:defects [--list] [<words> …]

Plants small defects, one at a time, in a copy of the repository, and runs the suite until it notices. Ends with a
table, and with exit code 1 when a defect was not noticed. Run it after \`test\`, which builds what it needs.

  <words>   only the defects whose names have one of these in them
  --list    the defects, without running anything
  --help    this text
`;

/** All of it, in the order of how soon it knows. */
const everything = async ({ lint, drift, types, tests }: Suite): Promise<Noticed> =>
  (await lint()) ??
  (await drift()) ??
  (await types()) ??
  (await tests('test')) ??
  (await tests('spec')) ??
  (await tests('tools'));

/** What notices a defect first; undefined when nothing does. Where it should be noticed is looked at first. */
async function noticed(suite: Suite, { file, seenBy }: Defect): Promise<Noticed> {
  const { lint, generate, drift, types, tests } = suite;
  // Whoever changes the contract generates; else the drift check would notice each time.
  const early = file.startsWith('spec/') ? ((await lint()) ?? (await generate())) : await drift();
  return early ?? (await types()) ?? (await tests('test', seenBy.split(' '))) ?? everything(suite);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

async function run(chosen: Defect[]): Promise<number> {
  await using scratch = await scratchCopy();
  const suite = suiteIn(scratch.path, signal);
  const already = await everything(suite);
  if (already) throw new Error(`The suite is red without any defect; run \`npx -y pnpm@12 test\`. ${already}`);

  console.log('| defect | noticed by | s |\n|---|---|---:|');
  let missed = 0;
  for (const defect of chosen) {
    const begun = performance.now();
    await scratch.plant(defect);
    const by = await noticed(suite, defect);
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

const signal = stopSignal();
await command(usage, signal, async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const options = {
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values, positionals: words } = parseArgs({ args, options, allowPositionals: true });
  const chosen = defects.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (chosen.length === 0) throw new UsageError(`No defect has ${words.join(' or ')} in its name.`);
  if (!values.list) return run(chosen);
  for (const { name } of chosen) console.log(name);
  return 0;
});

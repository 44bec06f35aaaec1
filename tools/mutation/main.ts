import { mkdir, writeFile } from 'node:fs/promises';
import { command, flag, UsageError } from '@waybill/sandbox/command-line';
import { stopSignal } from '@waybill/sandbox/processes/stop';
import { mutants } from './list/all.ts';
import { type Mutant, problemsOf } from './mutant.ts';
import { scratchCopy } from './scratch.ts';
import { type Check, firstFailure, generate, lint, tests } from './suite.ts';

const usage = `Usage: npx -y pnpm@12 test:mutation [--check] [<text> …]

Applies mutants, one at a time, to a copy of the repository, and runs the tests that each mutant names: one must fail.
Prints a table. Exits with code 1 when a mutant survives or cannot be applied. Run \`test\` first: it builds what the
tests need.

  <text>    only mutants whose name contains one of these texts
  --check   checks that every mutant applies and that its tests exist, without running tests
  --help    prints this text
`;

/** What must find the mutant. */
function checksOf({ folder, killedBy }: Mutant): Check[] {
  if (killedBy === 'lint') return lint;
  return [...(folder === 'spec/' ? [generate] : []), tests(killedBy.split(' '))];
}

/** `quality` reads this folder. */
const measurements = new URL('../../measurements/', import.meta.url);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

async function run(chosen: Mutant[]): Promise<number> {
  await using scratch = await scratchCopy();
  const filters = new Set(chosen.flatMap(({ killedBy }) => killedBy.split(' ')));
  const isLinted = filters.delete('lint');
  const checks = [...(isLinted ? lint : []), ...(filters.size > 0 ? [tests([...filters])] : [])];
  const failure = await firstFailure(scratch.path, checks, signal);
  if (failure) throw new Error(`The tests fail without a mutant. Run \`npx -y pnpm@12 test\`. ${failure}`);

  console.log('| mutant | killed by | s |\n|---|---|---:|');
  let survivors = 0;
  for (const mutant of chosen) {
    const start = performance.now();
    await scratch.apply(mutant);
    const killer = await firstFailure(scratch.path, checksOf(mutant), signal);
    await scratch.restore();
    if (!killer) survivors++;
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`| ${cell(mutant.name)} | ${killer ? cell(killer) : '**survived**'} | ${seconds} |`);
  }
  const killed = `${chosen.length - survivors} of ${chosen.length}`;
  console.log(`\n${killed} mutants killed.`);
  if (chosen.length === mutants.length) {
    await mkdir(measurements, { recursive: true });
    await writeFile(new URL('mutation.json', measurements), JSON.stringify({ 'mutants killed by the tests': killed }));
  }
  return survivors === 0 ? 0 : 1;
}

const signal = stopSignal();
await command({ usage, options: { check: flag }, allowPositionals: true, signal }, async ({ check }, texts) => {
  const chosen = mutants.filter(({ name }) => texts.length === 0 || texts.some((text) => name.includes(text)));
  if (chosen.length === 0) throw new UsageError(`No mutant has ${texts.join(' or ')} in its name.`);
  const problems = await problemsOf(chosen);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log(`${chosen.length} mutants apply.`);
  return check ? 0 : run(chosen);
});

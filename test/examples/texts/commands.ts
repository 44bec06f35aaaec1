import { readFileSync } from 'node:fs';
import manifest from '../../../package.json' with { type: 'json' };
import { run } from '../../fixtures/process.ts';
import { root } from './blocks.ts';

interface Package {
  name: string;
  bin?: Record<string, string>;
}

const packages = ['client', 'mock', 'server'].map((folder): Package & { folder: URL } => {
  const manifest = new URL(`packages/${folder}/package.json`, root);
  return { ...JSON.parse(readFileSync(manifest, 'utf8')), folder: new URL('.', manifest) };
});

/** Commands of the packages: name → program. */
const programs: Record<string, URL> = Object.fromEntries(
  packages.flatMap(({ bin = {}, folder }) => Object.entries(bin).map(([name, file]) => [name, new URL(file, folder)])),
);

/** The scripts that `pnpm` runs. */
export const scripts: string[] = Object.keys(manifest.scripts);

/** The error in a documented command; undefined if the command exists. */
export async function errorIn(command: string): Promise<string | undefined> {
  const [name = '', ...args] = command.replace(/^npx (-y )?/, '').split(/\s+/);
  if (/^pnpm(@\d+)?$/.test(name)) return errorInScript(args);
  if (scripts.includes(name)) return errorInScript([name, ...args]);
  const program = programs[name];
  if (program) return errorInProgram(program, args);
  return `${name} is unknown: add its check to test/examples/texts/commands.ts`;
}

function errorInScript([name = '', ...args]: string[]): Promise<string | undefined> | string | undefined {
  const script: string | undefined = manifest.scripts[name as keyof typeof manifest.scripts];
  if (!script) return `package.json has no script ${name}`;
  const program = /^node (?:--import \S+ )?(\S+)$/.exec(script)?.[1];
  if (program) return errorInProgram(new URL(program, root), args);
  if (script.endsWith(' vitest run')) return undefined; // its arguments are filters of test files
  return args.length > 0 ? `${name} takes no arguments` : undefined;
}

/** Reads the subcommands and options of a program from its help. */
async function errorInProgram(program: URL, args: string[]): Promise<string | undefined> {
  const { code, stdout, stderr } = await run(program, [...args, '--help']);
  if (code !== 0) return stderr;
  const usage = stdout.slice(0, stdout.indexOf('\n'));
  const known = (word: string) => usage.includes(` ${word}`) || stdout.includes(`\n  ${word} `);
  const words = args.filter((arg) => /^[a-z]/.test(arg) && !known(arg));
  const options = args.filter((arg) => arg.startsWith('--')).filter((option) => !stdout.includes(option));
  const unknown = [...words, ...options];
  return unknown.length > 0 ? `its help does not know ${unknown.join(', ')}` : undefined;
}

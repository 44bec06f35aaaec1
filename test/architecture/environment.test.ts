import { expect, test } from 'vitest';
import { environmentOf } from './environment.ts';
import { sourceOf, sourcesIn } from './sources.ts';

const sources = await sourcesIn('packages', 'tools', 'test', 'spec');

/** The files that may have the environment for themselves, and why. */
const exceptions: Record<string, string> = {
  'packages/server/src/config.ts': 'reads every setting of the server',
  'tools/start/main.ts': 'hands it to readSettings as a whole, and refuses options that contradict DATABASE_URL',
  'tools/start/banner.ts': 'the package manager tells there where the user is',
  'tools/start/child.ts': 'gives it on to what it starts',
  'tools/start/docs.ts': 'gives it on to the build, by the package manager that it names',
  'tools/start/programs.ts': 'gives it on to the server',
  'tools/simulate/main.ts': 'hands it to runningService as a whole',
  'tools/mutation/suite.ts': 'gives it on to the suite',
  'tools/postgres/programs.ts': 'gives it on to PostgreSQL',
  'tools/processes/exit-with-parent.test.ts': 'gives PATH and HOME on to a program',
  'tools/postgres/postgres.test.ts': 'puts a program in front of PATH',
  'tools/vitest/global-setup.ts': 'puts the folder of the run in TMPDIR',
  'test/architecture/generated.test.ts': 'gives PATH on to the generator',
  'test/fixtures/process.ts': 'gives the compile cache on to a program',
  'test/start/run.ts': 'gives PATH and HOME on to the start command',
  'test/fixtures/quality.ts': 'is told there to measure',
  'test/connections/mutations.test.ts': 'reads how many connections, and which seed',
  'test/fuzz/fuzz.test.ts': 'is told there how often, and which seed',
  'test/properties/sequences.test.ts': 'is told there how often, and which seed',
};

/** The samples are programs of somebody who has the client. */
const samples = 'packages/docs/samples/';

const readers = new Map(sources.map((source) => [source.path, environmentOf(source)]));

test('nothing but config.ts knows the environment; the command hands it over as a whole', () => {
  const strange = [...readers].filter(([path]) => !(path in exceptions) && !path.startsWith(samples));
  const mend =
    'In packages/ add the variable to the table in packages/server/src/config.ts, and take it from the config; ' +
    'elsewhere let tools/start read it, or name the file in test/architecture/environment.test.ts, with its reason.';
  expect(
    strange.flatMap(([path, uses]) => uses.map((written) => `${path}: ${written}`)),
    mend,
  ).toEqual([]);
});

test('every exception is needed', () => {
  const unused = Object.keys(exceptions).filter((path) => !readers.get(path)?.length);
  expect(unused, 'The file is gone or has nothing to do with the environment any more: take it out.').toEqual([]);
});

const imported = "import { readConfig } from './config.ts';";

test.for([
  ['process.env.PORT', true],
  ["process['env']", true],
  ['process[`env`]', true],
  ['process[name]', true],
  ['process?.env', true],
  ['process!.env', true],
  ['(process as { env: object }).env.PORT', true],
  ['globalThis.process.env', true],
  ["global['process'].env", true],
  ['const { env } = process;', true],
  ['const { process: p } = globalThis;', true],
  ['const { process } = globalThis;', true],
  ['const settings = ({ env } = process) => env;', true],
  ['const p = process; p.env;', true],
  ['use(process)', true],
  ['use({ process })', true],
  ['import.meta.env', true],
  ['const { env } = import.meta;', true],
  ["import { env } from 'node:process';", true],
  ["import process from 'process';", true],
  ["const { env } = await import('node:process');", true],
  [`${imported} readConfig(process.env, []);`, false],
  [`${imported} readConfig(process.env.PORT);`, true],
  [`${imported} readConfig({ ...process.env });`, true],
  ['readConfig(process.env, []);', true],
  ['const readConfig = (env) => env; readConfig(process.env).PORT;', true],
  ["import { readConfig } from './other.ts'; readConfig(process.env);", true],
  ["import { all as readConfig } from './config.ts'; readConfig(process.env);", true],
  ['// process.env', false],
  ["const text = 'process.env';", false],
  ['process.exitCode = 1;', false],
  ['globalThis.process.exit()', false],
  ['child.process.kill()', false],
  ['use({ process: 1 })', false],
  ['import.meta.url', false],
] as const)('the finder sees the environment in `%s`: %s', ([text, isIt]) => {
  expect(environmentOf(sourceOf('packages/server/src/a.ts', text)).length > 0).toBe(isIt);
});

import { disableAccount } from '@waybill/server/auth/administration';
import { type makeProgram, runCommand } from '@waybill/server/cli/run';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { sql } from 'kysely';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { ownDatabase, ownMigratedDatabase } from '../../fixtures/database/own-database.ts';
import { type Ended, type Program, run, startProgram } from '../../fixtures/programs/process.ts';
import { test } from '../../fixtures/test.ts';

const command = new URL(import.meta.resolve('@waybill/server/main'));

type Settings = Record<string, string>;

const withSettings = (url: string, db: Database) => {
  return { url, db, settings: { DATABASE_URL: url, STORAGE_URL: 'file:/nowhere' } };
};

/** A database of one test, with a connection to it and the settings of commands. */
type OwnDatabase = ReturnType<typeof withSettings>;

/** `empty` has no table yet, and `migrated` has all. */
export const testWithDatabase = test.extend<{ empty: OwnDatabase; migrated: OwnDatabase }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  empty: async ({}, use) => {
    await using database = await ownDatabase();
    await using db = openDatabase({ url: database.url, poolSize: 3, prepared: false });
    await use(withSettings(database.url, db));
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
  migrated: async ({}, use) => {
    await using database = await ownMigratedDatabase();
    await use(withSettings(database.url, database.db));
  },
});

/** Runs `waybill` in a process of its own, on the run's database, unless the settings name another. */
export const waybill = (args: string[], settings: Settings = {}): Promise<Ended> =>
  run(command, args, { DATABASE_URL: databaseUrl(), ...settings });

/** The same in this process, for everything but its end. */
export async function runHere(
  args: string[],
  settings: Settings = {},
  ask?: (question: string) => Promise<string>,
): Promise<Ended> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runCommand(args, {
    env: { DATABASE_URL: databaseUrl(), ...settings },
    out: (text) => void stdout.push(text),
    err: (text) => void stderr.push(text),
    ...(ask && { ask }),
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

/** For a service that is left running while the machine is busy. No load balancer watches it, so it drains shortly. */
const patient: Settings = { DATABASE_TIMEOUT_MS: '60000', OVERLOAD_DELAY_MS: '600000', DRAIN_MS: '100' };

/** The same, left running. */
export const startWaybill = (args: string[], settings: Settings = {}, stdout?: number): Program =>
  startProgram(command, args, { DATABASE_URL: databaseUrl(), ...patient, ...settings }, undefined, stdout);

/** The JSON that `--json` printed; throws for any other output. */
export async function json<T>(args: string[], settings?: Settings): Promise<T> {
  const { code, stdout, stderr } = await runHere([...args, '--json'], settings);
  if (code !== 0 || stderr !== '') throw new Error(`waybill ${args.join(' ')}: ${code} ${stderr}`);
  return JSON.parse(stdout);
}

/** Creates an account with the command, and returns its id. */
export const createAccount = async (name: string, settings?: Settings): Promise<string> =>
  (await json<{ account_id: string }>(['accounts', 'create', name], settings)).account_id;

/** Disables an account so long ago that it can be deleted. */
export async function disabledLongAgo(db: Database, accountId: string): Promise<void> {
  await disableAccount(db, accountId);
  await sql`update accounts set disabled_at = now() - interval '1 minute' where account_id = ${accountId}`.execute(db);
}

/** The names of all commands that have no commands of their own, such as `keys create`. */
export function commandsOf({ commands }: ReturnType<typeof makeProgram>, path: string[] = []): string[] {
  return commands.flatMap((command) => {
    const names = [...path, command.name()];
    return command.commands.length > 0 ? commandsOf(command, names) : [names.join(' ')];
  });
}

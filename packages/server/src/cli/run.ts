import { Command, CommanderError } from 'commander';
import { AdministrationError } from '../auth/administration.ts';
import { ConfigError } from '../config.ts';
import { isDatabaseError, isRefusedConnection } from '../database/errors.ts';
import { MigrationError } from '../database/migrate.ts';
import { asProblem } from '../http/problems.ts';
import { accountCommands, keyCommands } from './administration.ts';
import type { Context } from './context.ts';
import { serviceCommands } from './service.ts';

/** Runs a command of `waybill` and returns its exit code. `serve` goes on after that. */
export async function runCommand(args: string[], context: Context): Promise<number> {
  const program = new Command('waybill')
    .description(
      'Runs and administers the Waybill service. Settings come from the environment; `waybill check --help` lists them.',
    )
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({ writeOut: (text) => context.out(text), writeErr: (text) => context.err(text) });
  // Last added is last in the help; each gets exitOverride from the program it is added to.
  serviceCommands(program, context);
  accountCommands(program.command('accounts').description('make, list and disable accounts'), context);
  keyCommands(program.command('keys').description('make, list, rotate and revoke API keys'), context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return context.exitCode ?? 0;
  } catch (error) {
    return report(error, context);
  }
}

/** Says what is wrong in one message; 2 is a mistake in the command line, 1 everything else. */
function report(error: unknown, { err }: Context): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  err(`${messageOf(error)}\n`);
  return 1;
}

function messageOf(error: unknown): string {
  const isExplained =
    error instanceof ConfigError || error instanceof AdministrationError || error instanceof MigrationError;
  if (isExplained) return error.message;
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === '42P01') return 'The database lacks tables. Run `waybill migrate` first.';
  if (isUnreachable(error)) {
    return `The database cannot be reached: ${error.message || ('code' in error ? error.code : error.name)}. Check DATABASE_URL.`;
  }
  if (isDatabaseError(error)) return `PostgreSQL refused: ${error.message}.`;
  return error.stack ?? error.message;
}

/** Whether there was no connection, rather than a statement that PostgreSQL refused. */
function isUnreachable(error: Error): boolean {
  return isDatabaseError(error) ? isRefusedConnection(error) : asProblem(error).code === 'unavailable';
}

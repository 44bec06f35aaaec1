import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { AdministrationError } from '../auth/administration.ts';
import { ConfigError } from '../config.ts';
import { DistributionError } from '../database/distribute.ts';
import { isDatabaseError, isMissingTable } from '../database/errors.ts';
import { MigrationError } from '../database/migrate.ts';
import { isTemporary } from '../http/temporary-errors.ts';
import { addAccountCommands } from './accounts.ts';
import { addAuditCommand } from './audit.ts';
import { addKeyCommands } from './keys.ts';
import type { Context } from './output.ts';
import { addServiceCommands } from './service.ts';

/** Makes the `waybill` command with all of its commands. */
export function makeProgram(context: Context): Command {
  const program = new Command('waybill')
    .description(
      'Runs and administers the Waybill service. Settings are environment variables; `waybill check --help` lists them.',
    )
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({ writeOut: (text) => context.out(text), writeErr: (text) => context.err(text) });
  // The help lists commands in this order. A command inherits exitOverride when it is added.
  addServiceCommands(program, context);
  addAccountCommands(program.command('accounts').description('create, list and disable accounts'), context);
  addKeyCommands(program.command('keys').description('create, list, rotate and revoke API keys'), context);
  addAuditCommand(program, context);
  return program;
}

/** Runs a `waybill` command and returns its exit code. A started service keeps running after that. */
export async function runCommand(args: string[], context: Context): Promise<number> {
  try {
    await makeProgram(context).parseAsync(args, { from: 'user' });
    return context.exitCode ?? 0;
  } catch (error) {
    return reportError(error, context);
  }
}

/** Prints one message and returns the exit code: 2 for an invalid command line, 1 for any other error. */
function reportError(error: unknown, { err }: Context): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  err(`${messageOf(error)}\n`);
  return 1;
}

function messageOf(error: unknown): string {
  const hasClearMessage =
    error instanceof ConfigError ||
    error instanceof AdministrationError ||
    error instanceof MigrationError ||
    error instanceof DistributionError;
  if (hasClearMessage) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (isMissingTable(error)) return 'The database lacks tables. Run `waybill migrate` first.';
  if (isUnreachable(error)) {
    return `The database cannot be reached: ${error.message || ('code' in error ? error.code : error.name)}. Check DATABASE_URL.`;
  }
  if (isDatabaseError(error)) return `PostgreSQL returned an error: ${error.message}.`;
  return error.stack ?? error.message;
}

/** PostgreSQL error codes of a refused connection: the user, the password, the database, or too many connections. */
const connectionRefused = /^(08|28|3D|53300|57P03)/;

/** Whether the connection failed, rather than a statement. */
function isUnreachable(error: Error): boolean {
  if (isDatabaseError(error)) return connectionRefused.test(error.code ?? '');
  return isTemporary(error);
}

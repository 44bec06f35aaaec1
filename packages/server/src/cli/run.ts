import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { AdministrationError } from '../auth/administration.ts';
import { ConfigError } from '../config.ts';
import { isDatabaseError, isMissingTable, isTemporary } from '../database/errors.ts';
import { DistributionError } from '../database/schema/distribute.ts';
import { MigrationError } from '../database/schema/migrate.ts';
import { addAccountCommands } from './accounts.ts';
import { addAuditCommand } from './audit.ts';
import { addKeyCommands } from './keys.ts';
import { addBoardCommand, addLinkCommand } from './links.ts';
import { type Context, visible } from './output.ts';
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
    .configureOutput({ writeOut: (text) => context.out(text), writeErr: (text) => context.err(visible(text)) });
  // The help lists commands in this order. A command inherits exitOverride when it is added.
  addServiceCommands(program, context);
  addAccountCommands(
    program
      .command('accounts')
      .description(
        'create, list, rename, disable, enable and delete accounts, and set what they share and whom drivers call',
      ),
    context,
  );
  addKeyCommands(program.command('keys').description('create, list, rotate and revoke API keys'), context);
  addLinkCommand(program, context);
  addBoardCommand(program, context);
  addAuditCommand(program, context);
  return program;
}

/** Runs a `waybill` command and returns its exit code. A started service keeps running after that. */
export async function runCommand(args: string[], context: Context): Promise<number> {
  const isJson = args.includes('--json');
  // With --json, the error alone is printed, without the usage.
  const ofProgram = isJson ? { ...context, err() {} } : context;
  try {
    await makeProgram(ofProgram).parseAsync(args, { from: 'user' });
    return ofProgram.exitCode ?? 0;
  } catch (error) {
    return reportError(error, context, isJson);
  }
}

/** Prints one message and returns the exit code: 2 for an invalid command line, 1 for any other error. */
function reportError(error: unknown, { err }: Context, isJson: boolean): number {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return 0;
  const { code, message } = isUsage ? usageError(error) : explain(error);
  if (isJson) err(`${visible(JSON.stringify({ error: { code, message } }))}\n`);
  else if (!isUsage) err(`${visible(message)}\n`); // commander has printed the others
  return isUsage ? 2 : 1;
}

/** What went wrong: a code for programs, and a sentence for people. */
interface Explanation {
  code: string;
  message: string;
}

const usageError = ({ message }: CommanderError): Explanation => ({
  code: 'usage',
  message: message.replace(/^error: /, ''),
});

function explain(error: unknown): Explanation {
  if (error instanceof ConfigError) return { code: 'invalid_settings', message: error.message };
  if (error instanceof AdministrationError) return { code: 'refused', message: error.message };
  if (error instanceof MigrationError) return { code: 'migration_failed', message: error.message };
  if (error instanceof DistributionError) return { code: 'distribution_failed', message: error.message };
  if (!(error instanceof Error)) return { code: 'unexpected', message: String(error) };
  if (isMissingTable(error)) {
    return { code: 'not_migrated', message: 'The database lacks tables. Run `waybill migrate` first.' };
  }
  if (isUnreachable(error)) {
    const reason = error.message || ('code' in error ? error.code : error.name);
    return {
      code: 'database_unreachable',
      message: `The database cannot be reached: ${reason}. Check DATABASE_URL.`,
    };
  }
  if (isDatabaseError(error)) {
    return { code: 'database_error', message: `PostgreSQL returned an error: ${error.message}.` };
  }
  return { code: 'unexpected', message: error.stack ?? error.message };
}

/** PostgreSQL error codes of a refused connection: the user, the password, the database, or too many connections. */
const connectionRefused = /^(08|28|3D|53300|57P03)/;

/** Whether the connection failed, rather than a statement. */
function isUnreachable(error: Error): boolean {
  if (isDatabaseError(error)) return connectionRefused.test(error.code ?? '');
  return isTemporary(error);
}

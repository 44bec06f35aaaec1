import type { Command } from 'commander';
import { readConfig, variables } from '../config.ts';
import { migrate, pendingMigrations } from '../database/migrate.ts';
import type { Context } from './context.ts';
import { print, withDatabase } from './output.ts';

/** The commands that run the service itself. */
export function serviceCommands(program: Command, context: Context): void {
  program
    .command('serve')
    .description('run the service until SIGINT or SIGTERM')
    .action(async () => {
      const { serve } = await import('./serve.ts'); // the other commands need not load the service
      await serve(readConfig(context.env, ['DATABASE_URL', 'SIGNING_KEYS']));
    });
  program
    .command('migrate')
    .description('bring the database to the newest schema')
    .option('--json', 'print JSON')
    .action((options) =>
      withDatabase(context, async (db) => {
        const applied = await migrate(db);
        print(
          context,
          options,
          { applied },
          applied.length ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.',
        );
      }),
    );
  program
    .command('check')
    .description('check the settings and the database without starting')
    .option('--json', 'print JSON')
    .addHelpText('after', () => `\nSettings:\n${settings()}`)
    .action((options) => {
      readConfig(context.env, ['DATABASE_URL', 'SIGNING_KEYS']);
      return withDatabase(context, async (db) => {
        const pending = await pendingMigrations(db);
        if (pending.length > 0) context.exitCode = 1;
        print(
          context,
          options,
          { pending },
          pending.length ? `Run \`waybill migrate\`: ${pending.join(', ')} missing.` : 'Ready to serve.',
        );
      });
    });
}

const nameWidth = Math.max(...Object.keys(variables).map(({ length }) => length)) + 2;
const settings = (): string =>
  Object.entries(variables)
    .map(([name, { description, example, default: usual }]) => {
      const note = usual === undefined || usual === '' ? `for example ${example}` : `default ${usual}`;
      return `  ${name.padEnd(nameWidth)}${description} (${note})`;
    })
    .join('\n');

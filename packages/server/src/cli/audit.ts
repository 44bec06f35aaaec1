import type { Command } from 'commander';
import { listAuditLog } from '../auth/administration.ts';
import { countParser, parseTime } from './option-values.ts';
import { type Context, formatTable, print, withDatabase } from './output.ts';

/** Adds `audit`. */
export function addAuditCommand(program: Command, context: Context): void {
  program
    .command('audit')
    .description('list what commands have changed, who ran them and where, newest first')
    .option('--account <account-id>', 'only changes of this account')
    .option('--since <time>', 'only changes since then, such as 2030-01-01T00:00:00Z', parseTime)
    .option('--limit <number>', 'maximum number of changes', countParser(10_000), 100)
    .option('--json', 'print JSON')
    .action((options) =>
      withDatabase(context, async (db) => {
        const found = await listAuditLog(db, options);
        const rows = found.map((row) => ({ ...row, details: JSON.stringify(row.details) }));
        print(context, options, found, formatTable(rows, 'There are no changes.'));
      }),
    );
}

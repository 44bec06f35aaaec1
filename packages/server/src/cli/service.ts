import type { Command } from 'commander';
import { type Kysely, sql } from 'kysely';
import type { Finding } from '../config/finding.ts';
import { readConfig, variables } from '../config.ts';
import { recordAudit } from '../database/audit-log.ts';
import { distribute } from '../database/schema/distribute.ts';
import { migrate } from '../database/schema/migrate.ts';
import { schemaLevel } from '../database/schema/schema-level.ts';
import type { Tables } from '../database/tables.ts';
import { countParser, durationParser } from './option-values.ts';
import { type Context, print, withDatabase } from './output.ts';

/** A tracking number has at most 12 digits of its sequence. */
const maxSkipped = 1_000_000_000;

/** Adds the commands that run and check the service. */
export function addServiceCommands(program: Command, context: Context): void {
  program
    .command('serve')
    .description('run the service until SIGINT or SIGTERM')
    .action(async () => {
      const { serve } = await import('./serve.ts'); // so that the other commands do not load the service
      await serve(readConfig(context.env, ['DATABASE_URL', 'SIGNING_KEYS']));
    });
  program
    .command('migrate')
    .description('apply all pending migrations to the database')
    .option(
      '--wait <duration>',
      'how long to wait for another `waybill migrate` (default: PT1M)',
      durationParser('PT24H'),
    )
    .option('--json', 'print JSON')
    .action((options) =>
      withDatabase(context, async (db) => {
        const applied = await migrate(db, options);
        const { later } = await schemaLevel(db);
        const level = later.length
          ? `The schema is of a later release, which added ${later.join(', ')}.`
          : 'The schema is up to date.';
        print(context, options, { applied, later }, applied.length ? `Applied ${applied.join(', ')}.` : level);
      }),
    );
  program
    .command('restored')
    .description('leave out the tracking numbers that were assigned after a backup; run it once after a restore')
    .option('--skip <number>', 'how many numbers to leave out', countParser(maxSkipped), 1_000_000)
    .option('--json', 'print JSON')
    .action((options) =>
      withDatabase(context, async (db) => {
        const last = await skipNumbers(db, options.skip);
        print(context, options, { skipped: options.skip, last }, `The next tracking numbers are after ${last}.`);
      }),
    );
  program
    .command('distribute')
    .description('distribute the tables over the nodes of a Citus database, also those of new migrations')
    .option('--json', 'print JSON')
    .action((options) =>
      withDatabase(context, async (db) => {
        const { tables } = await import('../features.ts'); // so that the other commands do not load all features
        const distributed = await distribute(db, tables);
        const text = distributed.length ? `Distributed ${distributed.join(', ')}.` : 'All tables are distributed.';
        print(context, options, { distributed }, text);
      }),
    );
  program
    .command('check')
    .description('check everything that the service needs, and print how to fix what is wrong')
    .option('--json', 'print JSON')
    .addHelpText('after', () => `\nSettings:\n${listSettings()}`)
    .action(async (options) => {
      const { runChecks } = await import('../config/checks.ts'); // so that the other commands do not load it
      const findings = await runChecks(context.env);
      const ok = findings.every((finding) => finding.ok);
      if (!ok) context.exitCode = 1;
      print(context, options, { ok, findings }, formatFindings(findings));
    });
}

/**
 * Leaves out numbers after a backup was restored: it does not know those that were assigned after it, and a tracking number
 * is never used twice. Positions of events leave out as many, so that an id of a lost event is not used again either.
 * @returns the last number that is left out
 */
export function skipNumbers(db: Kysely<Tables>, count: number): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await recordAudit(trx, { action: 'restored', details: { skipped: count } }); // first: a sequence is not rolled back
    const { rows } = await sql<{ last: number }>`
      select setval('event_numbers', (select last_value + ${count} from event_numbers)),
        setval('tracking_sequence', (select last_value + ${count} from tracking_sequence)) as last`.execute(trx);
    return String(rows[0]?.last);
  });
}

/** One line for each finding, and a last line that says whether the service can start. */
function formatFindings(findings: Finding[]): string {
  const wrong = findings.filter(({ ok }) => !ok);
  const lines = findings.map(
    ({ name, ok, message, fix }) => `${ok ? '✓' : '✗'} ${name} ${message}.${fix ? ` ${fix}` : ''}`,
  );
  const result = wrong.length === 0 ? 'Everything is ready.' : `${wrong.length} of ${findings.length} checks failed.`;
  return [...lines, '', result].join('\n');
}

const nameWidth = Math.max(...Object.keys(variables).map(({ length }) => length)) + 2;
const listSettings = (): string =>
  Object.entries(variables)
    .map(([name, { description, example, default: byDefault }]) => {
      const note = byDefault === undefined || byDefault === '' ? `for example ${example}` : `default ${byDefault}`;
      return `  ${name.padEnd(nameWidth)}${description} (${note})`;
    })
    .join('\n');

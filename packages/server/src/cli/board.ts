import { dayLength } from '@waybill/contract/duration';
import type { Command } from 'commander';
import { createKey } from '../auth/administration.ts';
import { keyPresets } from '../auth/keys.ts';
import { readConfig } from '../config.ts';
import { maxBoardDays, parseBoardDays } from './option-values.ts';
import { type Context, print, withDatabase } from './output.ts';

/** Adds `board`. */
export function addBoardCommand(program: Command, context: Context): void {
  program
    .command('board <account-id>')
    .description('make a link of the board of an account; it has a key that can only read')
    .option('--days <number>', `for how many days the link is valid, at most ${maxBoardDays}`, parseBoardDays, 30)
    .option('--name <name>', 'purpose of the key', 'board')
    .option('--json', 'print JSON')
    .action((accountId: string, { days, name, ...options }) =>
      withDatabase(context, async (db) => {
        const { BASE_URL } = readConfig(context.env, ['DATABASE_URL']);
        const expiresAt = new Date(Date.now() + days * dayLength);
        const { key, key_id, scopes, expires_at } = await createKey(db, accountId, {
          ...{ name, scopes: keyPresets.board, expiresAt },
        });
        const url = `${new URL(BASE_URL).origin}/board#${key}`;
        const text = [
          url,
          `Everyone who has the link can read all shipments of the account until ${expiresAt.toISOString()}. It cannot be shown again.`,
          `End it with: waybill keys revoke ${accountId} ${key_id}`,
        ].join('\n');
        print(context, options, { url, key_id, scopes, expires_at }, text);
      }),
    );
}

import type { Command } from 'commander';
import { createAccount, disableAccount, listAccounts } from '../auth/administration.ts';
import { type Context, formatTable, print, withDatabase } from './output.ts';

/** Adds `accounts create`, `list` and `disable`. */
export function addAccountCommands(accounts: Command, context: Context): void {
  accounts
    .command('create <name>')
    .description('create an account')
    .option('--json', 'print JSON')
    .action((name: string, options) =>
      withDatabase(context, async (db) => {
        const account = await createAccount(db, name);
        print(context, options, account, `Created account ${account.account_id} (${name}).`);
      }),
    );
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON')
    .action((options) =>
      withDatabase(context, async (db) => {
        const found = await listAccounts(db);
        print(context, options, found, formatTable(found, 'There are no accounts.'));
      }),
    );
  accounts
    .command('disable <account-id>')
    .description(
      'disable an account: its keys stop working and its webhooks are stopped within 5 seconds, its data is retained',
    )
    .option('--json', 'print JSON')
    .action((accountId: string, options) =>
      withDatabase(context, async (db) => {
        await disableAccount(db, accountId);
        print(context, options, { account_id: accountId, disabled: true }, `Disabled account ${accountId}.`);
      }),
    );
}

import type { Command } from 'commander';
import {
  AdministrationError,
  beginDeletion,
  createAccount,
  disableAccount,
  enableAccount,
  listAccounts,
  renameAccount,
  requireAccount,
  setDispatcherPhone,
  setShare,
} from '../auth/administration.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openStorage } from '../storage/open.ts';
import { countParser, parseName, parsePhone } from './option-values.ts';
import { type Context, formatTable, print, visible, withDatabase } from './output.ts';

/** Adds `accounts create`, `list`, `rename`, `share`, `dispatcher`, `disable`, `enable` and `delete`. */
export function addAccountCommands(accounts: Command, context: Context): void {
  accounts
    .command('create')
    .argument('<name>', 'a name that no other account has', parseName)
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
    .command('rename')
    .argument('<account-id>')
    .argument('<name>', 'a name that no other account has', parseName)
    .description('rename an account')
    .option('--json', 'print JSON')
    .action((accountId: string, name: string, options) =>
      withDatabase(context, async (db) => {
        await renameAccount(db, accountId, name);
        print(context, options, { account_id: accountId, name }, `Renamed account ${accountId} to ${name}.`);
      }),
    );
  accounts
    .command('share')
    .argument('<account-id>')
    .argument('<percent>', 'from 1 to 100; 60 for an account without a share', countParser(100))
    .description('set the part of the time of a process that an account may use while other accounts are active')
    .option('--json', 'print JSON')
    .action((accountId: string, share: number, options) =>
      withDatabase(context, async (db) => {
        await setShare(db, accountId, share);
        print(context, options, { account_id: accountId, share }, `Account ${accountId} has a share of ${share} %.`);
      }),
    );
  accounts
    .command('dispatcher')
    .argument('<account-id>')
    .argument('[phone]', 'such as "+1 206 555 0100"; without it, links show none', parsePhone)
    .description('set the phone of the dispatcher, which links of drivers show')
    .option('--json', 'print JSON')
    .action((accountId: string, phone: string | undefined, options) =>
      withDatabase(context, async (db) => {
        await setDispatcherPhone(db, accountId, phone ?? null);
        const text = phone
          ? `Drivers of account ${accountId} call ${phone}.`
          : `Account ${accountId} has no dispatcher.`;
        print(context, options, { account_id: accountId, dispatcher_phone: phone ?? null }, text);
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
  accounts
    .command('enable <account-id>')
    .description('enable a disabled account: its keys and its webhooks work again within 5 seconds')
    .option('--json', 'print JSON')
    .action((accountId: string, options) =>
      withDatabase(context, async (db) => {
        await enableAccount(db, accountId);
        print(context, options, { account_id: accountId, disabled: false }, `Enabled account ${accountId}.`);
      }),
    );
  accounts
    .command('delete <account-id>')
    .description('delete a disabled account with all of its data and files; this cannot be undone')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((accountId: string, options) =>
      withDatabase(context, async (db) => {
        // Without STORAGE_URL the rows would be removed, but not the files.
        const { STORAGE_URL, STORAGE_TIMEOUT_MS } = readConfig(context.env, ['DATABASE_URL', 'STORAGE_URL']);
        if (!options.yes) await confirmDeletion(options.json ? { out: context.out } : context, db, accountId);
        await beginDeletion(db, accountId);
        const { deleteAccount } = await import('../jobs/delete-account.ts');
        const deleted = await deleteAccount(db, await openStorage(STORAGE_URL, STORAGE_TIMEOUT_MS), accountId);
        print(context, options, { account_id: accountId, deleted }, `Deleted account ${accountId} with its data.`);
      }),
    );
}

/** Says what the deletion removes, and asks twice. @throws {AdministrationError} without both answers */
async function confirmDeletion(
  { out, ask }: Pick<Context, 'out' | 'ask'>,
  db: Database,
  accountId: string,
): Promise<void> {
  const { name } = await requireAccount(db, accountId);
  const { contentOf } = await import('../jobs/delete-account.ts'); // so that the other commands do not load all features
  const counts = new Intl.ListFormat('en').format(await contentOf(db, accountId));
  const content =
    `The account ${name} has ${counts}. The deletion removes all of them and cannot be undone. ` +
    'Only the audit log stays.';
  if (!ask) throw new AdministrationError(`${content} Nothing was deleted. Add --yes to delete the account.`);
  out(`${visible(content)}\n`);
  const isConfirmed =
    (await ask('Delete it? (yes/no) ')) === 'yes' && (await ask('Type the name of the account: ')) === name;
  if (!isConfirmed) throw new AdministrationError('Nothing was deleted.');
}

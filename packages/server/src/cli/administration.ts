import { milliseconds } from '@waybill/contract/duration';
import { type Scope, scopes } from '@waybill/contract/scopes';
import { type Command, InvalidArgumentError } from 'commander';
import {
  createAccount,
  createKey,
  disableAccount,
  listAccounts,
  listKeys,
  revokeKey,
  rotateKey,
} from '../auth/administration.ts';
import type { Context } from './context.ts';
import { print, table, withDatabase } from './output.ts';

const known = Object.keys(scopes) as Scope[];

function scopeList(text: string): Scope[] {
  return text.split(',').map((item) => {
    const scope = known.find((name) => name === item.trim());
    if (!scope) throw new InvalidArgumentError(`There is no scope ${item}.`);
    return scope;
  });
}

function futureTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time <= new Date()) {
    throw new InvalidArgumentError('It must be a time in the future, such as 2030-01-01T00:00:00Z.');
  }
  return time;
}

function duration(text: string): number {
  try {
    return milliseconds(text);
  } catch {
    throw new InvalidArgumentError('It must be a duration in hours, minutes and seconds, such as PT24H.');
  }
}

export function accountCommands(accounts: Command, context: Context): void {
  accounts
    .command('create <name>')
    .description('make an account')
    .option('--json', 'print JSON')
    .action((name: string, options) =>
      withDatabase(context, async (db) => {
        const account = await createAccount(db, name);
        print(context, options, account, `Made the account ${account.account_id} (${name}).`);
      }),
    );
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON')
    .action((options) =>
      withDatabase(context, async (db) => {
        const found = await listAccounts(db);
        print(
          context,
          options,
          found,
          table(
            found.map((row) => ({ ...row })),
            'There are no accounts.',
          ),
        );
      }),
    );
  accounts
    .command('disable <account-id>')
    .description('end all keys of an account, within 5 seconds; its data stays')
    .option('--json', 'print JSON')
    .action((accountId: string, options) =>
      withDatabase(context, async (db) => {
        await disableAccount(db, accountId);
        print(context, options, { account_id: accountId, disabled: true }, `Disabled ${accountId}.`);
      }),
    );
}

export function keyCommands(keys: Command, context: Context): void {
  keys
    .command('create <account-id>')
    .description('make a key; its secret is shown this once')
    .requiredOption('--scopes <scopes>', `comma-separated, of ${known.join(', ')}`, scopeList)
    .option('--name <name>', 'what the key is for', '')
    .option('--expires <time>', 'when it stops working, such as 2030-01-01T00:00:00Z', futureTime)
    .option('--json', 'print JSON')
    .action((accountId: string, { expires, ...options }) =>
      withDatabase(context, async (db) => {
        const made = await createKey(db, accountId, { ...options, expiresAt: expires });
        print(context, options, made, `${made.key}\nKeep it now: it cannot be shown again.`);
      }),
    );
  keys
    .command('list <account-id>')
    .description("list an account's keys, without their secrets")
    .option('--json', 'print JSON')
    .action((accountId: string, options) =>
      withDatabase(context, async (db) => {
        const found = await listKeys(db, accountId);
        print(
          context,
          options,
          found,
          table(
            found.map((row) => ({ ...row })),
            'The account has no keys.',
          ),
        );
      }),
    );
  keys
    .command('rotate <account-id> <key-id>')
    .description('make a new key with the scopes and expiry of an old one, which then expires')
    .requiredOption('--overlap <duration>', 'how long the old key still works, such as PT24H or PT0S', duration)
    .option('--expires <time>', 'when the new key stops working (default: when the old key would have)', futureTime)
    .option('--json', 'print JSON')
    .action((accountId: string, keyId: string, { overlap, expires, ...options }) =>
      withDatabase(context, async (db) => {
        const made = await rotateKey(db, accountId, keyId, overlap, { expiresAt: expires });
        const ends = made.expires_at ? `It stops working at ${made.expires_at.toISOString()}.` : 'It does not expire.';
        print(context, options, made, `${made.key}\nKeep it now: it cannot be shown again. ${ends}`);
      }),
    );
  keys
    .command('revoke <account-id> <key-id>')
    .description('end a key, within 5 seconds')
    .option('--json', 'print JSON')
    .action((accountId: string, keyId: string, options) =>
      withDatabase(context, async (db) => {
        await revokeKey(db, accountId, keyId);
        print(context, options, { key_id: keyId, revoked: true }, `Revoked ${keyId}.`);
      }),
    );
}

import { type Scope, scopes } from '@waybill/contract/scopes';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createKey, listKeys, type NewKey, revokeKey, rotateKey } from '../auth/administration.ts';
import { keyPresets } from '../auth/keys.ts';
import { durationParser, parseAccessName, parseFutureTime } from './option-values.ts';
import { type Context, formatTable, print, withDatabase } from './output.ts';

const allScopes = Object.keys(scopes) as Scope[];

function parseScopes(text: string): Scope[] {
  return text.split(',').map((item) => {
    const scope = allScopes.find((name) => name === item.trim());
    if (!scope) throw new InvalidArgumentError(`There is no scope ${item}.`);
    return scope;
  });
}

/** With the time of expiry, because a date alone is its midnight in UTC. */
function shownOnce({ key, expires_at }: NewKey): string {
  const expiry = expires_at ? `It expires at ${expires_at.toISOString()}.` : 'It does not expire.';
  return `${key}\nStore the key now: it cannot be shown again. ${expiry}`;
}

const presets = Object.keys(keyPresets) as (keyof typeof keyPresets)[];
const presetList = presets.map((name) => `${name} (${keyPresets[name].join(', ')})`).join('; ');

/** Adds `keys create`, `list`, `rotate` and `revoke`. */
export function addKeyCommands(keys: Command, context: Context): void {
  keys
    .command('create <account-id>')
    .description('create a key; its secret is shown only once')
    .addOption(new Option('--for <purpose>', `scopes by purpose: ${presetList}`).choices(presets).conflicts('scopes'))
    .option('--scopes <scopes>', `comma-separated scopes: ${allScopes.join(', ')}`, parseScopes)
    .option('--name <name>', 'purpose of the key', parseAccessName, '')
    .option('--expires <time>', 'when the key expires, such as 2030-01-01T00:00:00Z', parseFutureTime)
    .option('--json', 'print JSON')
    .action((accountId: string, { for: preset, expires, ...options }, command: Command) => {
      const scopes = preset ? keyPresets[preset as keyof typeof keyPresets] : options.scopes;
      if (!scopes) command.error("error: give '--for <purpose>' or '--scopes <scopes>'", { exitCode: 2 });
      return withDatabase(context, async (db) => {
        const created = await createKey(db, accountId, { ...options, scopes, expiresAt: expires });
        print(context, options, created, shownOnce(created));
      });
    });
  keys
    .command('list <account-id>')
    .description('list the keys of an account, without their secrets')
    .option('--json', 'print JSON')
    .action((accountId: string, options) =>
      withDatabase(context, async (db) => {
        const found = await listKeys(db, accountId);
        print(context, options, found, formatTable(found, 'The account has no keys.'));
      }),
    );
  keys
    .command('rotate <account-id> <key-id>')
    .description('create a key with the name, scopes and expiry of an old one, which expires after the overlap')
    .requiredOption(
      '--overlap <duration>',
      'how long the old key stays valid, such as PT24H or PT0S',
      durationParser('PT8760H'),
    )
    .option('--expires <time>', 'when the new key expires (default: the expiry of the old key)', parseFutureTime)
    .option('--json', 'print JSON')
    .action((accountId: string, keyId: string, { overlap, expires, ...options }) =>
      withDatabase(context, async (db) => {
        const created = await rotateKey(db, accountId, keyId, overlap, { expiresAt: expires });
        print(context, options, created, shownOnce(created));
      }),
    );
  keys
    .command('revoke <account-id> <key-id>')
    .description('revoke a key: it stops working within 5 seconds')
    .option('--json', 'print JSON')
    .action((accountId: string, keyId: string, options) =>
      withDatabase(context, async (db) => {
        await revokeKey(db, accountId, keyId);
        print(context, options, { key_id: keyId, revoked: true }, `Revoked key ${keyId}.`);
      }),
    );
}

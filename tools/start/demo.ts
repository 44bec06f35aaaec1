import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@waybill/contract/operations';
import { type Scope, scopes } from '@waybill/contract/scopes';
import { type Run, waybill } from './programs.ts';
import { keep } from './secrets.ts';
import type { Settings } from './settings.ts';

/** The demo account, with a key for each of its two parties. */
export interface Account {
  account_id: string;
  api_key: string;
  carrier_api_key: string;
}

/** Who may do what in the demo: the carrier reports, and everything else is the shipper's. */
export const demoScopes: { shipper: Scope[]; carrier: Scope[] } = {
  shipper: all().filter((scope) => scope !== 'tracking:write'),
  carrier: all().filter((scope) => scope.startsWith('tracking:')),
};

export const demoFile = ({ dataDir }: Settings): string => join(dataDir, 'demo.json');

/** Makes a new demo account. */
export async function makeAccount(run: Run): Promise<Account> {
  const { account_id } = JSON.parse(await waybill(run, 'accounts', 'create', 'Demo', '--json'));
  const make = async (name: keyof typeof demoScopes) => {
    const args = ['--scopes', demoScopes[name].join(), '--name', name, '--json'];
    return JSON.parse(await waybill(run, 'keys', 'create', account_id, ...args)).key;
  };
  const [api_key, carrier_api_key] = await Promise.all([make('shipper'), make('carrier')]);
  return { account_id, api_key, carrier_api_key };
}

/** The account of an earlier start; undefined when there is none, or its file is damaged. */
export async function readAccount(settings: Settings): Promise<Account | undefined> {
  try {
    const { account_id, api_key, carrier_api_key } = JSON.parse(await readFile(demoFile(settings), 'utf8'));
    return [account_id, api_key, carrier_api_key].every((it) => typeof it === 'string')
      ? { account_id, api_key, carrier_api_key }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the account where scripts and tests of a running service look for it, with all that they need to reach it. */
export async function keepAccount(settings: Settings, databaseUrl: string, account: Account): Promise<void> {
  const { baseUrl, mockUrl } = settings;
  const content = { base_url: baseUrl, mock_url: mockUrl, database_url: databaseUrl, ...account };
  await keep(demoFile(settings), `${JSON.stringify(content, null, 2)}\n`);
}

/** Whether the service knows both keys. */
export async function isKnown(account: Account, { localUrl, baseUrl }: Settings): Promise<boolean> {
  const path = new URL(baseUrl).pathname + operations.getTracking.path;
  const answers = await Promise.all(
    [account.api_key, account.carrier_api_key].map((key) =>
      fetch(localUrl + path, { headers: { Authorization: `Bearer ${key}` } }),
    ),
  );
  return answers.every(({ status }) => status !== 401);
}

function all(): Scope[] {
  return Object.keys(scopes) as Scope[];
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operationTable } from '@waybill/contract/operations';
import { type Scope, scopes } from '@waybill/contract/scopes';
import { writePrivateFile } from './private-files.ts';
import { type CommandContext, waybill } from './programs.ts';
import type { Settings } from './settings.ts';

/** The demo account, with one key for the shipper and one for the carrier. */
export interface DemoAccount {
  account_id: string;
  api_key: string;
  carrier_api_key: string;
}

const all = Object.keys(scopes) as Scope[];

/** The scopes of the demo keys: only the carrier writes tracking data. */
export const demoScopes: { shipper: Scope[]; carrier: Scope[] } = {
  shipper: all.filter((scope) => scope !== 'tracking:write'),
  carrier: all.filter((scope) => scope.startsWith('tracking:')),
};

export const demoFile = ({ dataDir }: Pick<Settings, 'dataDir'>): string => join(dataDir, 'demo.json');

/** Creates the demo account and its keys. @param existing its id, for new keys of an account that exists */
export async function createDemoAccount(context: CommandContext, existing?: string): Promise<DemoAccount> {
  const { account_id } = existing
    ? { account_id: existing }
    : JSON.parse(await waybill(context, 'accounts', 'create', 'Demo', '--json'));
  const createKey = async (name: keyof typeof demoScopes) => {
    const args = ['--scopes', demoScopes[name].join(), '--name', name, '--json'];
    return JSON.parse(await waybill(context, 'keys', 'create', account_id, ...args)).key;
  };
  const [api_key, carrier_api_key] = await Promise.all([createKey('shipper'), createKey('carrier')]);
  return { account_id, api_key, carrier_api_key };
}

/** The account of an earlier start; undefined when its file is missing or damaged. */
export const readDemoAccount = (settings: Settings): Promise<DemoAccount | undefined> =>
  readFile(demoFile(settings), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);

/** Writes the account, with the URLs of this start, for scripts that use the running service. */
export async function writeDemoFile(settings: Settings, databaseUrl: string, account: DemoAccount): Promise<void> {
  const { baseUrl, mockUrl } = settings;
  const content = { ...account, base_url: baseUrl, mock_url: mockUrl, database_url: databaseUrl };
  await writePrivateFile(demoFile(settings), `${JSON.stringify(content, null, 2)}\n`);
}

/** Whether the running service accepts both keys, and the shipper's for every list. An older key lacks newer scopes. */
export async function keysAreValid(account: DemoAccount, { localUrl, baseUrl }: Settings): Promise<boolean> {
  const { pathname } = new URL(baseUrl);
  const lists = Object.values(operationTable).filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const requests = [
    ...lists.map(({ path }) => ({ path: `${path}?limit=1`, key: account.api_key })),
    { path: operationTable.getTracking.path, key: account.carrier_api_key },
  ];
  const responses = await Promise.all(
    requests.map(({ path, key }) => fetch(localUrl + pathname + path, { headers: { Authorization: `Bearer ${key}` } })),
  );
  return responses.every(({ status }) => status !== 401 && status !== 403);
}

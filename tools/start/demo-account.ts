import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operationTable } from '@waybill/contract/operations';
import { writePrivateFile } from './private-files.ts';
import { type CommandContext, waybill } from './programs.ts';
import type { Settings } from './settings.ts';

/** The demo account, with one key of all scopes and one for the carrier. */
export interface DemoAccount {
  account_id: string;
  api_key: string;
  carrier_api_key: string;
}

export const demoFile = ({ dataDir }: Pick<Settings, 'dataDir'>): string => join(dataDir, 'demo.json');

const json = async (context: CommandContext, ...args: string[]) =>
  JSON.parse(await waybill(context, ...args, '--json'));

/** Creates the demo account, or new keys if it exists. */
export async function createDemoAccount(context: CommandContext): Promise<DemoAccount> {
  const accounts: { account_id: string; name: string }[] = await json(context, 'accounts', 'list');
  const found = accounts.find(({ name }) => name === 'Demo');
  return found ? createKeys(context, found.account_id) : createAccount(context, 'Demo');
}

/** Creates an account with a key of all scopes and one for the carrier. */
export async function createAccount(context: CommandContext, name: string): Promise<DemoAccount> {
  const { account_id } = await json(context, 'accounts', 'create', name);
  return createKeys(context, account_id);
}

async function createKeys(context: CommandContext, account_id: string): Promise<DemoAccount> {
  const createKey = async (purpose: string) =>
    (await json(context, 'keys', 'create', account_id, '--for', purpose, '--name', purpose)).key;
  const [api_key, carrier_api_key] = await Promise.all([createKey('dispatcher'), createKey('carrier')]);
  return { account_id, api_key, carrier_api_key };
}

/** What `start` writes for scripts that use the running service. */
interface DemoFile extends DemoAccount {
  base_url: string;
  mock_url: string;
  database_url: string;
}

/** The file of this start or an earlier one; undefined when it is missing or damaged. */
export const readDemoFile = (settings: Pick<Settings, 'dataDir'>): Promise<DemoFile | undefined> =>
  readFile(demoFile(settings), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);

/** Writes the account, with the URLs of this start. */
export async function writeDemoFile(settings: Settings, databaseUrl: string, account: DemoAccount): Promise<void> {
  const { baseUrl, mockUrl } = settings;
  const content: DemoFile = { ...account, base_url: baseUrl, mock_url: mockUrl, database_url: databaseUrl };
  await writePrivateFile(demoFile(settings), `${JSON.stringify(content, null, 2)}\n`);
}

/** Whether the running service accepts both keys, and the first one for every list and for events. An older key lacks scopes. */
export async function keysAreValid(account: DemoAccount, { localUrl, baseUrl }: Settings): Promise<boolean> {
  const { pathname } = new URL(baseUrl);
  const lists = Object.values(operationTable).filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const requests = [
    ...lists.map(({ path }) => ({ method: 'GET', path: `${path}?limit=1`, key: account.api_key })),
    { ...operationTable.recordTrackingEvent, key: account.api_key },
    { ...operationTable.getTracking, key: account.carrier_api_key },
  ];
  const responses = await Promise.all(
    requests.map(({ method, path, key }) =>
      fetch(localUrl + pathname + path, { method, headers: { Authorization: `Bearer ${key}` } }),
    ),
  );
  return responses.every(({ status }) => status !== 401 && status !== 403);
}

import { operationTable } from '@waybill/contract/operations';
import type { Environment } from '../environment.ts';
import { waybill } from '../service.ts';
import { type Account, createAccount, createKeys } from './account.ts';
import type { Settings } from './settings.ts';

/** Creates the demo account, or new keys if it exists. */
export async function createDemoAccount(env: Environment): Promise<Account> {
  const accounts = await waybill<{ account_id: string; name: string }[]>(env, 'accounts', 'list');
  const found = accounts.find(({ name }) => name === 'Demo');
  const account = await (found ? createKeys(env, found.account_id) : createAccount(env, 'Demo'));
  await waybill(env, 'accounts', 'dispatcher', account.account_id, '+1 206 555 0100');
  return account;
}

/** Whether the running service accepts both keys, and the first one for every list and for events. An older key lacks scopes. */
export async function keysAreValid(
  account: Account,
  { localUrl, baseUrl }: Pick<Settings, 'localUrl' | 'baseUrl'>,
): Promise<boolean> {
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

import type { Environment } from '../environment.ts';
import { waybill } from '../service.ts';

/** An account with a key of all scopes and one for the carrier. */
export interface Account {
  account_id: string;
  api_key: string;
  carrier_api_key: string;
}

/** Creates an account with its keys. */
export async function createAccount(env: Environment, name: string): Promise<Account> {
  const { account_id } = await waybill<{ account_id: string }>(env, 'accounts', 'create', name);
  return createKeys(env, account_id);
}

/** Creates the keys of an account. */
export async function createKeys(env: Environment, account_id: string): Promise<Account> {
  const createKey = async (purpose: string): Promise<string> =>
    (await waybill<{ key: string }>(env, 'keys', 'create', account_id, '--for', purpose, '--name', purpose)).key;
  const [api_key, carrier_api_key] = await Promise.all([createKey('dispatcher'), createKey('carrier')]);
  return { account_id, api_key, carrier_api_key };
}

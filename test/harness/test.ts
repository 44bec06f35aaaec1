import { type Client, createClient } from '@waybill/client';
import { type Scope, scopes } from '@waybill/contract/scopes';
import { createAccount, createKey } from '@waybill/server/auth/administration';
import { test as base } from 'vitest';
import { type Service, startService } from './service.ts';

export const allScopes = Object.keys(scopes) as Scope[];

/** A fresh account, so that tests share a database without seeing each other. */
export interface TestAccount {
  id: string;
  /** A key with all scopes. */
  key: string;
  client: Client;
  /** A key with only these scopes. */
  keyWith(scopes: Scope[]): Promise<string>;
}

export async function newAccount({ db, baseUrl }: Pick<Service, 'db' | 'baseUrl'>): Promise<TestAccount> {
  const { account_id: id } = await createAccount(db, 'test');
  const keyWith = async (scopes: Scope[]): Promise<string> => (await createKey(db, id, { name: 'test', scopes })).key;
  const key = await keyWith(allScopes);
  return { id, key, client: createClient({ baseUrl, apiKey: key }), keyWith };
}

/** `service` is shared by a file's tests, `account` is each test's own. */
export const test = base.extend<{ $file: { service: Service }; $test: { account: TestAccount } }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      await using service = await startService();
      await use(service);
    },
    { scope: 'file' },
  ],
  account: async ({ service }, use) => use(await newAccount(service)),
});

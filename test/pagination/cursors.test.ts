import { expect } from 'vitest';
import { longLists } from '../contract-coverage/scenarios.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract.ts';
import { receive, send } from '../fixtures/http.ts';
import { disabledEndpoint } from '../fixtures/requests.ts';
import type { Service } from '../fixtures/service.ts';
import { type TestAccount, test } from '../fixtures/test.ts';

const lists = contractOperations.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));

/** Path values of which every list has two entries. */
async function newLists(account: TestAccount): Promise<Record<string, string>> {
  const path = await disabledEndpoint(account);
  for (let count = 0; count < 2; count++) await account.client.sendTestWebhook(path);
  return { ...path, ...(await longLists(account)) };
}

async function page(
  { baseUrl }: Service,
  { key }: TestAccount,
  list: ContractOperation,
  path: Record<string, string>,
  query: string,
) {
  const { status, code, body } = await receive(await send(baseUrl, list, { key, path, query }));
  return { status, code, cursor: (body as { next_cursor?: string }).next_cursor };
}

test.for(lists)('$id refuses cursors of other lists, and changed ones', async (list, { service, account }) => {
  const [path, others] = [await newLists(account), await newLists(account)];
  const { cursor = '' } = await page(service, account, list, path, 'limit=1');
  const foreign = await Promise.all(
    lists
      .filter((other) => other !== list)
      .map(async (other) => (await page(service, account, other, path, 'limit=1')).cursor),
  );
  if (list.path.includes('{')) foreign.push((await page(service, account, list, others, 'limit=1')).cursor);
  const first = cursor.startsWith('A') ? 'B' : 'A';
  expect(foreign.length).toBeGreaterThan(1);
  for (const wrong of [...foreign, first + cursor.slice(1), cursor.slice(0, -4), `${cursor}AAAA`]) {
    expect(await page(service, account, list, path, `cursor=${wrong}`)).toMatchObject({
      status: 400,
      code: 'cursor_mismatch',
    });
  }
  expect(await page(service, account, list, path, `cursor=${cursor}`)).toMatchObject({ status: 200 });
});

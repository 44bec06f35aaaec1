import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import postman from 'openapi-to-postmanv2';
import { expect } from 'vitest';
import { contractOperations } from '../../fixtures/contract.ts';
import { receive, send } from '../../fixtures/http.ts';
import { ready } from '../../fixtures/requests.ts';
import { test } from '../../fixtures/test.ts';

interface Value {
  key: string;
  value: string;
}
interface Item {
  item?: Item[];
  request?: { method: string; url: { path: string[]; query: Value[] }; header: Value[] };
}

const contract = readFileSync(fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json')), 'utf8');

/** The requests of the collection that Postman makes of the contract. */
async function importedRequests(): Promise<NonNullable<Item['request']>[]> {
  const options = { parametersResolution: 'Example' } as const;
  const { output } = await new Promise<{ output: { data: Item }[] }>((resolve, reject) =>
    postman.convertV2({ type: 'string', data: contract }, options, (error, result) =>
      error ? reject(error) : resolve(result as never),
    ),
  );
  const requestsIn = ({ item = [], request }: Item): NonNullable<Item['request']>[] =>
    request ? [request] : item.flatMap(requestsIn);
  return output.flatMap(({ data }) => requestsIn(data));
}

/** Postman makes up values where the contract has none. */
const isOfContract = ({ value }: Value): boolean => contract.includes(JSON.stringify(value));

test('every request that Postman imports succeeds with the values that it has filled in', async ({
  service,
  account,
}) => {
  const requests = await importedRequests();
  const sent: string[] = [];
  for (const { method, url, header } of requests) {
    const path = `/${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`;
    const operation = contractOperations.find((each) => each.method === method && each.path === path);
    if (!operation) throw new Error(`${method} ${path} is not in the contract`);
    const query = new URLSearchParams(
      url.query.filter(isOfContract).map(({ key, value }): [string, string] => [key, value]),
    );
    const headers = Object.fromEntries(
      header
        .filter(({ key }) => !/^(Accept|Content-Type)$/.test(key))
        .filter(isOfContract)
        .map(({ key, value }) => [key, value]),
    );
    for (const attempt of ['once', 'twice']) {
      const request = { ...(await ready(operation.id, account)), query: `${query}`, headers };
      const { key } = account;
      if (operation.id === 'streamEvents') continue; // it does not end
      const { status, headers: received } = await receive(
        await send(service.baseUrl, operation, operation.scope === null ? request : { ...request, key }),
      );
      expect(status, `${operation.id} ${query} ${JSON.stringify(headers)} ${attempt}`).toBeLessThan(300);
      expect(received.get('idempotent-replayed') ?? 'false', operation.id).toBe('false');
    }
    sent.push(operation.id);
  }
  expect(sent.sort()).toEqual(contractOperations.map(({ id }) => id).sort());
});

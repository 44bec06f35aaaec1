import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import postman from 'openapi-to-postmanv2';
import { expect } from 'vitest';
import { contractOperations } from '../../fixtures/contract.ts';
import { receive, send } from '../../fixtures/http.ts';
import { isLong } from '../../fixtures/long-form.ts';
import { ready } from '../../fixtures/requests.ts';
import { test } from '../../fixtures/test.ts';

interface Item {
  item?: Item[];
  request?: { method: string; url: { path: string[]; query: Value[] }; header: Value[] };
}
type Value = { key: string; value: string };

const contract = readFileSync(fileURLToPath(import.meta.resolve('@waybill/contract/openapi.json')), 'utf8');

/** The requests of the collection that Postman makes of the contract. */
async function importedRequests(): Promise<NonNullable<Item['request']>[]> {
  const { promise, resolve } = Promise.withResolvers<{ output: { data: Item }[] }>();
  const options = { parametersResolution: 'Example' } as const;
  postman.convertV2({ type: 'string', data: contract }, options, (_error, result) => resolve(result as never));
  const requestsIn = ({ item = [], request }: Item): NonNullable<Item['request']>[] =>
    request ? [request] : item.flatMap(requestsIn);
  return (await promise).output.flatMap(({ data }) => requestsIn(data));
}

/** Without those that Postman makes up where the contract has none. */
const ofContract = (values: Value[]): Record<string, string> =>
  Object.fromEntries(
    values.flatMap(({ key, value }) => (contract.includes(JSON.stringify(value)) ? [[key, value]] : [])),
  );

test.runIf(isLong)(
  'each request that Postman imports succeeds with its values, and again',
  async ({ service, account }) => {
    const sent: string[] = [];
    for (const { method, url, header } of await importedRequests()) {
      const path = `/${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`;
      const operation = contractOperations.find((each) => each.method === method && each.path === path);
      if (!operation) throw new Error(`${method} ${path} is not in the contract`);
      sent.push(operation.id);
      const query = `${new URLSearchParams(ofContract(url.query))}`;
      const headers = ofContract(header.filter(({ key }) => !/^(Accept|Content-Type)$/.test(key)));
      const key = operation.scope === null ? undefined : account.key;
      for (const attempt of operation.id === 'streamEvents' ? [] : ['once', 'twice']) {
        const request = { ...(await ready(operation.id, account)), key, query, headers };
        const { status, headers: received } = await receive(await send(service.baseUrl, operation, request));
        expect(status, `${operation.id} ${query} ${JSON.stringify(headers)} ${attempt}`).toBeLessThan(300);
        expect(received.has('idempotent-replayed'), operation.id).toBe(false);
      }
    }
    expect(sent.sort()).toEqual(contractOperations.map(({ id }) => id).sort());
  },
);

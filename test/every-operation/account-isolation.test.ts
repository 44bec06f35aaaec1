import { statuses } from '@waybill/contract/lifecycle';
import { describe, expect } from 'vitest';
import { contractOperations, pathOf } from '../fixtures/contract.ts';
import { type Problem, problemOf, send } from '../fixtures/http.ts';
import { queuedDelivery, ready } from '../fixtures/requests.ts';
import { newShipment, type Shipment, type Status, shipmentIn } from '../fixtures/shipments.ts';
import { test as base, newAccount } from '../fixtures/test.ts';

const withPath = contractOperations.filter(({ scope, parameters }) => scope && parameters.some((p) => p.in === 'path'));

/** `shipments` are one of each status, of another account. */
const test = base.extend<{ $file: { shipments: Shipment[] } }>({
  shipments: [
    async ({ service }, use) => {
      const other = await newAccount(service);
      await use(await Promise.all(Object.keys(statuses).map((status) => shipmentIn(other, status as Status))));
    },
    { scope: 'file' },
  ],
});

/** A problem without what the request has sent itself. */
function withoutSent({ request_id: _, instance: __, detail, ...problem }: Problem, path: string): object {
  const sent = path.split('/').find((part) => detail.includes(`\`${part}\``));
  return { ...problem, detail: sent ? detail.replace(sent, 'sent') : detail };
}

describe.each(withPath)('$id', (operation) => {
  test(`${operation.id} returns the same 404 for others' shipments as for nonexistent ones`, async ({
    service,
    shipments,
  }) => {
    const { key } = await newAccount(service); // later than the other account, so that its id is greater
    const problemFor = async (shipment_id: string, tracking_number: string) => {
      const path = { shipment_id, tracking_number };
      const response = await send(service.baseUrl, operation, { key, path });
      return withoutSent(await problemOf(response), pathOf(operation, path));
    };
    const nonexistent = await problemFor('ship_01kjpx8p02fabr24pa3eywnyp2', 'FRT-1999-000001');
    expect(nonexistent).toMatchObject({ status: 404, code: 'not_found' });
    for (const [index, { id, tracking_number }] of shipments.entries()) {
      expect(await problemFor(id, tracking_number), Object.keys(statuses)[index]).toEqual(nonexistent);
    }
  });
});

test.for(withPath.filter(({ path }) => path.startsWith('/webhook_endpoints')))(
  '$id returns the same 404 for a webhook endpoint of another account as for a nonexistent one',
  async (operation, { service, account }) => {
    const path = await queuedDelivery(await newAccount(service));
    const problemFor = async (path: Record<string, string>) => {
      const { body } = await ready(operation.id, account);
      const response = await send(service.baseUrl, operation, { key: account.key, path, body });
      return withoutSent(await problemOf(response), pathOf(operation, path));
    };
    const nonexistent = await problemFor({});
    expect(nonexistent).toMatchObject({ status: 404, code: 'not_found' });
    expect(await problemFor(path)).toEqual(nonexistent);
  },
);

test('listShipments returns only the account’s own shipments', async ({ service, account }) => {
  const own = await newShipment(account);
  await newShipment(await newAccount(service));
  const { data } = await account.client.listShipments();
  expect(data.map(({ id }) => id)).toEqual([own.id]);
});

test('concurrent reads of two accounts return 200 for their own and 404 for the other’s shipments', async ({
  service,
  account,
}) => {
  const other = await newAccount(service);
  const [mine, theirs] = [await newShipment(account), await newShipment(other)];
  const requests = [mine, theirs].flatMap(({ id, tracking_number }) =>
    [account, other].flatMap(({ key }) => {
      const headers = { authorization: `Bearer ${key}` };
      return [
        fetch(`${service.baseUrl}/tracking/${tracking_number}`, { headers }),
        fetch(`${service.baseUrl}/shipments/${id}`, { headers }),
      ];
    }),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 404, 404, 404, 404, 200, 200]);
});

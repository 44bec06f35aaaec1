import { expect } from 'vitest';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';

// contract-coverage sends every operation the path values of another account.
test('listShipments returns only the account’s own shipments', async ({ service, account }) => {
  const own = await newShipment(account);
  await newShipment(await newAccount(service));
  const { data } = await account.client.listShipments();
  expect(data.map(({ id }) => id)).toEqual([own.id]);
});

test('concurrent reads of two accounts return 404 for each other’s shipments', async ({ service, account }) => {
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

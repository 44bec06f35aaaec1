import { createClient } from '@waybill/client';
import { expect } from 'vitest';
import { operationIds, operationOf } from '../../fixtures/contract.ts';
import { receive, send } from '../../fixtures/http.ts';
import { needsCitus } from '../../fixtures/needs-citus.ts';
import { testWithOwnService as test } from '../../fixtures/own-database.ts';
import { ready } from '../../fixtures/requests.ts';
import { accountsOnTwoWorkers, setPort } from './workers.ts';

test('while a worker of Citus is stopped, every operation succeeds for the accounts on others', async ({ service }) => {
  needsCitus();
  const { lost, healthy, worker } = await accountsOnTwoWorkers(service);
  const port = await setPort(service.db, worker, 1);
  await expect(lost.client.listShipments({}, { maxRetries: 0 })).rejects.toMatchObject({ status: 503 });
  const client = createClient({ baseUrl: service.baseUrl, apiKey: healthy.key, maxRetries: 0 });
  const failed: Record<string, string | number> = {};
  for (const id of operationIds) {
    // A request that prepares the state may fail, too.
    const prepared = await ready(id, { client }).catch((error: unknown) => String(error));
    if (typeof prepared === 'string') failed[id] = prepared;
    else {
      const { status } = await receive(await send(service.baseUrl, operationOf(id), { key: healthy.key, ...prepared }));
      if (status >= 300) failed[id] = status;
    }
  }
  await setPort(service.db, worker, port);
  expect(failed).toEqual({});
  expect((await lost.client.listShipments()).data).toEqual([]);
});

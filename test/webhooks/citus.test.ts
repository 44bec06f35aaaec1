import { expect, test } from 'vitest';
import { accountsOnTwoWorkers, setPort } from '../citus/workers.ts';
import { needsCitus } from '../fixtures/needs-citus.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { allDelivered, createEndpoint, on } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

test('while a worker of Citus is stopped, the webhooks of accounts on others are sent', async () => {
  notWithCluster('it starts the instances itself');
  needsCitus();
  await using database = await ownMigratedDatabase();
  const { db } = database;
  await using receiver = await startReceiver();
  await using first = await startService({ DATABASE_URL: database.url });
  const { lost, healthy: account, worker } = await accountsOnTwoWorkers({ db, baseUrl: first.baseUrl });

  const { path: lostPath } = await createEndpoint(lost, receiver.url);
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(lost);
  await newShipment(account);
  await allDelivered(lost, lostPath, 1);
  await allDelivered(account, path, 1);

  const port = await setPort(db, worker, 1);
  await expect(lost.client.sendTestWebhook(lostPath, { maxRetries: 0 })).rejects.toMatchObject({
    status: 503,
  });
  await newShipment(account);
  await allDelivered(account, path, 2);
  const { path: added } = await createEndpoint(account, receiver.url);
  await account.client.sendTestWebhook(added);
  await allDelivered(account, added, 1);
  await account.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  await newShipment(account);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await allDelivered(account, path, 3);

  // An instance that starts meanwhile finds the endpoints of the others.
  await using second = await startService({ DATABASE_URL: database.url });
  await first[Symbol.asyncDispose]();
  await newShipment(on(second, account));
  await allDelivered(on(second, account), path, 4);

  await setPort(db, worker, port);
  await newShipment(on(second, lost));
  await allDelivered(on(second, lost), lostPath, 2);
});

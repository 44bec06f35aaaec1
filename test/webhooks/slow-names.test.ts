import { Resolver } from 'node:dns/promises';
import { vi } from 'vitest';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { startService } from '../fixtures/service.ts';
import { newAccount, test } from '../fixtures/test.ts';

test('a webhook URL whose name is looked up occupies no connection to PostgreSQL', async () => {
  notWithCluster('it replaces the resolver of the service');
  await using service = await startService({ DATABASE_POOL_SIZE: '1' });
  const account = await newAccount(service);
  await account.client.listShipments(); // its key is cached
  const lookedUp = Promise.withResolvers<void>();
  vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(() => {
    lookedUp.resolve();
    return new Promise(() => {});
  });
  vi.useFakeTimers({ toFake: ['setTimeout'] }); // the look-up does not end by its time limit
  try {
    const creation = account.client.createWebhookEndpoint({ url: 'https://slow.example.com/hook' });
    await lookedUp.promise;
    await newAccount(service).then(({ client }) => client.listShipments());
    vi.advanceTimersByTime(1000); // the time limit
    await creation;
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});

import { disableAccount } from '@waybill/server/auth/administration';
import { freePort } from '@waybill/tools/free-port';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { startWaybill } from '../cli/run.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { signingKey, startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { createEndpoint, deliveries, eventOf, on, received } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

/** The instances that send for endpoints now. Those of other tests do not, because each test has a database of its own. */
const senders = async ({ db }: Awaited<ReturnType<typeof ownMigratedDatabase>>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct worker_id)::integer as count from webhook_leases where expires_at > now()`.execute(db);
  return rows[0]?.count ?? 0;
};

test('two instances share the endpoints, and each event is sent once to each endpoint', async () => {
  notWithCluster('it starts two instances itself');
  await using database = await ownMigratedDatabase();
  await using receiver = await startReceiver();
  await using first = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(first);
  const endpoints = 16;
  for (let count = 0; count < endpoints; count++) await createEndpoint(account, `${receiver.url}/${count}`);
  await vi.waitFor(async () => expect(await senders(database)).toBe(1), waitTimeout);
  await using _second = await startService({ DATABASE_URL: database.url });
  await vi.waitFor(async () => expect(await senders(database)).toBe(2), waitTimeout);
  const shipments = [await newShipment(account), await newShipment(account), await newShipment(account)];
  const total = shipments.length * endpoints;
  await vi.waitFor(async () => {
    const { rows } = await sql`select status, attempts from webhook_deliveries`.execute(database.db);
    expect(rows).toEqual(Array(total).fill({ status: 'delivered', attempts: 1 }));
  }, waitTimeout);
  const sent = new Set(receiver.received.map(({ url, headers }) => `${url} ${headers['webhook-id']}`));
  expect([sent.size, receiver.received.length]).toEqual([total, total]);
});

test('after an instance was killed, another one repeats its attempt with the same event id', async () => {
  notWithCluster('it kills an instance');
  await using database = await ownMigratedDatabase();
  await using receiver = await startReceiver((response, _webhook, count) => {
    if (count > 1) response.writeHead(204).end(); // the first attempt gets no response
  });
  const PORT = String(await freePort());
  const settings = { DATABASE_URL: database.url, SIGNING_KEYS: signingKey, WEBHOOK_ALLOW_LOOPBACK: 'true' };
  await using first = startWaybill(['serve'], { ...settings, PORT });
  await first.waitForOutput(/listening at/);
  const account = await newAccount({ db: database.db, baseUrl: `http://127.0.0.1:${PORT}/v1` });
  const { path } = await createEndpoint(account, receiver.url);
  await newShipment(account);
  await received(receiver, 1);
  first.signal('SIGKILL');
  await first.ended;
  // Its lease and its last report have expired.
  await sql`update webhook_leases set expires_at = now()`.execute(database.db);
  await sql`update webhook_workers set seen_at = now() - interval '1 minute'`.execute(database.db);
  await using second = await startService({ DATABASE_URL: database.url });
  await received(receiver, 2);
  const [lost, repeated] = receiver.received.map(eventOf);
  expect(repeated).toEqual(lost);
  await deliveries(on(second, account), path, ([only]) => only?.status === 'delivered' && only.attempts === 1);
});

test('an instance that stops lets its attempt end, and leaves its endpoints to another one at once', async () => {
  notWithCluster('it stops one instance');
  await using database = await ownMigratedDatabase();
  const attempt = Promise.withResolvers<() => void>();
  await using receiver = await startReceiver((response, _webhook, count) => {
    const respond = () => void response.writeHead(204).end();
    if (count === 1) attempt.resolve(respond);
    else respond();
  });
  const first = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(first);
  await createEndpoint(account, receiver.url);
  await newShipment(account);
  const respond = await attempt.promise;
  const stopped = first[Symbol.asyncDispose]();
  respond();
  await stopped;
  const { rows } = await sql`select status from webhook_deliveries`.execute(database.db);
  expect([rows, await senders(database)]).toEqual([[{ status: 'delivered' }], 0]);
  await using second = await startService({ DATABASE_URL: database.url });
  await newShipment(on(second, account));
  await received(receiver, 2);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test('the endpoints of a disabled account get no webhooks', async () => {
  notWithCluster('it reads the leases of its own instance');
  await using database = await ownMigratedDatabase();
  await using receiver = await startReceiver((response) => response.writeHead(500).end());
  await using service = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(service);
  await createEndpoint(account, receiver.url);
  await newShipment(account);
  await received(receiver, 1);
  await disableAccount(database.db, account.id);
  await vi.waitFor(async () => expect(await senders(database)).toBe(0), waitTimeout);
});

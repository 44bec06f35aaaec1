import { randomUUID } from 'node:crypto';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { disableAccount } from '@waybill/server/auth/administration';
import { openDatabase } from '@waybill/server/database/database';
import type { DatabaseObserver } from '@waybill/server/database/driver';
import type { AttemptOutcome } from '@waybill/server/webhooks/send';
import type { SocketLimits } from '@waybill/server/webhooks/socket-limits';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { hold } from '../fixtures/locks.ts';
import { needsCitus } from '../fixtures/needs-citus.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { disabledEndpoint } from '../fixtures/requests.ts';
import { signingKey, startService } from '../fixtures/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { test as base, newAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { accountsOnTwoWorkers, setPort } from '../operate/citus/workers.ts';
import { startWaybill } from '../operate/cli/run.ts';
import { allDelivered, createEndpoint, deliveries, eventOf, insertEndpoint, on, received } from './endpoints.ts';
import { startHoldingReceiver, startReceiver } from './receiver.ts';
import { looked, startWorkers, success } from './workers.ts';

/** They run together, because each waits for times of its own instances. */
const test = base.concurrent;

/** The instances that send for endpoints now. Those of other tests do not, because each test has a database of its own. */
const senders = async ({ db }: Awaited<ReturnType<typeof ownMigratedDatabase>>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct instance_id)::integer as count from webhook_leases where expires_at > now()`.execute(db);
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

test('an instance that stops lets its attempt end, and leaves its endpoints to another one at once', async () => {
  notWithCluster('it stops one instance');
  await using database = await ownMigratedDatabase();
  await using receiver = await startHoldingReceiver(1);
  const first = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(first);
  await createEndpoint(account, receiver.url);
  await newShipment(account);
  const response = await receiver.held;
  const stopped = first[Symbol.asyncDispose]();
  response.writeHead(204).end();
  await stopped;
  const { rows } = await sql`select status from webhook_deliveries`.execute(database.db);
  expect([rows, await senders(database)]).toEqual([[{ status: 'delivered' }], 0]);
  await using second = await startService({ DATABASE_URL: database.url });
  await newShipment(on(second, account));
  await received(receiver, 2);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

/** A database in which an endpoint has so many deliveries that are due, and no instance runs. */
async function databaseWithDue(deliveries: number) {
  await using created = new AsyncDisposableStack();
  const database = created.use(await ownMigratedDatabase());
  const service = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(service);
  const path = await disabledEndpoint(account);
  for (let count = 0; count < deliveries; count++) await account.client.sendTestWebhook(path);
  await account.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await service[Symbol.asyncDispose]();
  await sql`update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = '2020-01-01Z'
    where account_id = ${account.id}`.execute(database.db);
  const all = created.move();
  return { ...database, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test.for([
  ['although an attempt does not, and records the other one', 2000, 'pending'],
  ['with the last attempt, and records the other one before', 60_000, 'delivered'],
] as const)('a stop ends %s', async ([, stopTimeout, lastStatus]) => {
  notWithCluster('it starts the workers itself');
  await using database = await databaseWithDue(2);
  const attempts = [Promise.withResolvers<AttemptOutcome>(), Promise.withResolvers<AttemptOutcome>()];
  const allSent = Promise.withResolvers<void>();
  let count = 0;
  const send = async () => {
    const attempt = attempts[count++]?.promise ?? expect.unreachable();
    if (count === attempts.length) allSent.resolve();
    return attempt;
  };
  const sockets: SocketLimits = {
    async enter(_accountId, _url, stopping) {
      stopping.addEventListener('abort', () => attempts[1]?.resolve(success));
      return () => {};
    },
  };
  const statuses = async () => {
    const { rows } = await sql<{ status: string }>`select status from webhook_deliveries order by status`.execute(
      database.db,
    );
    return rows.map(({ status }) => status);
  };
  const workers = startWorkers(database.url, send, { sockets, stopTimeout });
  await allSent.promise;
  const closed = workers[Symbol.asyncDispose]();
  await vi.waitFor(async () => expect(await statuses()).toEqual(['delivered', 'pending']), waitTimeout);
  if (lastStatus === 'delivered') attempts[0]?.resolve(success);
  await closed;
  expect([await statuses(), await senders(database)]).toEqual([['delivered', lastStatus], 0]);
});

test('a stop leaves an endpoint at once while an attempt of another one runs', async () => {
  notWithCluster('it starts the workers itself');
  await using database = await databaseWithDue(1);
  const idle = randomUUID();
  await insertEndpoint(database.db, { accountId: randomUUID(), endpointId: idle });
  const [sent, response] = [Promise.withResolvers<void>(), Promise.withResolvers<AttemptOutcome>()];
  const send = () => {
    sent.resolve();
    return response.promise;
  };
  const workers = startWorkers(database.url, send, { stopTimeout: 60_000 });
  const left = async () => {
    const { rows } = await sql<{ id: string }>`select endpoint_id as id from webhook_leases`.execute(database.db);
    return [rows.length, rows.some(({ id }) => id === idle)];
  };
  await sent.promise;
  await vi.waitFor(async () => expect(await left()).toEqual([2, true]), waitTimeout);
  const closed = workers[Symbol.asyncDispose]();
  await vi.waitFor(async () => expect(await left()).toEqual([1, false]), waitTimeout);
  response.resolve(success);
  await closed;
  expect(await left()).toEqual([0, false]);
});

test('a stop waits for the attempts of an endpoint that the instance leaves already', async () => {
  notWithCluster('it starts the workers itself');
  await using database = await databaseWithDue(1);
  const [sent, leaving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const response = Promise.withResolvers<AttemptOutcome>();
  const sockets: SocketLimits = {
    async enter(_accountId, _url, stopping) {
      stopping.addEventListener('abort', () => leaving.resolve());
      sent.resolve();
      return () => {};
    },
  };
  const workers = startWorkers(database.url, () => response.promise, { sockets, stopTimeout: 60_000 });
  await sent.promise;
  await sql`update accounts set disabled_at = now()`.execute(database.db);
  await leaving.promise;
  const closed = workers[Symbol.asyncDispose]();
  const instances = async () => (await sql`select from instances`.execute(database.db)).rows.length;
  await vi.waitFor(async () => expect(await instances()).toBe(0), waitTimeout);
  for (let count = 0; count < 20; count++) await instances(); // time for a stop that does not wait
  response.resolve(success);
  await closed;
  const { rows } = await sql`select status from webhook_deliveries`.execute(database.db);
  expect([rows, await senders(database)]).toEqual([[{ status: 'delivered' }], 0]);
});

test('a stop ends the workers at once, also while another transaction holds up the search for unlisted endpoints', async () => {
  notWithCluster('it starts the workers itself');
  await using database = await databaseWithDue(1);
  await using db = openDatabase({ url: database.url, poolSize: 2, prepared: false });
  await using search = await hold(db, sql`lock table enabled_webhook_endpoints in share mode`);
  const [attempted, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const warnings: unknown[] = [];
  const sockets: SocketLimits = {
    enter(_accountId, _url, stopping) {
      attempted.resolve();
      stopping.addEventListener('abort', () => stopped.resolve());
      return new Promise((resolve) => stopping.addEventListener('abort', () => resolve(undefined)));
    },
  };
  const warn = (logged: unknown) => void warnings.push(logged);
  const workers = startWorkers(database.url, () => expect.unreachable(), { sockets, warn });
  await attempted.promise;
  await search.waiting(1);
  const closed = workers[Symbol.asyncDispose]();
  await stopped.promise;
  expect(warnings).toEqual([]); // neither the search nor the stop has reached its time limit
  await search.release();
  await closed;
});

test('endpoints that nothing happens to need no statement of their own, from the start to the stop', async () => {
  notWithCluster('it starts the workers itself');
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const endpoints = 300;
  await sql`insert into accounts select gen_random_uuid(), 'idle', now() from generate_series(1, ${endpoints}::integer)`.execute(
    db,
  );
  await sql`
    insert into webhook_endpoints (account_id, id, slot, url, description, types, status, updated_at, event_number, secret)
    select account_id, gen_random_uuid(), 0, '', '', '{}', 'enabled', now(), 0, '' from accounts`.execute(db);
  let statements = 0;
  const observer: DatabaseObserver = {
    startStatement() {
      statements++;
      return () => {};
    },
    callerOf: () => undefined,
    runBatch: (_name, _callers, run) => run(),
  };
  const workers = startWorkers(database.url, () => expect.unreachable(), { observer });
  const leases = async () =>
    (await sql`select xmin::text, * from webhook_leases order by endpoint_id`.execute(db)).rows;
  await vi.waitFor(async () => expect(await leases()).toHaveLength(endpoints), waitTimeout);
  const taken = await leases();
  await looked(db, 5);
  expect(await leases()).toEqual(taken); // no report renews each
  await workers[Symbol.asyncDispose]();
  expect([await leases(), (await sql`select from instances`.execute(db)).rows]).toEqual([[], []]);
  expect(statements).toBeLessThan(endpoints / 2);
});

test('a delivery is sent for which no one has woken the worker', async () => {
  notWithCluster('it starts the workers itself');
  await using database = await databaseWithDue(1);
  const { db } = database;
  await sql`update webhook_deliveries set next_attempt_at = null, status = 'delivered'`.execute(db);
  const sent = Promise.withResolvers<void>();
  await using _workers = startWorkers(database.url, async () => {
    sent.resolve();
    return success;
  });
  await vi.waitFor(async () => expect(await senders(database)).toBe(1), waitTimeout);
  await sql`update webhook_deliveries set next_attempt_at = now(), status = 'pending'`.execute(db);
  await sent.promise;
});

test('an instance that was paused for longer than its lease changes nothing that another one has done', async () => {
  notWithCluster('it pauses an instance');
  await using database = await ownMigratedDatabase();
  await using receiver = await startHoldingReceiver(1);
  const PORT = String(await freePort());
  const settings = { DATABASE_URL: database.url, SIGNING_KEYS: signingKey, WEBHOOK_ALLOW_LOOPBACK: 'true' };
  // PostgreSQL soon ends a transaction in which it is paused.
  await using paused = startWaybill(['serve'], { ...settings, PORT, DATABASE_TIMEOUT_MS: '2000' });
  await paused.waitForOutput(/listening at/);
  const account = await newAccount({ db: database.db, baseUrl: `http://127.0.0.1:${PORT}/v1` });
  const { path } = await createEndpoint(account, receiver.url);
  await shipmentIn(account, 'dispatched');
  const response = await receiver.held;
  await deliveries(account, path, (all) => all.length === 2);
  paused.signal('SIGSTOP');
  await using second = await startService({ DATABASE_URL: database.url });
  const caller = on(second, account);
  const areDelivered = (all: { status: string; attempts: number }[]): boolean =>
    all.length > 1 && all.every(({ status, attempts }) => status === 'delivered' && attempts === 1);
  await deliveries(caller, path, areDelivered);
  paused.signal('SIGCONT');
  response.writeHead(500).end();
  // It reports again only after it has handled what arrived while it was paused.
  await vi.waitFor(async () => {
    const { rows } = await sql`select from instances where seen_at > now() - interval '10 seconds'`.execute(
      database.db,
    );
    expect(rows).toHaveLength(2);
  }, waitTimeout);
  await shipmentIn(caller, 'dispatched');
  await deliveries(caller, path, (all) => all.length === 4 && areDelivered(all));
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size, ids[1]]).toEqual([5, 4, ids[0]]); // only the unfinished one is repeated
  const types = receiver.received.slice(1).map((webhook) => eventOf(webhook).type);
  expect(types.slice(0, 2)).toEqual(['shipment.created', 'tracking.status_reached']);
});

test('the endpoints of a disabled account get no webhooks', async () => {
  notWithCluster('it reads the leases of its own instance');
  await using database = await ownMigratedDatabase();
  await using receiver = await startReceiver(500);
  await using service = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(service);
  await createEndpoint(account, receiver.url);
  await newShipment(account);
  await received(receiver, 1);
  await disableAccount(database.db, account.id);
  await vi.waitFor(async () => expect(await senders(database)).toBe(0), waitTimeout);
});

test('an instance sends the events of an enabled endpoint that is not listed', async () => {
  notWithCluster('it starts the instances itself');
  await using database = await ownMigratedDatabase();
  await using receiver = await startReceiver();
  const first = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(first);
  const { path } = await createEndpoint(account, receiver.url);
  await first[Symbol.asyncDispose]();
  await sql`delete from enabled_webhook_endpoints`.execute(database.db);
  await using second = await startService({ DATABASE_URL: database.url });
  const caller = on(second, account);
  await newShipment(caller);
  await deliveries(caller, path, ([only]) => only?.status === 'delivered');
});

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

test('an instance takes an endpoint that was created before a report that failed', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const warn = vi.fn();
  await using _workers = startWorkers(database.url, () => expect.unreachable(), { warn });
  await looked(db, 2);
  await sql`alter table instances add constraint no_report check (seen_at < '2000-01-01') not valid`.execute(db);
  const endpoint = { accountId: randomUUID(), endpointId: randomUUID() };
  await insertEndpoint(db, endpoint);
  await sql`insert into enabled_webhook_endpoints (account_id, endpoint_id, version)
    values (${endpoint.accountId}, ${endpoint.endpointId}, gen_random_uuid())`.execute(db);
  warn.mockClear();
  await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThan(1), waitTimeout);
  await sql`alter table instances drop constraint no_report`.execute(db);
  await looked(db, 3);
  expect((await sql`select from webhook_leases`.execute(db)).rows).toHaveLength(1);
});

test('a stop removes the leases of instances that were killed', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  await sql`insert into webhook_leases (endpoint_id, instance_id, expires_at)
    values (${randomUUID()}, ${randomUUID()}, 'infinity')`.execute(db);
  {
    await using _workers = startWorkers(database.url, () => expect.unreachable());
    await looked(db, 1);
  }
  expect((await sql`select from webhook_leases`.execute(db)).rows).toHaveLength(0);
});

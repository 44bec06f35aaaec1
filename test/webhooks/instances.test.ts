import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { freePort } from '@waybill/sandbox/processes/free-port';
import { disableAccount } from '@waybill/server/auth/administration';
import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { secretBox } from '@waybill/server/database/secret-box';
import type { AttemptOutcome } from '@waybill/server/webhooks/attempts/send';
import { socketLimits } from '@waybill/server/webhooks/attempts/socket-limits';
import { type StatementSlots, statementSlots } from '@waybill/server/webhooks/queue/statement-slots';
import { type Assignment, EndpointWorker } from '@waybill/server/webhooks/workers/endpoint-worker';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, vi } from 'vitest';
import { hold } from '../fixtures/database/locks.ts';
import { needsCitus } from '../fixtures/database/needs-citus.ts';
import { ownMigratedDatabase } from '../fixtures/database/own-database.ts';
import { isLong } from '../fixtures/long-form.ts';
import { concurrently } from '../fixtures/requests/concurrently.ts';
import { notWithCluster } from '../fixtures/service/not-with-cluster.ts';
import { signingKey, startService } from '../fixtures/service/service.ts';
import { newShipment, shipmentIn } from '../fixtures/shipments.ts';
import { test as base, newAccount, type TestAccount } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { accountsOnTwoWorkers, setPort } from '../operate/citus/workers.ts';
import { runHere, startWaybill } from '../operate/cli/run-waybill.ts';
import {
  allDelivered,
  createEndpoint,
  deliveries,
  insertDeliveries,
  insertEndpoint,
  on,
  received,
} from './endpoint-state.ts';
import { startHoldingReceiver, startReceiver } from './receiver.ts';
import { countRows, looked, startWorkers, success } from './workers.ts';

/** They run together, because each waits for times of its own instances. */
const test = base.concurrent;

/** Waits until so many instances send for endpoints. Those of other tests do not: each test has a database of its own. */
const senders = (db: Database, expected: number): Promise<void> =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select count(distinct instance_id)::integer as count from webhook_leases where expires_at > now()`.execute(db);
    expect(rows).toEqual([{ count: expected }]);
  }, waitTimeout);

test('two instances share the endpoints and send each event once, also while one of them stops', async () => {
  notWithCluster('it starts two instances itself');
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const held: ServerResponse[] = [];
  let isHolding = false;
  await using receiver = await startReceiver((response) => {
    if (isHolding) held.push(response);
    else response.writeHead(204).end();
  });
  const first = await startService({ DATABASE_URL: database.url });
  const account = await newAccount(first);
  const endpoints = 16;
  for (let count = 0; count < endpoints; count++) await createEndpoint(account, `${receiver.url}/${count}`);
  await senders(db, 1);
  await sql`delete from enabled_webhook_endpoints`.execute(db); // an instance that starts lists them again
  await using second = await startService({ DATABASE_URL: database.url });
  await senders(db, 2);
  const areDelivered = (events: number): Promise<void> =>
    vi.waitFor(async () => {
      const { rows } = await sql`select status, attempts from webhook_deliveries`.execute(db);
      expect(rows).toEqual(Array(events * endpoints).fill({ status: 'delivered', attempts: 1 }));
    }, waitTimeout);
  await concurrently(3, () => newShipment(account));
  await areDelivered(3);

  isHolding = true;
  await newShipment(account);
  await vi.waitFor(() => expect(held).toHaveLength(endpoints), waitTimeout);
  const stopped = first[Symbol.asyncDispose]();
  isHolding = false;
  for (const response of held) response.writeHead(204).end();
  await stopped;
  await areDelivered(4);
  await newShipment(on(second, account));
  await areDelivered(5);
  const sent = new Set(receiver.received.map(({ url, headers }) => `${url} ${headers['webhook-id']}`));
  expect([sent.size, receiver.received.length]).toEqual([5 * endpoints, 5 * endpoints]);

  await disableAccount(db, account.id);
  await senders(db, 0);
});

/** A database in which an endpoint has so many due deliveries, and no instance runs. */
async function databaseWithDue(count: number) {
  const database = await ownMigratedDatabase();
  const endpoint = await insertEndpoint(database.db);
  await insertDeliveries(endpoint, [1, count]).execute(database.db);
  return database;
}

const longStops = [
  ['although an attempt does not', 2000, 'pending', false],
  ['with the last attempt', 60_000, 'delivered', false],
] as const;

test.for([
  ...(isLong ? longStops : []),
  ['with the last attempt of an endpoint that the instance leaves already', 60_000, 'delivered', true],
] as const)('a stop ends %s, and leaves idle endpoints before', async ([, stopTimeout, lastStatus, isDisabled]) => {
  notWithCluster('it starts the workers itself');
  await using database = await databaseWithDue(2);
  const { db, url } = database;
  const [last, other] = [Promise.withResolvers<AttemptOutcome>(), Promise.withResolvers<AttemptOutcome>()];
  const send = vi.fn().mockReturnValueOnce(last.promise).mockReturnValueOnce(other.promise);
  const enter = async (_accountId: string, _url: string, stopping: AbortSignal) => {
    stopping.addEventListener('abort', () => other.resolve(success));
    return () => {};
  };
  const haveStatuses = (...expected: string[]): Promise<void> =>
    vi.waitFor(async () => {
      const { rows } = await sql`select status from webhook_deliveries order by status`.execute(db);
      expect(rows).toEqual(expected.map((status) => ({ status })));
    }, waitTimeout);
  const workers = startWorkers(url, send, { sockets: { enter }, stopTimeout });
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2), waitTimeout);
  if (isDisabled) {
    await sql`update accounts set disabled_at = now()`.execute(db);
    await haveStatuses('delivered', 'pending');
  }
  await insertEndpoint(db);
  await vi.waitFor(async () => expect(await countRows(db, 'webhook_leases')).toBe(2), waitTimeout);
  const closed = workers[Symbol.asyncDispose]();
  await haveStatuses('delivered', 'pending');
  await vi.waitFor(async () => expect(await countRows(db, 'instances')).toBe(0), waitTimeout);
  for (let count = 0; count < 20; count++) expect(await countRows(db, 'webhook_leases')).toBeLessThan(2);
  if (lastStatus === 'delivered') last.resolve(success);
  await closed;
  await haveStatuses('delivered', lastStatus);
  expect(await countRows(db, 'webhook_leases')).toBe(0);
});

base.runIf(isLong)(
  'a stop ends the workers at once, also while another transaction holds up the search for unlisted endpoints',
  async () => {
    notWithCluster('it starts the workers itself');
    await using database = await databaseWithDue(1);
    await using db = openDatabase({ url: database.url, poolSize: 2, prepared: false });
    await using search = await hold(db, sql`lock table enabled_webhook_endpoints in share mode`);
    const [attempted, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    const enter = (_accountId: string, _url: string, stopping: AbortSignal) => {
      attempted.resolve();
      stopping.addEventListener('abort', () => stopped.resolve(undefined));
      return stopped.promise;
    };
    const warn = vi.fn();
    const workers = startWorkers(database.url, () => expect.unreachable(), { sockets: { enter }, warn });
    await attempted.promise;
    await search.waiting(1);
    const closed = workers[Symbol.asyncDispose]();
    await stopped.promise;
    expect(warn).not.toHaveBeenCalled(); // neither the search nor the stop has reached its time limit
    await search.release();
    await closed;
  },
);

base.runIf(isLong)(
  'an instance sends deliveries without a wake, and takes endpoints and removes leases that others left',
  async () => {
    await using database = await databaseWithDue(1);
    const { db } = database;
    await sql`update webhook_deliveries set next_attempt_at = null, status = 'delivered'`.execute(db);
    await sql`insert into webhook_leases (endpoint_id, instance_id, expires_at)
    values (${randomUUID()}, ${randomUUID()}, 'infinity')`.execute(db); // of an instance that was killed
    const [send, warn] = [vi.fn(async () => success), vi.fn()];
    {
      await using _workers = startWorkers(database.url, send, { warn });
      await looked(db, 2);
      await sql`alter table instances add constraint no_report check (seen_at < '2000-01-01') not valid`.execute(db);
      await insertEndpoint(db); // the next report fails
      warn.mockClear();
      await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThan(1), waitTimeout);
      await sql`alter table instances drop constraint no_report`.execute(db);
      await sql`update webhook_deliveries set next_attempt_at = now(), status = 'pending'`.execute(db);
      await vi.waitFor(async () => {
        expect([await countRows(db, 'webhook_leases'), send.mock.calls.length]).toEqual([3, 1]);
      }, waitTimeout);
    }
    expect(await countRows(db, 'webhook_leases')).toBe(0);
  },
);

base.runIf(isLong)('an instance that was paused changes nothing that another one has done', async () => {
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
  await allDelivered(caller, path, 2);
  paused.signal('SIGCONT');
  response.writeHead(500).end();
  // It reports again only after it has handled what arrived while it was paused.
  await vi.waitFor(async () => {
    const recent = sql`select from instances where seen_at > now() - interval '10 seconds'`;
    expect((await recent.execute(database.db)).rows).toHaveLength(2);
  }, waitTimeout);
  await shipmentIn(caller, 'dispatched');
  const all = await allDelivered(caller, path, 4);
  expect(all.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  const [created, reached, ...later] = all.toReversed().map(({ event }) => event.id);
  expect(ids.slice(0, 3)).toEqual([created, created, reached]); // only the unfinished one is repeated
  expect(ids.slice(3)).toEqual(later);
});

/** A worker of an endpoint without deliveries that are due. */
const workerOf = (db: Database, endpoint: Omit<Assignment, 'mayStartAttempt'>, slots: StatementSlots) =>
  new EndpointWorker(
    { ...endpoint, mayStartAttempt: () => true },
    {
      ...{ db, log: { error() {}, warn() {}, info() {} }, notify() {}, secrets: secretBox([signingKey]) },
      ...{ sender: { send: () => expect.unreachable(), close() {} }, sockets: socketLimits(), statementSlots: slots },
    },
  );

base.runIf(isLong)('an instance whose leases have ended sends nothing until it has taken them again', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const { accountId } = await insertEndpoint(db);
  await using _workers = startWorkers(database.url, async () => success);
  await vi.waitFor(async () => expect(await countRows(db, 'webhook_leases')).toBe(1), waitTimeout);
  // Another instance has taken it, while this one was paused.
  await sql`update webhook_leases set instance_id = gen_random_uuid(), expires_at = 'tomorrow'`.execute(db);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 30_000);
  onTestFinished(() => clock.mockRestore());
  await looked(db, 2);
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${accountId}, 2, now(), 'shipment.cancelled', ${randomUUID()}, '{}')`.execute(db);
  await looked(db, 3);
  expect(await countRows(db, 'webhook_deliveries')).toBe(0);
  await sql`delete from webhook_leases`.execute(db);
  await vi.waitFor(async () => expect(await countRows(db, 'webhook_deliveries')).toBe(1), waitTimeout);
});

base('a worker removes a disabled endpoint from the list, also one with 10,000 pending deliveries', async () => {
  await using database = await ownMigratedDatabase();
  const { db } = database;
  const endpoint = await insertEndpoint(db);
  await insertDeliveries(endpoint, [1, 10_000], { next_attempt_at: sql`null` }).execute(db);
  const slots = statementSlots(accountActivity());
  const run = vi.spyOn(slots.healthy, 'run');
  const enabled = workerOf(db, endpoint, slots);
  enabled.wake();
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), waitTimeout); // it counts them, and queues nothing
  expect(enabled.isIdle()).toBe(false);
  await enabled.stop();
  expect(await countRows(db, 'enabled_webhook_endpoints')).toBe(1);
  await sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'requested'`.execute(db);
  const disabled = workerOf(db, endpoint, slots);
  disabled.wake();
  await vi.waitFor(() => expect(disabled.isIdle()).toBe(true), waitTimeout);
  expect(await countRows(db, 'enabled_webhook_endpoints')).toBe(0);
});

test('webhooks are signed with the same secrets after SIGNING_KEYS was replaced step by step', async () => {
  notWithCluster('each step restarts the service with other keys');
  await using receiver = await startReceiver();
  await using database = await ownMigratedDatabase();
  const DATABASE_URL = database.url;
  const account = await newAccount({ db: database.db, baseUrl: 'http://127.0.0.1' });
  const secrets = async () => (await sql`select secret from webhook_endpoints order by id`.execute(database.db)).rows;
  const [oldKey = '', newKey = '', otherKey = ''] = [0, 1, 2].map(() => randomBytes(32).toString('hex'));
  const log: Record<string, unknown>[] = [];
  const start = (SIGNING_KEYS: string) => startService({ DATABASE_URL, SIGNING_KEYS, LOG_LEVEL: 'warn' }, log);
  /** Waits until `waybill check` finds this about the webhook secrets and the new key. */
  const isFound = (message: string): Promise<void> =>
    vi.waitFor(async () => {
      const { stdout } = await runHere(['check', '--json'], { DATABASE_URL, SIGNING_KEYS: newKey });
      expect(JSON.parse(stdout).findings).toContainEqual(expect.objectContaining({ name: 'SIGNING_KEYS', message }));
    }, waitTimeout);

  const oldService = await start(oldKey);
  const caller = on(oldService, account);
  const { path, secret } = await createEndpoint(caller, receiver.url, ['shipment.created']);
  const rotated = await caller.client.rotateWebhookSecret({ ...path, previous_valid_hours: 24 });
  const disabled = await createEndpoint(caller, receiver.url);
  await caller.client.updateWebhookEndpoint({ ...disabled.path, status: 'disabled' });
  await oldService[Symbol.asyncDispose]();

  const stored = await secrets();
  const wrongService = await start(otherKey);
  const warning = expect.objectContaining({ endpoints: 2, msg: expect.stringContaining('no key of SIGNING_KEYS') });
  await vi.waitFor(() => expect(log).toContainEqual(warning), waitTimeout);
  await wrongService[Symbol.asyncDispose]();
  expect(await secrets()).toEqual(stored);
  await isFound('does not decrypt the webhook secrets of 2 endpoints');

  const bothService = await start(`${newKey},${oldKey}`);
  await isFound('decrypts all webhook secrets');
  await bothService[Symbol.asyncDispose]();

  await using newService = await start(newKey);
  await newShipment(on(newService, account));
  await received(receiver, 1);
  const [{ body, headers } = expect.unreachable()] = receiver.received;
  // It throws when the webhook is not signed with this secret.
  for (const each of [secret, rotated.secret]) new Webhook(each).verify(body, headers);
});

test('while a worker of Citus is stopped, the webhooks of accounts on others are sent', async () => {
  notWithCluster('it starts the instances itself');
  needsCitus();
  await using database = await ownMigratedDatabase();
  const { db } = database;
  await using receiver = await startReceiver();
  await using first = await startService({ DATABASE_URL: database.url });
  const { lost, healthy, worker } = await accountsOnTwoWorkers({ db, baseUrl: first.baseUrl });
  const { path: lostPath } = await createEndpoint(lost, receiver.url);
  const { path } = await createEndpoint(healthy, receiver.url);
  const deliver = async (account: TestAccount, to: typeof path, nth: number): Promise<void> => {
    await newShipment(account);
    await allDelivered(account, to, nth);
  };
  await deliver(lost, lostPath, 1);
  await deliver(healthy, path, 1);

  const port = await setPort(db, worker, 1);
  await expect(lost.client.sendTestWebhook(lostPath, { maxRetries: 0 })).rejects.toMatchObject({ status: 503 });
  await deliver(healthy, path, 2);
  const { path: added } = await createEndpoint(healthy, receiver.url);
  await deliver(healthy, added, 1);
  await healthy.client.updateWebhookEndpoint({ ...path, status: 'disabled' });
  await newShipment(healthy);
  await healthy.client.updateWebhookEndpoint({ ...path, status: 'enabled' });
  await allDelivered(healthy, path, 4);

  // An instance that starts meanwhile finds the endpoints of the others.
  await using second = await startService({ DATABASE_URL: database.url });
  await first[Symbol.asyncDispose]();
  await deliver(on(second, healthy), path, 5);
  await setPort(db, worker, port);
  await deliver(on(second, lost), lostPath, 2);
});

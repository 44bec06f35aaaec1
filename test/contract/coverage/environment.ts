import { statuses } from '@waybill/contract/lifecycle';
import type { Scope } from '@waybill/contract/scopes';
import { type Database, openDatabase } from '@waybill/server/database/database';
import { type NetworkProxy, startProxy as startNetworkProxy } from '@waybill/tools/network';
import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import { violations } from '../../fixtures/ajv.ts';
import type { ContractOperation } from '../../fixtures/contract.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { type Received, receive, type Sent, send } from '../../fixtures/http.ts';
import { prismViolations } from '../../fixtures/prism.ts';
import { queuedDelivery, ready } from '../../fixtures/requests.ts';
import { scopeOf } from '../../fixtures/scopes.ts';
import { type Service, type Settings, startService } from '../../fixtures/service.ts';
import { type Status, shipmentIn } from '../../fixtures/shipments.ts';
import { stateOf } from '../../fixtures/state.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';
import type { Exchange } from './coverage.ts';

/** Services under test. As in production they do not check their own responses. */
export interface Environment extends AsyncDisposable {
  exchanges: Exchange[];
  /** Has no faults and no low limits. */
  healthy: Service;
  /** A repeated request waits only 200 ms for the first one. */
  impatient: Service;
  /** Each key and each IP address has one request a minute. */
  limited: Service;
  /** Its streams do not end. */
  streaming: Service;
  /** Its database role lacks privileges. */
  restricted: Service;
  /** Reaches its database through `network`. */
  disconnectable: Service;
  network: NetworkProxy;
  /** Path values of another account. They must be as good as nonexistent. */
  others: Record<string, string>[];
  /** For locking rows and reading state. */
  db: Database;
}

/** Sends a request, by default with the account's key; checks and counts the response. */
type Send = (sent: Sent, to?: Service) => Promise<Received>;

/** What a scenario has: an operation, a new account and the environment. */
export interface Context {
  operation: ContractOperation;
  account: TestAccount;
  environment: Environment;
  send: Send;
}

export async function startEnvironment(): Promise<Environment> {
  const stack = new AsyncDisposableStack();
  const service = async (settings: Settings): Promise<Service> =>
    stack.use(await startService({ CHECK_RESPONSES: 'false', ...settings }));
  const url = databaseUrl();
  const network = stack.use(await startNetworkProxy(Number(new URL(url).port)));
  const role = stack.use(await restrictedRole());
  const db = openDatabase({ url, poolSize: 20, prepared: false });
  stack.defer(() => db.destroy());
  const healthy = await service({ DATABASE_POOL_SIZE: '20' });
  return {
    exchanges: [],
    healthy,
    others: await pathsOf(await newAccount({ db, baseUrl: healthy.baseUrl })),
    impatient: await service({
      DATABASE_POOL_SIZE: '20',
      IDEMPOTENCY_WAIT_MS: '200',
      // A request waits for its key in PostgreSQL while another instance holds it.
      ...(inject('cluster') && { DATABASE_TIMEOUT_MS: '8000' }),
    }),
    limited: await service({ RATE_LIMIT: '1' }),
    streaming: await service({ EVENT_STREAM_SECONDS: '600' }),
    restricted: await service({ DATABASE_URL: role.url }),
    disconnectable: await service({ DATABASE_URL: network.through(url) }),
    network,
    db,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Path values of an account: a shipment of each status, a webhook delivery, an exception and an access. */
async function pathsOf(account: TestAccount): Promise<Record<string, string>[]> {
  const delivery = await queuedDelivery(account);
  const shipments = (Object.keys(statuses) as Status[]).map(async (status) => {
    const { id, tracking_number } = await shipmentIn(account, status);
    return { shipment_id: id, tracking_number, ...delivery };
  });
  const parts = (['getException', 'deleteAccess'] as const).map(async (id) => (await ready(id, account)).path);
  return Promise.all([...shipments, ...parts]);
}

/** Sends a request and checks its response with Prism and Ajv. */
async function sendChecked({ baseUrl }: Service, operation: ContractOperation, sent: Sent): Promise<Received> {
  const received = await receive(await send(baseUrl, operation, sent));
  expect(prismViolations(operation, received)).toEqual([]);
  expect(violations(operation, received)).toEqual([]);
  return received;
}

/**
 * The context of one scenario, with a new account on the healthy service. Its key has only the scope of the operation, and
 * the one that a new access gets from it.
 */
export async function newContext(environment: Environment, operation: ContractOperation): Promise<Context> {
  const account = await newAccount({ db: environment.db, baseUrl: environment.healthy.baseUrl });
  const scope = scopeOf[operation.id];
  const given: Scope[] = operation.id === 'createAccess' ? ['tracking:read'] : [];
  const key = scope === null ? undefined : await account.keyWith([scope, ...given]);
  return {
    operation,
    account,
    environment,
    async send(sent, to = environment.healthy) {
      const state = () => stateOf({ db: environment.db, storageFolder: to.storageFolder }, account);
      const before = await state();
      const received = await sendChecked(to, operation, { key, ...sent });
      environment.exchanges.push({ operation, sent: { key, ...sent }, received });
      const { status, headers } = received;
      const isNewWrite = operation.method !== 'GET' && !headers.has('idempotent-replayed');
      // A wrong code is counted.
      const hasEffect = isNewWrite && (status < 400 || received.code === 'handover_code_wrong');
      // A successful write must change the state; else an unchanged state would prove nothing about a refused one.
      if (hasEffect) expect(await state()).not.toEqual(before);
      else expect(await state(), `${operation.id} ${status} ${received.code} has changed stored data`).toEqual(before);
      return received;
    },
  };
}

/**
 * A database role without privileges on the tables of shipments, accesses, uploads, events and webhook endpoints. It cannot read which
 * endpoints there are, so that its service gets none of them.
 */
async function restrictedRole(): Promise<{ url: string } & AsyncDisposable> {
  const url = new URL(databaseUrl());
  const db = openDatabase({ url: url.href, poolSize: 1, prepared: false });
  const name = `restricted_${crypto.randomUUID().replaceAll('-', '')}`;
  const role = sql.id(name);
  await sql`create role ${role} login password 'restricted'`.execute(db);
  // Not `on all tables`, which fails when a service drops a partition meanwhile.
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(db);
  await sql`grant all on ${sql.join(rows.map((row) => sql.id(row.name)))} to ${role}`.execute(db);
  await sql`revoke all on shipments, accesses, proof_uploads, events, webhook_endpoints, enabled_webhook_endpoints from ${role}`.execute(
    db,
  );
  url.username = name;
  url.password = 'restricted';
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await sql`drop owned by ${role}`.execute(db);
      await sql`drop role ${role}`.execute(db);
      await db.destroy();
    },
  };
}

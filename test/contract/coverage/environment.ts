import { statuses } from '@waybill/contract/lifecycle';
import type { Scope } from '@waybill/contract/scopes';
import { openDatabase } from '@waybill/server/database/database';
import { startProxy as startNetworkProxy } from '@waybill/tools/lab/network/proxy';
import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import { violations } from '../../fixtures/contract/ajv.ts';
import type { ContractOperation } from '../../fixtures/contract/contract.ts';
import { scopeOf } from '../../fixtures/contract/scopes.ts';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { stateOf } from '../../fixtures/database/state-of-account.ts';
import { prismViolations } from '../../fixtures/programs/prism.ts';
import { type Received, receive, type Sent, send } from '../../fixtures/requests/send.ts';
import { queuedDelivery, ready } from '../../fixtures/requests/valid-requests.ts';
import { type Service, type Settings, startService } from '../../fixtures/service/service.ts';
import { type Status, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount } from '../../fixtures/test.ts';
import type { Exchange } from './documented.ts';

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** What a scenario has: an operation, a new account and the environment. */
export interface Context {
  operation: ContractOperation;
  account: TestAccount;
  environment: Environment;
  /** Sends a request, by default with the account's key; checks and counts the response. */
  send: (sent: Sent, to?: Service) => Promise<Received>;
}

/** Services under test. As in production they do not check their own responses. */
export async function startEnvironment() {
  await using started = new AsyncDisposableStack();
  const service = async (settings: Settings): Promise<Service> =>
    started.use(await startService({ CHECK_RESPONSES: 'false', ...settings }));
  const url = databaseUrl();
  const network = started.use(await startNetworkProxy(Number(new URL(url).port)));
  const restrictedUrl = started.use(await restrictedRole()).url;
  const db = started.use(openDatabase({ url, poolSize: 20, prepared: false }));
  const healthy = await service({ DATABASE_POOL_SIZE: '20' });
  const exchanges: Exchange[] = [];
  // A request waits for its key in PostgreSQL while another instance of a cluster holds it.
  const timeout: Settings = inject('cluster') ? { DATABASE_TIMEOUT_MS: '8000' } : {};
  const environment = {
    exchanges,
    healthy,
    impatient: await service({ DATABASE_POOL_SIZE: '20', IDEMPOTENCY_WAIT_MS: '200', ...timeout }),
    limited: await service({ RATE_LIMIT: '1' }),
    streaming: await service({ EVENT_STREAM_SECONDS: '600' }),
    restricted: await service({ DATABASE_URL: restrictedUrl }),
    disconnectable: await service({ DATABASE_URL: network.through(url) }),
    network,
    /** Path values of another account. They must be as good as nonexistent. */
    others: await pathsOf(await newAccount({ db, baseUrl: healthy.baseUrl })),
    db,
  };
  const stack = started.move();
  return { ...environment, [Symbol.asyncDispose]: () => stack.disposeAsync() };
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

/** A new account, whose key has only the scope of the operation, and the one that a new access gets from it. */
export async function newContext(environment: Environment, operation: ContractOperation): Promise<Context> {
  const { db, healthy } = environment;
  const account = await newAccount({ db, baseUrl: healthy.baseUrl });
  const scope = scopeOf[operation.id];
  const given: Scope[] = operation.id === 'createAccess' ? ['tracking:read'] : [];
  const key = scope === null ? undefined : await account.keyWith([scope, ...given]);
  const sendChecked = async (request: Sent, { baseUrl, storageFolder }: Service = healthy): Promise<Received> => {
    const sent = { key, ...request };
    const before = await stateOf({ db, storageFolder }, account);
    const received = await receive(await send(baseUrl, operation, sent));
    expect(prismViolations(operation, received)).toEqual([]);
    expect(violations(operation, received)).toEqual([]);
    environment.exchanges.push({ operation, sent, received });
    const { status, headers, code } = received;
    const isNewWrite = operation.method !== 'GET' && !headers.has('idempotent-replayed');
    // A wrong code is counted.
    const hasEffect = isNewWrite && (status < 400 || code === 'handover_code_wrong');
    const after = await stateOf({ db, storageFolder }, account);
    // A successful write must change the state; else an unchanged state would prove nothing about a refused one.
    if (hasEffect) expect(after).not.toEqual(before);
    else expect(after, `${operation.id} ${status} ${code} has changed stored data`).toEqual(before);
    return received;
  };
  return { operation, account, environment, send: sendChecked };
}

/** A database role that cannot read shipments, accesses, uploads, events and which webhook endpoints there are. */
async function restrictedRole(): Promise<{ url: string } & AsyncDisposable> {
  const url = new URL(databaseUrl());
  const db = openDatabase({ url: url.href, poolSize: 1, prepared: false });
  url.username = `restricted_${crypto.randomUUID().replaceAll('-', '')}`;
  url.password = 'restricted';
  const role = sql.id(url.username);
  await sql`create role ${role} login password 'restricted'`.execute(db);
  // Not `on all tables`, which fails when a service drops a partition meanwhile.
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(db);
  await sql`grant all on ${sql.join(rows.map((row) => sql.id(row.name)))} to ${role}`.execute(db);
  await sql`revoke all on shipments, accesses, proof_uploads, events, webhook_endpoints, enabled_webhook_endpoints
    from ${role}`.execute(db);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await sql`drop owned by ${role}`.execute(db);
      await sql`drop role ${role}`.execute(db);
      await db.destroy();
    },
  };
}

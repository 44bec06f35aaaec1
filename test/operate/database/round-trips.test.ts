import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { openDatabase } from '@waybill/server/database/database';
import { executeWithNextStatement } from '@waybill/server/database/driver';
import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { type OperationId, operationOf } from '../../fixtures/contract.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { send } from '../../fixtures/http.ts';
import { ready } from '../../fixtures/requests.ts';
import { startService } from '../../fixtures/service.ts';
import { newAccount } from '../../fixtures/test.ts';

/** A database that records which statements are sent before the response to an earlier one. */
function recorded() {
  const sent: string[][] = [];
  let waiting = 0;
  const observer = {
    startStatement(text: string) {
      if (waiting++ === 0) sent.push([]);
      sent.at(-1)?.push(text);
      return () => void waiting--;
    },
    callerOf: () => undefined,
    runBatch: <Result>(_name: string, _callers: unknown[], run: () => Promise<Result>) => run(),
  };
  const database = openDatabase({ url: databaseUrl(), poolSize: 1, prepared: false, observer });
  return { database, sent };
}

const first = CompiledQuery.raw('select 1');
const second = CompiledQuery.raw('select 2');
const last = (db: Parameters<typeof executeWithNextStatement>[0], text = 'last') =>
  executeWithNextStatement(db, { compile: () => CompiledQuery.raw(`select '${text}'`) });

test('statements that need no response are sent with the next one, in their order, and none after a rollback', async () => {
  const { database, sent } = recorded();
  await using _ = database;
  await database.transaction().execute(async (trx) => {
    for (const query of [first, second]) await trx.executeQuery(query);
    await last(trx);
  });
  await last(database); // outside of a transaction
  await database.transaction().execute(async (trx) => {
    await last(trx);
    await trx.executeQuery(first);
  });
  const empty = await database.startTransaction().execute();
  await empty.rollback().execute();
  const trx = await database.startTransaction().execute();
  await trx.executeQuery(first);
  await last(trx);
  await trx.rollback().execute();
  expect(sent.map((statements) => statements.join('; '))).toEqual([
    ...['begin; select 1', 'select 2', "select 'last'; commit", "select 'last'"],
    ...["begin; select 'last'; select 1", 'commit'],
    ...['begin; select 1', 'rollback'],
  ]);
});

test('when the last statement fails, the commit throws its error and nothing is committed', async () => {
  const { database } = recorded();
  await using _ = database;
  const id = crypto.randomUUID();
  const transaction = database.transaction().execute(async (trx) => {
    await sql`insert into accounts (account_id, name, created_at) values (${id}, 'undone', now())`.execute(trx);
    await executeWithNextStatement(trx, { compile: () => CompiledQuery.raw('select 1 / (random() > 2)::integer') });
  });
  await expect(transaction).rejects.toMatchObject({ code: '22012' }); // division_by_zero
  const { rows } = await sql`select from accounts where account_id = ${id}`.execute(database);
  expect(rows).toEqual([]);
});

/**
 * Starts a TCP proxy in front of PostgreSQL that counts the round trips of each transaction: how often a client sends
 * something for the first time since a response.
 */
async function startCounter() {
  const transactions: number[] = [];
  const server = createServer((client) => {
    const postgres = connect({ port: Number(new URL(databaseUrl()).port), host: '127.0.0.1' });
    let trips = 0;
    let isAnswered = true;
    client.on('data', (chunk: Buffer) => {
      const isBegin = chunk.includes('begin\0');
      if (isBegin) trips = 0;
      if (isAnswered || isBegin) trips++;
      isAnswered = false;
      if (chunk.includes('commit\0')) transactions.push(trips);
    });
    postgres.on('data', () => {
      isAnswered = true;
    });
    client.pipe(postgres).pipe(client);
    for (const end of [client, postgres]) end.on('error', () => [client, postgres].map((each) => each.destroy()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const url = Object.assign(new URL(databaseUrl()), { hostname: '127.0.0.1', port }).href;
  return { transactions, url, [Symbol.asyncDispose]: async () => void server.close() };
}

/** The round trips of the transaction of a write. `createShipment` and `recordPositions` have one, without `begin` and `commit`. */
const roundTrips: Partial<Record<OperationId, number>> = {
  updateShipment: 3,
  cancelShipment: 3,
  createAccess: 3,
  deleteAccess: 2,
  recordTrackingEvent: 3,
  raiseException: 4,
  resolveException: 3,
  createProofUpload: 4,
  deleteProofUpload: 3,
  submitProofOfDelivery: 5,
};

test('writes take no more round trips to PostgreSQL than these', async () => {
  await using counter = await startCounter();
  await using service = await startService({ DATABASE_URL: counter.url });
  const found: typeof roundTrips = {};
  for (const [id, expected] of Object.entries(roundTrips) as [OperationId, number][]) {
    let least = Number.POSITIVE_INFINITY;
    // On a busy machine, what is sent together may arrive in parts, and a transaction of the background counts, too.
    for (let attempt = 0; attempt < 5 && least > expected; attempt++) {
      const account = await newAccount(service);
      const request = { ...(await ready(id, account)), key: account.key, headers: { 'idempotency-key': 'one' } };
      counter.transactions.length = 0;
      expect((await send(service.baseUrl, operationOf(id), request)).status, id).toBeLessThan(300);
      least = Math.min(least, Math.max(...counter.transactions));
    }
    found[id] = least;
  }
  expect(found).toEqual(roundTrips);
});

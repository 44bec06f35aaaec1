import { openDatabase } from '@waybill/server/database/database';
import { executeWithNextStatement } from '@waybill/server/database/driver';
import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseUrl } from '../../fixtures/database-url.ts';

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

const [first, second, last] = ['select 1', 'select 2', 'select 3'].map((text) => CompiledQuery.raw(text)) as [
  CompiledQuery,
  CompiledQuery,
  CompiledQuery,
];
const compiled = (query: CompiledQuery) => ({ compile: () => query });

test('begin is sent with the first statement, and the last one with commit', async () => {
  const { database, sent } = recorded();
  await using _ = database;
  await database.transaction().execute(async (trx) => {
    for (const query of [first, second]) await trx.executeQuery(query);
    await executeWithNextStatement(trx, compiled(last));
  });
  await executeWithNextStatement(database, compiled(last)); // outside of a transaction
  expect(sent).toEqual([['begin', first.sql], [second.sql], [last.sql, 'commit'], [last.sql]]);
});

test('a statement that is sent with the commit is executed before a statement that follows it', async () => {
  const { database, sent } = recorded();
  await using _ = database;
  await database.transaction().execute(async (trx) => {
    await executeWithNextStatement(trx, compiled(last));
    await trx.executeQuery(first);
  });
  expect(sent).toEqual([['begin', last.sql, first.sql], ['commit']]);
});

test('a rollback sends nothing that was not sent, and nothing at all for a transaction without statements', async () => {
  const { database, sent } = recorded();
  await using _ = database;
  const empty = await database.startTransaction().execute();
  await empty.rollback().execute();
  const trx = await database.startTransaction().execute();
  await trx.executeQuery(first);
  await executeWithNextStatement(trx, compiled(last));
  await trx.rollback().execute();
  expect(sent).toEqual([['begin', first.sql], ['rollback']]);
});

test('when the last statement fails, the commit throws its error and nothing is committed', async () => {
  const { database } = recorded();
  await using _ = database;
  const id = crypto.randomUUID();
  const transaction = database.transaction().execute(async (trx) => {
    await sql`insert into accounts (account_id, name, created_at) values (${id}, 'undone', now())`.execute(trx);
    await executeWithNextStatement(trx, compiled(CompiledQuery.raw('select 1 / (random() > 2)::integer')));
  });
  await expect(transaction).rejects.toMatchObject({ code: '22012' }); // division_by_zero
  const { rows } = await sql`select from accounts where account_id = ${id}`.execute(database);
  expect(rows).toEqual([]);
});

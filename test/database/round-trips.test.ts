import { holdUntilCommit, savingRoundTrips } from '@waybill/server/database/round-trips';
import { CompiledQuery, sql } from 'kysely';
import { expect } from 'vitest';
import { test } from '../fixtures/test.ts';

const last = 'select 1 / (random() > 2)::integer';
holdUntilCommit(last);

/** A connection whose statements get no response before `respond`, and which statements were sent without one. */
function connection() {
  const sent: string[] = [];
  let respond = Promise.withResolvers<void>();
  const send = savingRoundTrips(async (text) => {
    sent.push(text);
    await respond.promise;
    if (text.startsWith('fail')) throw new Error(text);
    return text;
  });
  /** Executes a statement. @returns what is sent for it at once, and its result */
  const execute = async (text: string) => {
    respond = Promise.withResolvers();
    const start = sent.length;
    const result = send(text, []).catch((error: Error) => error.message);
    const together = sent.slice(start);
    respond.resolve();
    return { together, result: await result };
  };
  return { execute };
}

test('begin is sent with the first statement, and the last one with commit', async () => {
  const { execute } = connection();
  expect((await execute('begin')).together).toEqual([]);
  expect(await execute('first')).toEqual({ together: ['begin', 'first'], result: 'first' });
  expect(await execute('second')).toEqual({ together: ['second'], result: 'second' });
  expect((await execute(last)).together).toEqual([]);
  expect(await execute('commit')).toEqual({ together: [last, 'commit'], result: 'commit' });
  expect(await execute('outside')).toEqual({ together: ['outside'], result: 'outside' });
  expect(await execute(last)).toEqual({ together: [last], result: last });
});

test('a rollback sends nothing that was not sent, and nothing at all for a transaction without statements', async () => {
  const { execute } = connection();
  await execute('begin');
  expect((await execute('rollback')).together).toEqual([]);
  await execute('begin');
  await execute('first');
  await execute(last);
  expect((await execute('rollback')).together).toEqual(['rollback']);
  expect((await execute('outside')).together).toEqual(['outside']);
});

test('the error of a statement is that of what is sent together with it', async () => {
  const { execute } = connection();
  await execute('begin');
  expect((await execute('fail')).result).toBe('fail');
});

test('when the last statement fails, the commit throws its error and nothing is committed', async ({ service }) => {
  const { db } = service;
  const id = crypto.randomUUID();
  const transaction = db.transaction().execute(async (trx) => {
    await sql`insert into accounts (account_id, name, created_at) values (${id}, 'undone', now())`.execute(trx);
    await trx.executeQuery(CompiledQuery.raw(last));
  });
  await expect(transaction).rejects.toMatchObject({ code: '22012' }); // division_by_zero
  const { rows } = await sql`select from accounts where account_id = ${id}`.execute(db);
  expect(rows).toEqual([]);
  const { rows: next } = await sql`select 1 as one`.execute(db);
  expect(next).toEqual([{ one: 1 }]);
});

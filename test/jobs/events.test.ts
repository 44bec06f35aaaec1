import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { testWithOwnService } from '../fixtures/own-database.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';

/** Clean-up is for all accounts, so this file has its own database. */
const test = testWithOwnService;

const clean = ({ db, storage }: Service) => cleanUp(db, storage, 90);

/** Moves the events of all accounts into the past, with partitions for their days. */
async function age({ db }: Service, days: number, hasPartition = true): Promise<void> {
  const day = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  if (hasPartition) {
    const name = sql.id(`events_${day.replaceAll('-', '_')}`);
    await sql`
      create table ${name} partition of events for values from (${sql.lit(`${day}T00:00Z`)}) to (${sql.lit(`${next}T00:00Z`)})
    `.execute(db);
  }
  await sql`update events set created_at = ${`${day}T12:00Z`}::timestamptz`.execute(db);
}

test.for([
  ['with', true],
  ['without', false],
] as const)(
  'events of a day %s a partition are removed after 30 days, and readers get 410',
  async ([, hasPartition], { service }) => {
    const account = await newAccount(service);
    const other = await newAccount(service);
    const listed = async (after?: string) =>
      (await account.client.listEvents({ query: { ...(after && { after }) } })).data;
    for (let count = 0; count < 2; count++) await newShipment(account);
    await newShipment(other);
    await age(service, 29, hasPartition);
    await clean(service);
    expect((await listed()).data).toHaveLength(2);

    await age(service, 32, hasPartition);
    const { data: old } = await listed();
    const removed = await clean(service);
    expect(removed).toMatchObject(hasPartition ? { eventDays: 1, events: 0 } : { eventDays: 0, events: 3 });
    expect(await listed()).toEqual({ data: [], has_more: false, next_after: null });
    await expect(listed(old[0]?.id)).rejects.toMatchObject({ status: 410, code: 'events_expired' });
    // No later event was removed.
    expect((await listed(old[1]?.id)).data).toEqual([]);
    await newShipment(account);
    expect((await listed(old[1]?.id)).data).toHaveLength(1);
    await sql`delete from events`.execute(service.db);
  },
);

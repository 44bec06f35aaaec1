import { cleanUp } from '@waybill/server/jobs/clean-up';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { testWithoutCleanUp } from '../../fixtures/own-database.ts';
import type { Service } from '../../fixtures/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';

/** Clean-up is for all accounts, so this file has its own database. */
const test = testWithoutCleanUp;

const clean = ({ db, storage }: Service) => cleanUp({ db, storage, retention: { positionDays: 90 } });

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const partitionOf = (time: Date) => sql.id(`events_${dayOf(time).replaceAll('-', '_')}`);
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const days = 24 * 60;

/** Moves the events of all accounts into the past, to a partition for their day. */
async function moveToPartition({ db }: Service, minutes: number): Promise<void> {
  const [time, next] = [minutesAgo(minutes), minutesAgo(minutes - days)];
  await sql`
    create table ${partitionOf(time)} partition of events
    for values from (${sql.lit(`${dayOf(time)}T00:00Z`)}) to (${sql.lit(`${dayOf(next)}T00:00Z`)})`.execute(db);
  await sql`update events set created_at = ${time}`.execute(db);
}

/** The same without a partition for their day. */
async function moveToDefault({ db }: Service, minutes: number): Promise<void> {
  await sql`update events set created_at = now() - interval '100 days'`.execute(db);
  await sql`drop table if exists ${partitionOf(minutesAgo(minutes))}`.execute(db);
  await sql`update events set created_at = ${minutesAgo(minutes)}`.execute(db);
}

test.for([
  // A partition is dropped when its whole day has expired.
  ['with', moveToPartition, 30 * days, 31 * days],
  ['without', moveToDefault, 30 * days - 10, 30 * days],
] as const)(
  'events of a day %s a partition are removed after 30 days, not before, and readers get 410',
  async ([name, move, young, expired], { service }) => {
    clock(); // no midnight passes between the steps
    const hasPartition = name === 'with';
    const account = await newAccount(service);
    const other = await newAccount(service);
    const listed = (after?: string) => account.client.listEvents({ after });
    for (let count = 0; count < 2; count++) await newShipment(account);
    await newShipment(other);
    await move(service, young);
    await clean(service);
    expect((await listed()).data).toHaveLength(2);

    await move(service, expired);
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

import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import { holdLock } from '../fixtures/locks.ts';
import { startOwnService } from '../fixtures/own-database.ts';
import { post } from '../fixtures/post.ts';
import type { Service } from '../fixtures/service.ts';
import { test as base, perFile } from '../fixtures/test.ts';
import { at, newRoute, timestampAt } from './route.ts';

/** A service with a database of its own, in which a query of timelines waits for the advisory lock 77. */
const test = base.extend<{ $file: { service: Service } }>({
  service: perFile(async () => {
    const service = await startOwnService();
    const statements = [
      sql`create function wait_for_test() returns boolean language plpgsql set lock_timeout = 0 as
        $$ begin perform pg_advisory_xact_lock_shared(77); return true; end $$`,
      sql`alter table tracking_events rename to stored_events`,
      sql`create view tracking_events as select * from stored_events where wait_for_test()`,
    ];
    for (const statement of statements) await statement.execute(service.db);
    return service;
  }),
});

const where = (trackingNumber: string) => sql`where s.tracking_number = ${trackingNumber}`;
const newerPosition = (trackingNumber: string) => sql`
  insert into current_positions (account_id, shipment_id, updated_at, lat, lng)
  select s.account_id, s.id, ${timestampAt(20)}::timestamptz, 0.02, -122 from shipments s ${where(trackingNumber)}
  on conflict (account_id, shipment_id) do update set updated_at = excluded.updated_at, lat = excluded.lat`;
const transition = (trackingNumber: string) => sql`
  with s as (
    update shipments s set status = 'picked_up', version = version + 1 ${where(trackingNumber)} returning *
  )
  insert into stored_events select account_id, id, version, status, now(), 'Picked up' from s`;

const cases: [what: string, hasPosition: boolean, statement: (trackingNumber: string) => RawBuilder<unknown>][] = [
  ['the first position', false, newerPosition],
  ['a newer position', true, newerPosition],
  ['a transition', true, transition],
];

test.for(cases)(
  'recordPositions returns %s that is committed between its snapshot and its lock',
  async ([, hasPosition, statement], { service, account }) => {
    const { path, record, tracking } = await newRoute(account);
    if (hasPosition) await record([at(1)]);
    await using held = await holdLock(service.db, 77);
    const body = { positions: [at(10)] };
    const response = post(service, account, { path: `/tracking/${path.tracking_number}/positions`, body });
    await held.waiting(1);
    await statement(path.tracking_number).execute(service.db);
    await held.release();
    const expected =
      statement === transition
        ? { status: 'picked_up', timeline: [{}, {}, { status: 'picked_up' }], current_location: at(10) }
        : { status: 'dispatched', timeline: [{}, {}], current_location: at(20) };
    expect(await response).toMatchObject({ status: 200, body: expected });
    expect((await response).body).toEqual(await tracking());
  },
);

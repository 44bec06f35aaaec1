import { sql } from 'kysely';
import { expect } from 'vitest';
import { get, problemOf } from '../fixtures/http.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { type TestAccount, test } from '../fixtures/test.ts';
import { openStream } from './read-stream.ts';

const expired = { status: 410, code: 'events_expired' };

/** Removes the newest events, as the restoration of a backup that was made before them does. */
async function loseNewest({ db }: Service, { id }: TestAccount, count: number): Promise<void> {
  await sql`delete from events where account_id = ${id} and position in (
    select position from events where account_id = ${id} order by position desc limit ${count})`.execute(db);
}

/** The position that a reader has stored after the last event. */
const lastPosition = async ({ client }: TestAccount): Promise<string> => String((await client.listEvents()).next_after);

test('the position of a lost event returns 410 in a list, a wait and a stream', async ({ service, account }) => {
  for (let count = 0; count < 3; count++) await newShipment(account);
  const after = await lastPosition(account);
  await loseNewest(service, account, 1);
  const paths = ['/events?', '/events?wait=30&', '/events?types=shipment.created&', '/events/stream?'];
  for (const path of paths) {
    expect(await problemOf(await get(service, account, `${path}after=${after}`)), path).toMatchObject(expired);
  }
  expect((await account.client.listEvents()).data).toHaveLength(2);
});

test('a position that a later event has taken returns 410', async ({ service, account }) => {
  await newShipment(account);
  const after = await lastPosition(account);
  await sql`update events set created_at = now() + interval '1 second' where account_id = ${account.id}`.execute(
    service.db,
  );
  expect(await problemOf(await get(service, account, `/events?after=${after}`))).toMatchObject(expired);
});

test('a stream and a wait end when their last event is lost, and return 410 afterwards', async ({ account }) => {
  await using service = await startService({ EVENT_STREAM_SECONDS: '600' });
  for (let count = 0; count < 2; count++) await newShipment(account);
  await using stream = await openStream(service, account);
  const [, last] = await stream.events(2);
  const waiting = get(service, account, `/events?wait=30&after=${last?.id}`);
  await loseNewest(service, account, 1);
  expect(await stream.rest()).toEqual([]);
  expect(await problemOf(await waiting)).toMatchObject(expired);
  const resumed = await openStream(service, account, { lastEventId: last?.id });
  expect(resumed.response.status).toBe(410);
});

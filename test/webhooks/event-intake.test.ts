import { randomUUID } from 'node:crypto';
import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import { EventIntake } from '@waybill/server/webhooks/event-intake';
import { EndpointStatements, statementSlots } from '@waybill/server/webhooks/statements';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { insertEndpoint } from './endpoints.ts';

const [accountId, endpointId] = [randomUUID(), randomUUID()];

/** The intake of an endpoint for which no instance works. */
async function ownIntake() {
  await using created = new AsyncDisposableStack();
  const { db } = created.use(await ownMigratedDatabase());
  await insertEndpoint(db, accountId, endpointId);
  const slots = statementSlots(accountActivity());
  const statements = new EndpointStatements(accountId, endpointId, db, slots, () => false);
  const all = created.move();
  const newIntake = () => new EventIntake(statements);
  return { db, newIntake, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test('an event up to the position of the endpoint is not looked for again, and a later one is', async () => {
  await using own = await ownIntake();
  const { db } = own;
  const intake = own.newIntake();
  await sql`insert into events (account_id, number, created_at, type, shipment_id, data)
    values (${accountId}, 2, now(), 'shipment.cancelled', ${randomUUID()}, '{}')`.execute(db);
  await intake.queueNext();
  intake.lookAgain(2);
  expect(intake.untilNext()).toBe(Number.POSITIVE_INFINITY);
  for (const last of [3, undefined]) {
    intake.lookAgain(last);
    expect(intake.untilNext()).toBe(0);
    await intake.queueNext();
  }
  expect((await sql`select from webhook_deliveries`.execute(db)).rows).toHaveLength(1);
});

test('queueNext returns false for a disabled endpoint, also with 10,000 pending deliveries', async () => {
  await using own = await ownIntake();
  const { db } = own;
  await sql`insert into webhook_deliveries (account_id, endpoint_id, id, event_number, event_created_at, type, order_key,
      status, attempts)
    select ${accountId}, ${endpointId}, gen_random_uuid(), i, now(), 'shipment.created', ${accountId}, 'pending', 0
    from generate_series(1, 10000) i`.execute(db);
  expect(await own.newIntake().queueNext()).toBe(true);
  await sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'requested'`.execute(db);
  const intake = own.newIntake();
  expect(await intake.queueNext()).toBe(false);
  expect(intake.untilNext()).toBe(Number.POSITIVE_INFINITY);
});

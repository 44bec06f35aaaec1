import { disableAccount, revokeKey } from '@waybill/server/auth/administration';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { get, problemOf } from '../fixtures/http.ts';
import { type Service, startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { openStream } from './read-stream.ts';

const long = { EVENT_STREAM_SECONDS: '600' };
const keyIdOf = (key: string): string => key.split('_')[1] ?? '';

/** What ends the key of a reader. Another key of its account, if it still has one, writes on. */
const ends: Record<string, (service: Service, account: TestAccount, key: string) => Promise<unknown>> = {
  revocation: ({ db }, { id }, key) => revokeKey(db, id, keyIdOf(key)),
  expiry: ({ db }, _account, key) =>
    sql`update api_keys set expires_at = now() where key_id = ${keyIdOf(key)}`.execute(db),
  'the end of its account': ({ db }, { id }) => disableAccount(db, id),
};

test.for(Object.keys(ends))('%s of a key ends its streams and waiting requests on every instance', async (name) => {
  await using first = await startService(long);
  await using second = await startService(long);
  const account = await newAccount(first);
  const key = await account.keyWith(['events:read']);
  await using stream = await openStream(first, { key });
  await using onSecond = await openStream(second, { key });
  const waiting = get(second, { key }, '/events?wait=30');
  for (const open of [stream, onSecond]) await open.next();
  await ends[name]?.(first, account, key);
  expect(await Promise.all([stream.rest(), onSecond.rest()])).toEqual([[], []]);
  expect(await problemOf(await waiting)).toMatchObject({ status: 401, code: 'unauthenticated' });
  // Also the cache does not accept it any more.
  for (const service of [first, second]) expect((await get(service, { key }, '/events')).status).toBe(401);
});

test('a stream whose key is valid goes on while that of another key ends', async () => {
  await using service = await startService(long);
  const account = await newAccount(service);
  const key = await account.keyWith(['events:read']);
  await using revoked = await openStream(service, { key });
  await using other = await openStream(service, account);
  await revokeKey(service.db, account.id, keyIdOf(key));
  expect(await revoked.rest()).toEqual([{ retry: expect.any(String) }]);
  const { id } = await newShipment(account);
  expect((await other.events(1))[0]?.data.shipment?.id).toBe(id);
});

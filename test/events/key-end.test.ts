import { disableAccount, revokeKey } from '@waybill/server/auth/administration';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { newAccess } from '../api/access/accesses.ts';
import { get, problemOf } from '../fixtures/http.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { perFile, type TestAccount } from '../fixtures/test.ts';
import { openStream, startWithLongStreams, testWithLongStreams } from './read-stream.ts';

const test = testWithLongStreams.extend<{ $file: { second: Service } }>({ second: perFile(startWithLongStreams) });

const keyIdOf = (key: string): string => key.split('_')[1] ?? '';
/** A key, and its id in `api_keys`. */
async function newKey({ keyWith }: TestAccount) {
  const key = await keyWith(['events:read']);
  return { key, id: keyIdOf(key) };
}
/** The token of an access, the path values of the access, and its shipment. */
async function newReader(account: TestAccount) {
  const { id: shipment_id } = await newShipment(account);
  const { token: key, id: access_id } = await newAccess(account, { id: shipment_id });
  return { key, path: { shipment_id, access_id } };
}

/** What ends a key or an access. Another key of the account, if it still has one, writes on. */
const ends: Record<string, (service: Service, account: TestAccount) => Promise<{ key: string; end(): unknown }>> = {
  async 'the revocation of a key'({ db }, account) {
    const { key, id } = await newKey(account);
    return { key, end: () => revokeKey(db, account.id, id) };
  },
  async 'the expiry of a key'({ db }, account) {
    const { key, id } = await newKey(account);
    return {
      key,
      end: () => sql`update api_keys set expires_at = now() - interval '1 second' where key_id = ${id}`.execute(db),
    };
  },
  async 'the end of the account of a key'({ db }, account) {
    return { ...(await newKey(account)), end: () => disableAccount(db, account.id) };
  },
  async 'the revocation of an access'(_service, account) {
    const { key, path } = await newReader(account);
    return { key, end: () => account.client.deleteAccess(path) };
  },
  async 'the expiry of an access'({ db }, account) {
    const { key } = await newReader(account);
    return {
      key,
      end: () =>
        sql`update accesses set expires_at = now() - interval '1 second' where account_id = ${account.id}`.execute(db),
    };
  },
  async 'the end of the account of an access'({ db }, account) {
    return { ...(await newReader(account)), end: () => disableAccount(db, account.id) };
  },
};

test.for(Object.entries(ends))(
  '%s ends its streams and waits on all instances',
  async ([, prepare], { service, second, account }) => {
    const { key, end } = await prepare(service, account);
    await using stream = await openStream(service, { key });
    await using onSecond = await openStream(second, { key });
    // An access has no list of events.
    const waiting = key.startsWith('wbk_') ? [get(second, { key }, '/events?wait=30')] : [];
    for (const open of [stream, onSecond]) await open.next();
    await end();
    expect(await Promise.all([stream.rest(), onSecond.rest()])).toEqual([[], []]);
    // Also the cache does not accept it any more.
    const later = [service, second].map((each) => get(each, { key }, '/events'));
    for (const response of await Promise.all([...waiting, ...later]))
      expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
  },
);

test('a stream whose key is valid goes on while that of another key ends', async ({ service, account }) => {
  const { key, id } = await newKey(account);
  await using revoked = await openStream(service, { key });
  await using other = await openStream(service, account);
  await revokeKey(service.db, account.id, id);
  expect(await revoked.rest()).toEqual([{ retry: expect.any(String) }]);
  const shipment = await newShipment(account);
  expect((await other.events(1))[0]?.data.shipment?.id).toBe(shipment.id);
});

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

/** Ends a key or an access. */
type End = (given: { service: Service; account: TestAccount; id: string; shipment_id: string }) => Promise<unknown>;

const disable: End = ({ service: { db }, account: { id } }) => disableAccount(db, id);
const revoke: End = ({ service: { db }, account, id }) => revokeKey(db, account.id, id);

test.for<[what: string, of: 'key' | 'access', end: End]>([
  ['the revocation of a key', 'key', revoke],
  [
    'the expiry of a key',
    'key',
    ({ service: { db }, id }) =>
      sql`update api_keys set expires_at = now() - interval '1 second' where key_id = ${id}`.execute(db),
  ],
  ['the end of the account of a key', 'key', disable],
  [
    'the revocation of an access',
    'access',
    ({ account: { client }, id, shipment_id }) => client.deleteAccess({ shipment_id, access_id: id }),
  ],
  [
    'the expiry of an access',
    'access',
    ({ service: { db }, account }) =>
      sql`update accesses set expires_at = now() - interval '1 second' where account_id = ${account.id}`.execute(db),
  ],
  ['the end of the account of an access', 'access', disable],
])(
  '%s ends its streams and waits on all instances, and no others',
  async ([, of, end], { service, second, account }) => {
    const shipment = await newShipment(account);
    const newKey = async () => {
      const key = await account.keyWith(['events:read']);
      return { token: key, id: key.split('_')[1] ?? '' };
    };
    const { token: key, id } = of === 'key' ? await newKey() : await newAccess(account, shipment);
    await using other = await openStream(service, account);
    const [created] = await other.events(1);
    const streams = [await openStream(service, { key }), await openStream(second, { key })];
    // An access has no list of events.
    const waiting = of === 'key' ? [get(second, { key }, `/events?wait=30&after=${created?.id}`)] : [];
    for (const { next } of streams) await next();
    if (of === 'key') for (const stream of streams) await stream.events(1);
    await end({ service, account, id, shipment_id: shipment.id });
    expect(await Promise.all(streams.map(({ rest }) => rest()))).toEqual([[], []]);
    // Also the cache does not accept it any more.
    const later = [service, second].map((each) => get(each, { key }, '/events'));
    for (const response of await Promise.all([...waiting, ...later]))
      expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    if (end === disable) return expect(await other.rest()).toEqual([]);
    await newShipment(account);
    await other.events(1);
  },
);

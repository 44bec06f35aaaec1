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
type End = (given: { service: Service; account: TestAccount; id: string; shipment_id: string }) => unknown;

const disable: End = ({ service: { db }, account: { id } }) => disableAccount(db, id);
const past = sql`expires_at = now() - interval '1 second'`;
const ends: Record<string, End> = {
  'the revocation of a key': ({ service: { db }, account, id }) => revokeKey(db, account.id, id),
  'the expiry of a key': ({ service: { db }, id }) => sql`update api_keys set ${past} where key_id = ${id}`.execute(db),
  'the end of the account of a key': disable,
  'the revocation of an access': ({ account: { client }, id, ...path }) =>
    client.deleteAccess({ shipment_id: path.shipment_id, access_id: id }),
  'the expiry of an access': ({ service: { db }, account: { id } }) =>
    sql`update accesses set ${past} where account_id = ${id}`.execute(db),
  'the end of the account of an access': disable,
};

test.for(Object.keys(ends))(
  '%s ends its streams and waits on all instances, and no others',
  async (what, { service, second, account }) => {
    const isKey = what.endsWith('key');
    const shipment = await newShipment(account);
    const newKey = async () => {
      const key = await account.keyWith(['events:read']);
      return { token: key, id: key.split('_')[1] ?? '' };
    };
    const { token: key, id } = isKey ? await newKey() : await newAccess(account, shipment);
    await using other = await openStream(service, account);
    const [created] = await other.events(1);
    const streams = [await openStream(service, { key }), await openStream(second, { key })];
    // An access has no list of events.
    const waiting = isKey ? [get(second, { key }, `/events?wait=30&after=${created?.id}`)] : [];
    for (const { next } of streams) await next();
    if (isKey) for (const stream of streams) await stream.events(1);
    await ends[what]?.({ service, account, id, shipment_id: shipment.id });
    expect(await Promise.all(streams.map(({ rest }) => rest()))).toEqual([[], []]);
    // Also the cache does not accept it any more.
    const later = [service, second].map((each) => get(each, { key }, '/events'));
    for (const response of await Promise.all([...waiting, ...later]))
      expect(await problemOf(response)).toMatchObject({ status: 401, code: 'unauthenticated' });
    if (ends[what] === disable) return expect(await other.rest()).toEqual([]);
    await newShipment(account);
    await other.events(1);
  },
);

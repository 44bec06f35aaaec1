import { timeOfUuid, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { get } from '../../fixtures/http.ts';
import { post } from '../../fixtures/post.ts';
import { startService } from '../../fixtures/service.ts';
import { newShipment, shipmentIn } from '../../fixtures/shipments.ts';
import { newAccount, test } from '../../fixtures/test.ts';
import { newAccess, newToken } from './accesses.ts';

const day = 24 * 3_600_000;

test('an access has its fields, the detail status and an expiry in 30 days by default', async ({ account }) => {
  const { id: shipment_id } = await newShipment(account);
  const scopes = ['tracking:read' as const];
  const { token, ...access } = await account.client.createAccess({ shipment_id, scopes });
  const createdAt = timeOfUuid(uuidFromPublicId('acc', access.id)).getTime();
  expect(access).toEqual({
    id: expect.any(String),
    scopes,
    detail: 'status',
    created_at: new Date(createdAt).toISOString(),
    expires_at: expect.any(String),
  });
  // The id is made a little later than the time from which the days are counted.
  const days = (Date.parse(access.expires_at) - createdAt) / day;
  expect(days).toBeLessThanOrEqual(30);
  expect(days).toBeGreaterThan(29.9);
  expect(token.startsWith(`${access.id.replace('acc', 'wba')}_`)).toBe(true);
  const named = {
    name: 'Truck 12',
    scopes,
    detail: 'location' as const,
    expires_at: new Date(Date.now() + day).toISOString(),
  };
  const { token: _, ...second } = await account.client.createAccess({ shipment_id, ...named });
  expect(second).toMatchObject(named);
  expect((await account.client.listAccesses({ shipment_id })).data).toEqual([access, second]);
});

test('createAccess returns 400 for an expiry now', async ({ account }) => {
  const shipment = await newShipment(account);
  await expect(newAccess(account, shipment, { expires_at: new Date() })).rejects.toMatchObject({
    problem: { code: 'invalid_request', errors: [{ pointer: '/expires_at', code: 'out_of_order' }] },
  });
});

test('a key gives only its own scopes, also with the Idempotency-Key of another key', async ({ service, account }) => {
  const { id } = await newShipment(account);
  const path = `/shipments/${id}/access`;
  const body = { scopes: ['tracking:read', 'tracking:write'] };
  const less = await account.keyWith(['shipments:write', 'tracking:read']);
  const create = (key: string) => post(service, { key }, { path, body, key: 'repeated' });
  expect((await create(account.key)).status).toBe(201);
  expect(await create(less)).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope', detail: 'The key lacks the scope tracking:write, and cannot give it.' },
  });
});

test('a repeated createAccess returns the same token, which PostgreSQL does not contain', async ({
  service,
  account,
}) => {
  const shipment_id = (await newShipment(account)).id;
  const request = { shipment_id, kind: 'track' as const };
  const options = { idempotencyKey: 'once' };
  const first = await account.client.createAccess(request, options);
  expect(await account.client.createAccess(request, options)).toEqual(first);
  expect((await account.client.listAccesses({ shipment_id })).data).toHaveLength(1);
  const secret = first.token.split('_')[2] ?? '';
  const { rows } = await sql<{ text: string }>`
    select t::text as text from accesses t where account_id = ${account.id}
    union all select t::text from idempotency_keys t where account_id = ${account.id}`.execute(service.db);
  expect(rows).toHaveLength(3); // also the response of createShipment
  for (const { text } of rows) expect(text).not.toContain(secret);
});

test('the idempotency keys of an access are its own', async ({ service, account }) => {
  const shipment = await shipmentIn(account, 'in_transit');
  const token = await newToken(account, shipment, { detail: 'status' });
  const path = `/tracking/${shipment.tracking_number}/exceptions`;
  const raise = (key: string, code: string) => {
    const body = { code, occurred_at: '2026-03-04T15:20:00Z', description: 'Wet' };
    return post(service, { key }, { path, body, key: 'shared' });
  };
  expect((await raise(account.key, 'damaged')).status).toBe(201);
  const own = await raise(token, 'damaged');
  expect(own).toMatchObject({ status: 201, replayed: false });
  expect(own.body).not.toHaveProperty('description');
  expect(await raise(token, 'damaged')).toEqual({ ...own, headers: expect.anything(), replayed: true });
  expect((await raise(token, 'short')).status).toBe(422);
});

test('20 of 50 concurrent createAccess requests succeed, and more after others end', async ({ service, account }) => {
  const shipment = await newShipment(account);
  const { client } = account;
  const attempt = () => newAccess(account, shipment).catch(({ code }) => code as string);
  const results = await concurrently(50, attempt);
  const created = results.filter((each) => typeof each !== 'string');
  expect(created).toHaveLength(20);
  expect(new Set(results.filter((each) => typeof each === 'string'))).toEqual(new Set(['access_limit_reached']));
  const path = { shipment_id: shipment.id };
  const [expired, ...others] = created.map(({ id }) => id);
  await sql`update accesses set expires_at = now() - interval '1 second'
    where account_id = ${account.id} and id = ${uuidFromPublicId('acc', expired ?? '')}`.execute(service.db);
  expect((await client.listAccesses(path)).data).toHaveLength(19);
  await newAccess(account, shipment);
  const [again] = await Promise.all([
    concurrently(50, attempt),
    ...others.slice(0, 5).map((access_id) => client.deleteAccess({ ...path, access_id })),
  ]);
  const later = again.filter((each) => typeof each !== 'string').length;
  expect(later).toBeLessThanOrEqual(5);
  expect((await client.listAccesses(path)).data).toHaveLength(15 + later);
});

test('deleteAccess returns 404 for an access of others, and when it is repeated', async ({ service, account }) => {
  const [shipment, second] = [await newShipment(account), await newShipment(account)];
  const { id: access_id, token } = await newAccess(account, shipment);
  const path = { shipment_id: shipment.id, access_id };
  const refused = { status: 404, code: 'not_found' };
  await expect(account.client.deleteAccess({ ...path, shipment_id: second.id })).rejects.toMatchObject(refused);
  await expect((await newAccount(service)).client.deleteAccess(path)).rejects.toMatchObject(refused);
  expect((await get(service, { key: token }, `/shipments/${shipment.id}`)).status).toBe(200);
  await account.client.deleteAccess(path);
  await expect(account.client.deleteAccess(path)).rejects.toMatchObject(refused);
});

test('each access has its own limit, apart from that of keys', async () => {
  await using service = await startService({ ACCESS_RATE_LIMIT: '2' });
  const account = await newAccount(service);
  const shipment = await newShipment(account);
  const tokens = [await newToken(account, shipment), await newToken(account, shipment)];
  for (const key of tokens) {
    const read = () => get(service, { key }, `/shipments/${shipment.id}`);
    const responses = [await read(), await read(), await read()];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    for (const { headers } of responses) expect(headers.get('ratelimit-policy')).toBe('"access";q=2;w=60');
  }
  const { headers } = await get(service, account, `/shipments/${shipment.id}`);
  expect(headers.get('ratelimit-policy')).toBe('"key";q=1000000;w=60');
});

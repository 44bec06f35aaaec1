import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { describe, expect, vi } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { contractOperations } from '../../fixtures/contract.ts';
import { get, type Problem, problemOf, receive, send } from '../../fixtures/http.ts';
import { ready } from '../../fixtures/requests.ts';
import { acceptTokens, scopeOf } from '../../fixtures/scopes.ts';
import type { Service } from '../../fixtures/service.ts';
import { newShipment, type Shipment } from '../../fixtures/shipments.ts';
import { stateOf } from '../../fixtures/state.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { everyScope, newAccess, newToken } from './accesses.ts';

/** The shipment of a request, or a new one for a request without. */
async function shipmentOf(account: TestAccount, path: Record<string, string>): Promise<Pick<Shipment, 'id'>> {
  const { shipment_id: id, tracking_number } = path;
  if (id) return { id };
  if (!tracking_number) return newShipment(account);
  const [shipment] = (await account.client.listShipments({ tracking_number })).data;
  return shipment ?? expect.unreachable();
}

/** Tokens of a shipment that are not valid. */
async function invalidTokens({ db }: Service, account: TestAccount, shipment: Pick<Shipment, 'id'>) {
  const [expired, revoked, valid] = [
    await newAccess(account, shipment),
    await newAccess(account, shipment),
    await newToken(account, shipment),
  ];
  const id = uuidFromPublicId('acc', expired.id);
  await sql`update accesses set expires_at = now() - interval '1 second' where account_id = ${account.id} and id = ${id}`.execute(
    db,
  );
  await account.client.deleteAccess({ shipment_id: shipment.id, access_id: revoked.id });
  const otherSecret = valid.endsWith('A') ? 'B' : 'A';
  return {
    expired: expired.token,
    revoked: revoked.token,
    'with another secret': valid.slice(0, -1) + otherSecret,
    'expired with another secret': expired.token.slice(0, -1) + (expired.token.endsWith('A') ? 'B' : 'A'),
    'of an unknown id': valid.replace(/_\w{26}_/, '_01kjpxj5gtf2r8v5k0m3w7y1zb_'),
    malformed: valid.slice(0, -1),
    'as a key': valid.replace('wba', 'wbk'),
    empty: '',
  };
}

test('an invalid token returns 401', async ({ service, account }) => {
  const shipment = await newShipment(account);
  for (const [name, key] of Object.entries(await invalidTokens(service, account, shipment))) {
    const { detail, ...refusal } = await problemOf(await get(service, { key }, `/shipments/${shipment.id}`));
    expect([name, refusal]).toMatchObject([name, { status: 401, code: 'unauthenticated' }]);
    expect([name, detail.includes('expired')]).toEqual([name, name === 'expired']);
  }
});

test('a token in use is refused within a second after another instance has revoked it', async ({
  service,
  account,
}) => {
  const shipment = await newShipment(account);
  const { id, token } = await newAccess(account, shipment);
  const time = clock();
  const read = async () => (await get(service, { key: token }, `/shipments/${shipment.id}`)).status;
  expect(await read()).toBe(200);
  const uuid = uuidFromPublicId('acc', id);
  await sql`delete from accesses where account_id = ${account.id} and id = ${uuid}`.execute(service.db);
  for (const milliseconds of [300, 300, 300]) {
    time.forward(milliseconds);
    await read();
  }
  time.forward(99);
  await vi.waitFor(async () => expect(await read()).toBe(401), waitTimeout);
});

// contract-coverage sends every operation a request without a key, and one with every scope but its own.
describe.each(contractOperations)('$id', (operation) => {
  const { id } = operation;
  const required = scopeOf[id];
  const isOpen = acceptTokens.has(id);

  if (required === null) {
    test(`${id} needs neither a key nor a token`, async ({ service, account }) => {
      const request = await ready(id, account);
      expect((await send(service.baseUrl, operation, { ...request, key: 'wba_invalid' })).ok).toBe(true);
    });
    return;
  }

  test(`${id} refuses every other token, and changes nothing`, async ({ service, account }) => {
    const request = await ready(id, account);
    const shipment = await shipmentOf(account, request.path);
    const other = await newAccount(service);
    const ofAnotherShipment = await newToken(account, await newShipment(account));
    const ofAnotherAccount = await newToken(other, await newShipment(other));
    const otherScopes = everyScope.filter((each) => !isOpen || each !== required);
    const lacking = await newToken(account, shipment, { scopes: otherScopes });
    const scopes = everyScope.filter((each) => each === required);
    // An access removes only uploads that it has created.
    const hasToken = isOpen && id !== 'deleteProofUpload';
    const permitted = hasToken ? await newToken(account, shipment, { scopes }) : account.key;
    const before = await stateOf(service, account);
    const sent = async (key: string) => {
      const received = await receive(await send(service.baseUrl, operation, { ...request, key }));
      return { status: received.status, code: received.code, detail: (received.body as Problem | undefined)?.detail };
    };

    const lacksScope = { status: 403, code: 'insufficient_scope' };
    expect(await sent(lacking)).toMatchObject(lacksScope);
    if (!isOpen) {
      expect(await sent(ofAnotherShipment)).toMatchObject(lacksScope);
      expect(await sent(ofAnotherAccount)).toMatchObject(lacksScope);
    } else if (id !== 'streamEvents') {
      const notFound = await sent(other.key);
      expect(notFound).toMatchObject({ status: 404, code: 'not_found' });
      expect(await sent(ofAnotherShipment)).toEqual(notFound);
      expect(await sent(ofAnotherAccount)).toEqual(notFound);
    }
    expect(await stateOf(service, account)).toEqual(before);

    const { status } = await sent(permitted);
    expect([200, 201, 202, 204]).toContain(status);
  });
});

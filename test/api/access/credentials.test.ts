import { uuidFromPublicId } from '@waybill/server/database/identifiers';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { clock } from '../../fixtures/clock.ts';
import { contractOperations } from '../../fixtures/contract/contract.ts';
import { acceptTokens, scopeOf } from '../../fixtures/contract/scopes.ts';
import { stateOf } from '../../fixtures/database/state-of-account.ts';
import { get, type Problem, problemOf, receive, send } from '../../fixtures/requests/send.ts';
import { ready } from '../../fixtures/requests/valid-requests.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { everyScope, newAccess, newToken } from './accesses.ts';

test('an expired, revoked, changed or unknown token returns 401', async ({ service: { db, baseUrl }, account }) => {
  const shipment = await newShipment(account);
  const [expired, revoked] = [await newAccess(account, shipment), await newAccess(account, shipment)];
  const valid = await newToken(account, shipment);
  await sql`update accesses set expires_at = now() - interval '1 second'
    where account_id = ${account.id} and id = ${uuidFromPublicId('acc', expired.id)}`.execute(db);
  await account.client.deleteAccess({ shipment_id: shipment.id, access_id: revoked.id });
  const withOtherSecret = (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
  for (const [name, key] of Object.entries({
    expired: expired.token,
    revoked: revoked.token,
    'with another secret': withOtherSecret(valid),
    'expired with another secret': withOtherSecret(expired.token),
    'of an unknown id': valid.replace(/_\w{26}_/, '_01kjpxj5gtf2r8v5k0m3w7y1zb_'),
    malformed: valid.slice(0, -1),
    'as a key': valid.replace('wba', 'wbk'),
    empty: '',
  })) {
    const { detail, status, code } = await problemOf(await get({ baseUrl }, { key }, `/shipments/${shipment.id}`));
    const saysExpired = detail.includes('expired');
    expect([name, status, code, saysExpired]).toEqual([name, 401, 'unauthenticated', name === 'expired']);
  }
});

test('a token is refused within a second after another instance has revoked it', async ({
  service: { db, baseUrl },
  account,
}) => {
  const shipment = await newShipment(account);
  const { id, token: key } = await newAccess(account, shipment);
  const time = clock();
  const read = async () => (await get({ baseUrl }, { key }, `/shipments/${shipment.id}`)).status;
  expect(await read()).toBe(200);
  await sql`delete from accesses
    where account_id = ${account.id} and id = ${uuidFromPublicId('acc', id)}`.execute(db);
  for (const milliseconds of [300, 300, 300, 99]) {
    time.forward(milliseconds);
    await read();
  }
  await vi.waitFor(async () => expect(await read()).toBe(401), waitTimeout);
});

/** The shipment of a request, or a new one for a request without. */
async function shipmentOf(account: TestAccount, { shipment_id: id, tracking_number }: Record<string, string>) {
  if (id) return { id };
  if (!tracking_number) return newShipment(account);
  const [shipment] = (await account.client.listShipments({ tracking_number })).data;
  return shipment ?? expect.unreachable();
}

// contract-coverage sends every operation a request without a key, and one with every scope but its own.
test.for(contractOperations)(
  '$id refuses the tokens of others, and changes nothing',
  async (operation, { service, account }) => {
    const { id } = operation;
    const required = scopeOf[id];
    const request = await ready(id, account);
    const sent = async (key: string) => {
      const { status, code, body } = await receive(await send(service.baseUrl, operation, { ...request, key }));
      return { status, code, detail: (body as Problem | undefined)?.detail };
    };
    // It needs neither a key nor a token.
    if (required === null) return expect((await sent('wba_invalid')).status).toBeLessThan(300);

    const isOpen = acceptTokens.has(id);
    const [shipment, other] = [await shipmentOf(account, request.path), await newAccount(service)];
    const lacking = await newToken(account, shipment, {
      scopes: everyScope.filter((each) => !isOpen || each !== required),
    });
    const scopes = everyScope.filter((each) => each === required);
    // An access removes and voids only what it has created.
    const hasToken = isOpen && !['deleteProofUpload', 'voidTrackingEvent', 'voidException'].includes(id);
    const permitted = hasToken ? await newToken(account, shipment, { scopes, documents: true }) : account.key;
    const tokensOfOthers = [
      await newToken(account, await newShipment(account), { documents: true }),
      await newToken(other, await newShipment(other), { documents: true }),
    ];
    const before = await stateOf(service, account);
    const refusal = await sent(lacking);
    expect(refusal).toMatchObject({ status: 403, code: 'insufficient_scope' });
    if (id !== 'streamEvents') {
      const expected = isOpen ? await sent(other.key) : refusal;
      if (isOpen) expect(expected).toMatchObject({ status: 404, code: 'not_found' });
      for (const token of tokensOfOthers) expect(await sent(token)).toEqual(expected);
    }
    expect(await stateOf(service, account)).toEqual(before);
    expect((await sent(permitted)).status).toBeLessThan(300);
  },
);

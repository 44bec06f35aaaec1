import { uuidFromPublicId } from '@waybill/http/identifiers';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { operationOf } from '../fixtures/contract.ts';
import { get, problemOf, send as sendOperation } from '../fixtures/http.ts';
import type { Service } from '../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount } from '../fixtures/test.ts';

/**
 * Makes a function that reads a shipment for every second caller, and creates one for the others. The 201 of a creation
 * counts as 200. A 503 must be a complete problem with Retry-After.
 */
export async function readsAndWrites(service: Service) {
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  const create = (): Promise<Response> =>
    sendOperation(service.baseUrl, operationOf('createShipment'), {
      key: account.key,
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: shipmentRequest(),
    });
  const created: string[] = [];
  const send = async (caller: number): Promise<{ status: number }> => {
    const response = await (caller % 2 === 0 ? get(service, account, `/tracking/${tracking_number}`) : create());
    if (response.status === 503) {
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(await problemOf(response)).toMatchObject({ code: 'unavailable' });
    } else {
      const body = (await response.json()) as { id: string };
      if (response.status === 201) created.push(body.id);
    }
    return { status: response.status === 201 ? 200 : response.status };
  };
  return {
    send,
    /** Checks that every creation whose response was 201 is stored. */
    async expectStored(): Promise<void> {
      const ids = created.map((id) => uuidFromPublicId('ship', id));
      const { rows } = await sql`
        select from shipments where account_id = ${account.id} and id = any(${ids}::uuid[])`.execute(service.db);
      expect(ids.length).toBeGreaterThan(0);
      expect(rows).toHaveLength(ids.length);
    },
  };
}

import { timeOfUuid, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { afterEach, expect, vi } from 'vitest';
import { operationOf } from '../../fixtures/contract.ts';
import { receive } from '../../fixtures/http.ts';
import { requestExamples, responseExamples, sendExample, withoutRandomParts } from './requests.ts';
import { createShipmentIn, setClock, test } from './shipment-history.ts';

afterEach(() => void vi.useRealTimers());

test('the requests of the examples return the examples of accesses', async ({ service, account }) => {
  const caller = { ...account, baseUrl: service.baseUrl };
  const path = { ...(await createShipmentIn(caller, 'scheduled')) };
  const [create, list] = [operationOf('createAccess'), operationOf('listAccesses')];
  const { AccessList } = responseExamples(list, '200') as unknown as Record<string, { data: { id: string }[] }>;
  const created = [];
  for (const [index, body] of Object.values(requestExamples(create)).entries()) {
    setClock(timeOfUuid(uuidFromPublicId('acc', AccessList?.data[index]?.id ?? '')).getTime());
    const headers = { 'idempotency-key': crypto.randomUUID() };
    created.push((await receive(await sendExample(caller, create, { path, headers, body }))).body);
  }
  const listed = (await receive(await sendExample(caller, list, { path }))).body;
  const { AccessCreated, AccessLinkCreated } = responseExamples(create, '201');
  expect(withoutRandomParts([created[0], created[2], listed], service)).toEqual(
    withoutRandomParts([AccessCreated, AccessLinkCreated, AccessList], service),
  );
});

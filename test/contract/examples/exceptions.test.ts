import { timeOfUuid, uuidFromPublicId } from '@waybill/server/database/identifiers';
import { afterEach, expect, vi } from 'vitest';
import { type OperationId, operationOf } from '../../fixtures/contract.ts';
import { receive } from '../../fixtures/http.ts';
import { upload } from '../../fixtures/shipments.ts';
import { requestExamples, responseExamples, sendExample, withoutRandomParts } from './requests.ts';
import { createShipmentIn, setClock, test } from './shipment-history.ts';

afterEach(() => void vi.useRealTimers());

test('the requests of the examples return the examples of exceptions', async ({ service, account }) => {
  const caller = { ...account, baseUrl: service.baseUrl };
  const path: Record<string, string> = { ...(await createShipmentIn(caller, 'in_transit')) };
  const { tracking_number = '' } = path;
  const send = async (id: OperationId, request?: string) => {
    const operation = operationOf(id);
    const example = request === undefined ? undefined : requestExamples(operation)[request];
    const photos = example?.photos ? { photos: [await upload(account, tracking_number, 'photo')] } : {};
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = example && { ...example, ...photos };
    return (await receive(await sendExample(caller, operation, { path, headers, body }))).body as { id: string };
  };
  const expectExample = (actual: unknown, id: OperationId, status: string, name: string): void =>
    expect(withoutRandomParts(actual, service)).toEqual(
      withoutRandomParts(responseExamples(operationOf(id), status)[name], service),
    );

  const { id = '' } = responseExamples(operationOf('raiseException'), '201').ExceptionOpen as { id?: string };
  setClock(timeOfUuid(uuidFromPublicId('exc', id)).getTime());
  const raised = await send('raiseException', 'ExceptionRefused');
  expectExample(raised, 'raiseException', '201', 'ExceptionOpen');
  path.exception_id = raised.id;
  expectExample(await send('getException'), 'getException', '200', 'ExceptionWithPhotos');
  const { resolved_at } = requestExamples(operationOf('resolveException')).ExceptionResolution as {
    resolved_at: string;
  };
  setClock(resolved_at);
  expectExample(await send('resolveException', 'ExceptionResolution'), 'resolveException', '200', 'ExceptionResolved');
  expect(await send('raiseException', 'ExceptionWeather')).toMatchObject({ code: 'weather_delay' });
});

import { afterEach, expect, vi } from 'vitest';
import { violations } from '../../fixtures/ajv.ts';
import { operationOf } from '../../fixtures/contract.ts';
import { receive } from '../../fixtures/http.ts';
import { applyTransition, transitionsTo } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { type Caller, requestExamples, responseExamples, sendExample, withoutRandomParts } from './requests.ts';
import { createShipmentIn, setClock, test, timestampOf } from './shipment-history.ts';

type List = { data: Record<string, string>[]; next_cursor: string };

const shipments = operationOf('listShipments');
const positions = operationOf('listPositions');
const example = (list: typeof shipments, name: string): List => responseExamples(list, '200')[name] as unknown as List;

type Query = Record<string, string | number>;

async function list(caller: Caller, operation: typeof shipments, query: Query, path = {}): Promise<List> {
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const received = await receive(await sendExample(caller, operation, { path, query: search.join('&') }));
  expect(violations(operation, received), JSON.stringify(received.body)).toEqual([]);
  expect(received.status).toBe(200);
  return received.body as List;
}

afterEach(() => void vi.useRealTimers());

test('listShipments returns the shipments of the examples', async ({ service, account }) => {
  const caller = { ...account, baseUrl: service.baseUrl };
  const [earlier] = example(shipments, 'ShipmentListEnd').data;
  setClock(earlier?.created_at ?? '');
  const body = requestExamples(operationOf('createShipment')).ShipmentRequestMinimal as never;
  const other = await account.client.createShipment(body);
  setClock(earlier?.updated_at ?? '');
  for (const step of transitionsTo('delivered')) await applyTransition(account, other, step);
  const { tracking_number } = await createShipmentIn(caller, 'in_transit');
  const ShipmentListWithTracking = await list(caller, shipments, { status: 'in_transit', include: 'tracking' });
  await account.client.raiseException({ tracking_number, code: 'traffic_delay', occurred_at: new Date() });

  const limit = example(shipments, 'ShipmentListPage').data.length;
  const ShipmentListPage = await list(caller, shipments, { limit });
  const ShipmentListEnd = await list(caller, shipments, { limit, cursor: ShipmentListPage.next_cursor });
  const ShipmentListEmpty = await list(caller, shipments, { status: 'cancelled' });
  expect(
    withoutRandomParts({ ShipmentListPage, ShipmentListEnd, ShipmentListWithTracking, ShipmentListEmpty }, service),
  ).toEqual(withoutRandomParts(responseExamples(shipments, '200'), service));

  const { next_cursor } = example(shipments, 'ShipmentListPage');
  expect(ShipmentListPage.next_cursor).toHaveLength(String(next_cursor).length);
});

test('listPositions returns the positions of the examples', async ({ service, account }) => {
  const caller = { ...account, baseUrl: service.baseUrl };
  const other = { ...(await newAccount(service)), baseUrl: service.baseUrl };
  const PositionListEmpty = await list(other, positions, {}, await createShipmentIn(other, 'scheduled'));
  const path = await createShipmentIn(caller, 'in_transit');
  setClock(timestampOf('delivered'));
  for (const body of Object.values(requestExamples(operationOf('recordPositions')))) {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const response = await sendExample(caller, operationOf('recordPositions'), { path, headers, body });
    expect(response.status).toBe(200);
  }
  const limit = example(positions, 'PositionListPage').data.length;
  const PositionListPage = await list(caller, positions, { limit }, path);
  expect(withoutRandomParts({ PositionListPage, PositionListEmpty }, service)).toEqual(
    withoutRandomParts(responseExamples(positions, '200'), service),
  );
  const { data } = await list(caller, positions, {}, path);
  expect(data.slice(0, limit)).toEqual(PositionListPage.data);
});

import { afterEach, expect, vi } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { operationOf } from '../fixtures/contract.ts';
import { applyTransition, transitionsTo } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { type Asker, answerExamples, ask, lasting, requestExamples } from './requests.ts';
import { momentOf, setClock, tell } from './story.ts';

type List = { data: Record<string, string>[]; next_cursor: string };

const shipments = operationOf('listShipments');
const positions = operationOf('listPositions');
const example = (list: typeof shipments, name: string): List => answerExamples(list, '200')[name] as unknown as List;

/** The query examples of a list; its cursor belongs to other filters than all of them together. */
const queryExamples = ({ parameters }: typeof shipments): Record<string, unknown> =>
  Object.fromEntries(
    parameters.filter((each) => each.in === 'query' && each.name !== 'cursor').map((each) => [each.name, each.example]),
  );

async function list(asker: Asker, asked: typeof shipments, query: object, path = {}): Promise<List> {
  const response = await ask(asker, asked, { path, query: { ...query } });
  const { status, headers } = response;
  const body = await response.json();
  expect(violations(asked, { status, headers, body }), JSON.stringify(body)).toEqual([]);
  expect(status).toBe(200);
  return body as List;
}

afterEach(() => void vi.useRealTimers());

test('listShipments returns the shipments of the examples', async ({ service, account }) => {
  const asker = { ...account, baseUrl: service.baseUrl };
  const [earlier] = example(shipments, 'ShipmentListEnd').data;
  setClock(earlier?.created_at ?? '');
  const body = requestExamples(operationOf('createShipment')).ShipmentRequestMinimal as never;
  const { data: other } = await account.client.createShipment({ body });
  setClock(earlier?.updated_at ?? '');
  for (const step of transitionsTo('delivered')) await applyTransition(account, other, step);
  await tell(asker, 'in_transit');

  const limit = example(shipments, 'ShipmentListPage').data.length;
  const ShipmentListPage = await list(asker, shipments, { limit });
  const ShipmentListEnd = await list(asker, shipments, { limit, cursor: ShipmentListPage.next_cursor });
  const ShipmentListEmpty = await list(asker, shipments, { status: 'cancelled' });
  expect(lasting({ ShipmentListPage, ShipmentListEnd, ShipmentListEmpty }, service)).toEqual(
    lasting(answerExamples(shipments, '200'), service),
  );

  const { data } = await list(asker, shipments, queryExamples(shipments));
  expect(data, 'all query examples together find the shipment of the story').toEqual(ShipmentListPage.data);
  const cursor = shipments.parameters.find(({ name }) => name === 'cursor')?.example;
  expect(ShipmentListPage.next_cursor).toHaveLength(String(cursor).length);
});

test('listPositions returns the positions of the examples', async ({ service, account }) => {
  const asker = { ...account, baseUrl: service.baseUrl };
  const beginner = { ...(await newAccount(service)), baseUrl: service.baseUrl };
  const PositionListEmpty = await list(beginner, positions, {}, await tell(beginner, 'scheduled'));
  const path = await tell(asker, 'in_transit');
  setClock(momentOf('delivered'));
  for (const body of Object.values(requestExamples(operationOf('recordPositions')))) {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    expect(await ask(asker, operationOf('recordPositions'), { path, headers }, body)).toMatchObject({ status: 200 });
  }
  const limit = example(positions, 'PositionListPage').data.length;
  const PositionListPage = await list(asker, positions, { limit }, path);
  expect(lasting({ PositionListPage, PositionListEmpty }, service)).toEqual(
    lasting(answerExamples(positions, '200'), service),
  );
  const { data } = await list(asker, positions, queryExamples(positions), path);
  expect(data.slice(0, limit)).toEqual(PositionListPage.data);
});

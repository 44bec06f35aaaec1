import type { Params } from '@waybill/client';
import { describe, expect } from 'vitest';
import type { Problem } from '../fixtures/http.ts';
import { shipmentIn, shipmentRequest } from '../fixtures/shipments.ts';
import { targets, test } from './targets.ts';

describe.each(targets)('%s', (target) => {
  test('a reference is taken until its shipment is cancelled', async ({ open }) => {
    const { client, create, reference } = await open(target);
    const { id } = await create();
    await expect(create()).rejects.toMatchObject({ code: 'reference_taken', problem: { shipment_id: id } });
    await client.cancelShipment({ shipment_id: id, reason: 'Ordered twice.' });
    const next = await create();
    expect(next.id).not.toBe(id);
    const { data } = await client.listShipments({ reference });
    expect(data.map((shipment) => [shipment.id, shipment.status])).toEqual([
      [next.id, 'scheduled'],
      [id, 'cancelled'],
    ]);
  });

  test('a replayed response has the id of its own request', async ({ open }) => {
    const { create, post, reference } = await open(target);
    await create();
    const body = { ...shipmentRequest(), reference };
    const [first, second] = [await post('first', body), await post('second', body)];
    for (const [id, response] of Object.entries({ first, second })) {
      expect(response).toMatchObject({ status: 409, code: 'reference_taken' });
      expect([response.headers.get('x-request-id'), (response.body as Problem).request_id]).toEqual([id, id]);
    }
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  });

  test('from_date and to_date include whole UTC days, and a to_date with a time is exclusive', async ({ open }) => {
    const { client, create, reference } = await open(target);
    const { created_at } = await create();
    const at = (milliseconds: number): string => new Date(Date.parse(created_at) + milliseconds).toISOString();
    const day = created_at.slice(0, 10);
    for (const [query, count] of [
      [{ from_date: created_at }, 1],
      [{ from_date: at(1) }, 0],
      [{ to_date: at(1) }, 1],
      [{ to_date: created_at }, 0],
      [{ from_date: created_at, to_date: at(1) }, 1],
      [{ from_date: created_at, to_date: created_at }, 0],
      [{ from_date: at(-1).replace('Z', '+00:00') }, 1],
      [{ from_date: day }, 1],
      [{ to_date: day }, 1],
      [{ from_date: day, to_date: day }, 1],
      [{ from_date: at(86_400_000).slice(0, 10) }, 0],
      [{ to_date: at(-86_400_000).slice(0, 10) }, 0],
    ] as const) {
      const { data } = await client.listShipments({ reference, ...query });
      expect([query, data.length]).toEqual([query, count]);
    }
  });

  test('include adds the tracking status to each shipment of a list', async ({ open }) => {
    const { client, create, reference } = await open(target);
    const { tracking_number } = await create();
    const timestamp = new Date();
    const tracking = await client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp });
    const { data } = await client.listShipments({ reference, include: 'tracking' });
    expect(data.map((shipment) => shipment.tracking)).toEqual([tracking]);
    expect((await client.listShipments({ reference })).data).toMatchObject([{ tracking_number }]);
  });

  test('of positions with the same timestamp the last one is the current location', async ({ open }) => {
    const { client } = await open(target);
    const { tracking_number } = await shipmentIn({ client }, 'dispatched');
    const path = { tracking_number };
    const updated_at = new Date().toISOString();
    const earlier = new Date(Date.now() - 60_000).toISOString();
    for (const position of [
      { lat: 1, lng: 1, updated_at },
      { lat: 2, lng: 2, updated_at },
      { lat: 3, lng: 3, updated_at: earlier },
    ]) {
      await client.recordPositions({ ...path, positions: [position] });
    }
    expect((await client.getTracking(path)).current_location).toMatchObject({ lat: 2, lng: 2, updated_at });
    const { data } = await client.listPositions(path);
    expect(data.map(({ lat }) => lat)).toEqual([3, 2]);
  });

  test('an event more than 5 minutes before the previous one returns out_of_order', async ({ open }) => {
    const { client } = await open(target);
    const { tracking_number } = await shipmentIn({ client }, 'scheduled');
    const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
    const record = (timestamp: string) =>
      client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp });
    const errors = [{ in: 'body', pointer: '/timestamp', code: 'out_of_order' }];
    await expect(record(minutesAgo(6))).rejects.toMatchObject({ code: 'invalid_request', problem: { errors } });
    const { timeline } = await record(minutesAgo(4));
    expect(timeline.map((entry) => entry.description)).toEqual(['Shipment created', 'Driver assigned']);
  });

  test('an estimated arrival from before the current location is ignored', async ({ open }) => {
    const { client } = await open(target);
    const { tracking_number } = await shipmentIn({ client }, 'dispatched');
    const eta = '2027-02-01T00:00:00.000Z';
    const updated_at = new Date(Date.now() + 60_000).toISOString();
    await client.recordPositions({ tracking_number, positions: [{ lat: 1, lng: 2, updated_at }], eta });
    const late = { status: 'picked_up', timestamp: new Date().toISOString(), eta: '2027-03-01T00:00:00.000Z' } as const;
    expect(await client.recordTrackingEvent({ tracking_number, ...late })).toMatchObject({ status: 'picked_up', eta });
  });

  test('a repeated POST returns the stored response, also when the shipment has changed since', async ({ open }) => {
    const { client, post } = await open(target);
    const body = { ...shipmentRequest(), notes: 'First' };
    const first = await post('first', body);
    const { id: shipment_id } = first.body as { id: string };
    await client.cancelShipment({ shipment_id, reason: 'No truck.' });
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    const second = await post('second', reordered);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('a list that grows has each older shipment once, and refuses the cursors of others', async ({ open }) => {
    const { client, create } = await open(target);
    const createAny = () => client.createShipment(shipmentRequest());
    const created = [await createAny(), await createAny(), await createAny()].map(({ id }) => id);
    const query = { status: 'scheduled', limit: 2 } as const;
    const first = await client.listShipments(query);
    await create();
    const cursor = String(first.next_cursor);
    const second = await client.listShipments({ ...query, cursor });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(created.toReversed());
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    for (const invalid of [{ cursor: 'AAAA' }, { cursor, status: 'delivered' as const }]) {
      await expect(client.listShipments({ ...query, ...invalid })).rejects.toMatchObject({ code: 'cursor_mismatch' });
    }
  });

  test('filters of a list select by several statuses, the tracking number and the last change', async ({ open }) => {
    const { client, create } = await open(target);
    const { created_at } = await create();
    const statuses = ['scheduled', 'dispatched', 'cancelled'] as const;
    const made = [];
    for (const status of statuses) made.push(await shipmentIn({ client }, status));
    const idsOf = async (query: Params<'listShipments'>) =>
      (await client.listShipments({ from_date: created_at, ...query })).data.map(({ id }) => id);
    const [scheduled, dispatched, cancelled] = made.map(({ id }) => id);
    expect(await idsOf({ status: ['dispatched', 'cancelled'] })).toEqual([cancelled, dispatched]);
    expect(await idsOf({ tracking_number: made[0]?.tracking_number })).toEqual([scheduled]);
    await client.cancelShipment({ shipment_id: String(scheduled), reason: 'No truck.' });
    const changes = { updated_since: created_at, from_date: null, status: statuses, limit: 3 };
    const first = await client.listShipments(changes);
    const second = await client.listShipments({ ...changes, cursor: first.next_cursor });
    expect([...first.data, ...second.data].slice(-3).map(({ id }) => id)).toEqual([dispatched, cancelled, scheduled]);
    await expect(idsOf({ updated_since: created_at })).rejects.toMatchObject({
      errors: [{ in: 'query', pointer: '/updated_since', code: 'not_allowed' }],
    });
  });
});

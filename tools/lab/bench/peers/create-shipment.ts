import type { ShipmentItemRequest, ShipmentRequest } from '@waybill/client';
import { accountId, app, listen, pool } from './server.ts';

const nextNumber = { name: 'number', text: `select nextval('tracking_sequence') as number` };
const insertShipment = {
  name: 'shipment',
  text: `
    insert into shipments (account_id, id, tracking_number, status, version, type, origin, destination, pickup_start,
                           pickup_end, reference, notes, details, updated_at)
    values ($1, uuidv7(), $2, 'scheduled', 1, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    returning id`,
};
const insertEvent = {
  name: 'event',
  text: `
    insert into tracking_events (account_id, shipment_id, version, status, occurred_at, description)
    values ($1, $2, 1, 'scheduled', $3, 'Shipment created')`,
};

const sum = (items: ShipmentItemRequest[], field: 'pieces' | 'weight_kg'): number =>
  items.reduce((total, item) => total + item[field], 0);

app.post<{ Body: ShipmentRequest }>('/v1/shipments', async ({ body }, reply) => {
  const { type, origin, destination, pickup_window, reference, notes, items } = body;
  const totals = items && { pieces: sum(items, 'pieces'), weight_kg: sum(items, 'weight_kg') };
  const now = new Date();
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { number } = (await client.query(nextNumber)).rows[0];
    const tracking_number = `FRT-${now.getUTCFullYear()}-${number.padStart(6, '0')}`;
    const columns = [
      type,
      origin,
      destination,
      pickup_window.start,
      pickup_window.end,
      reference,
      notes,
      items && { items },
      now,
    ];
    const { id } = (await client.query({ ...insertShipment, values: [accountId, tracking_number, ...columns] }))
      .rows[0];
    await client.query({ ...insertEvent, values: [accountId, id, now] });
    await client.query('commit');
    reply.code(201);
    return {
      id,
      status: 'scheduled',
      tracking_number,
      ...body,
      ...(totals && { totals }),
      created_at: now,
      updated_at: now,
    };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});
await listen();

import type { PositionsRequest } from '@waybill/client';
import { accountId, app, listen, pool } from './server.ts';

const findShipment = {
  name: 'find',
  text: 'select id, status, route_since from shipments where account_id = $1 and tracking_number = $2',
};
const insertPositions = {
  name: 'positions',
  text: `
    insert into positions (account_id, shipment_id, updated_at, lat, lng, address)
    select $1, $2, * from unnest($3::timestamptz[], $4::float8[], $5::float8[], $6::text[])
    on conflict (account_id, shipment_id, updated_at) do update set
      lat = excluded.lat, lng = excluded.lng, address = excluded.address`,
};
const upsertCurrent = {
  name: 'current',
  text: `
    insert into current_positions as old (account_id, shipment_id, updated_at, lat, lng, address)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (account_id, shipment_id) do update set
      updated_at = excluded.updated_at, lat = excluded.lat, lng = excluded.lng, address = excluded.address
    where old.updated_at is null or old.updated_at <= excluded.updated_at`,
};
const updateRoute = { name: 'route', text: 'update shipments set route_since = $3 where account_id = $1 and id = $2' };

type Route = { Params: { number: string }; Body: PositionsRequest };
app.post<Route>('/v1/tracking/:number/positions', async ({ params, body }, reply) => {
  const { positions } = body; // oldest first
  const [first, last] = [positions[0], positions.at(-1)];
  const client = await pool.connect();
  try {
    await client.query('begin');
    const [shipment] = (await client.query({ ...findShipment, values: [accountId, params.number] })).rows;
    if (!shipment || !first || !last) throw new Error('There is nothing to do');
    const columns = (['updated_at', 'lat', 'lng', 'address'] as const).map((name) => positions.map((it) => it[name]));
    await client.query({ ...insertPositions, values: [accountId, shipment.id, ...columns] });
    const current = [last.updated_at, last.lat, last.lng, last.address];
    await client.query({ ...upsertCurrent, values: [accountId, shipment.id, ...current] });
    if (!shipment.route_since || shipment.route_since > new Date(first.updated_at))
      await client.query({ ...updateRoute, values: [accountId, shipment.id, first.updated_at] });
    await client.query('commit');
    return { accepted: positions.length };
  } catch (error) {
    await client.query('rollback');
    return reply.code(409).send({ status: 409, detail: String(error) });
  } finally {
    client.release();
  }
});
await listen();

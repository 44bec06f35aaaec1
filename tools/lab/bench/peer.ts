import type { PositionsRequest, ShipmentItemRequest, ShipmentRequest, TimelineEntry } from '@waybill/client';
import Fastify from 'fastify';
import pg from 'pg';
import { groupedPositions } from './grouped-positions.ts';

/** A server written by hand. It does not authenticate: all requests are those of one account. */
const { ACCOUNT_ID: accountId, DATABASE_URL: connectionString = '', PORT } = process.env;
const [statements] = process.argv.slice(2);
const app = Fastify();
/** As many connections as the service has by default. */
const pool = new pg.Pool({ connectionString, max: 10 });
process.on('SIGTERM', () => process.exit());

type Query = (statement: pg.QueryConfig, values: unknown[]) => Promise<pg.QueryResultRow[]>;

async function transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(async (statement, values) => (await client.query({ ...statement, values })).rows);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Of getTracking, with `timeline` in one query, and with `id` in two. */
const trackingQuery = (column: string): string => `
  select s.tracking_number, s.status, c.eta, c.lat, c.lng, c.address, c.updated_at, ${column}
  from shipments s
  left join current_positions c on c.account_id = s.account_id and c.shipment_id = s.id
  where s.account_id = $1 and s.tracking_number = $2`;
const oneQuery = {
  name: 'tracking',
  text: trackingQuery(`
    (select json_agg(json_build_object('id', e.version::text, 'status', e.status, 'timestamp', e.occurred_at,
                                       'description', e.description, 'recorded_at', e.occurred_at)
                     order by e.version)
     from tracking_events e where e.account_id = s.account_id and e.shipment_id = s.id) as timeline`),
};
const name = (text: string) => (statements === 'unnamed' ? {} : { name: text });
const shipmentQuery = { ...name('shipment'), text: trackingQuery('s.id') };
const timelineQuery = {
  ...name('timeline'),
  text: `select version::text as id, status, occurred_at as timestamp, description, occurred_at as recorded_at
         from tracking_events
         where account_id = $1 and shipment_id = $2 order by version`,
};
async function trackingOf(number: string) {
  const query = async (statement: pg.QueryConfig, value: string): Promise<pg.QueryResultRow[]> =>
    (await pool.query({ ...statement, values: [accountId, value] })).rows;
  const [row] = await query(statements === 'one' ? oneQuery : shipmentQuery, number);
  if (!row) throw new Error('There is no such shipment');
  const { tracking_number, status, eta, lat, lng, address, updated_at, id } = row;
  const timeline: TimelineEntry[] = row.timeline ?? (await query(timelineQuery, id));
  return {
    tracking_number,
    status,
    eta,
    current_location: lat === null ? null : { lat, lng, address, updated_at },
    timeline: timeline.map((entry) => ({
      ...entry,
      timestamp: new Date(entry.timestamp),
      recorded_at: new Date(entry.recorded_at),
    })),
  };
}
app.get<{ Params: { number: string } }>('/v1/tracking/:number', ({ params }) => trackingOf(params.number));

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
app.get<{ Querystring: { number: string } }>('/t/:token', async ({ query: { number } }, reply) => {
  const { tracking_number, status, eta, current_location, timeline } = await trackingOf(number);
  const steps = timeline.map(
    ({ timestamp, description }) => `<li><time>${timestamp.toISOString()}</time> ${escapeHtml(description)}</li>`,
  );
  reply.type('text/html; charset=utf-8');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${tracking_number}</title>
<style>body { font-family: sans-serif; margin: 2rem auto; max-width: 40rem }</style>
<h1>${tracking_number}</h1><p>${status}, expected ${eta?.toISOString()}, at ${escapeHtml(current_location?.address ?? '')}
<ol>${steps.join('')}</ol></html>`;
});

/** One more than the page has: whether there is another page. */
const listShipments = {
  name: 'shipments',
  text: `
    select id, status, tracking_number, type, origin, destination, pickup_start, pickup_end, reference, notes, details, updated_at
    from shipments where account_id = $1 order by id desc limit $2`,
};
app.get<{ Querystring: { limit: number } }>('/v1/shipments', async ({ query: { limit } }) => {
  const { rows } = await pool.query({ ...listShipments, values: [accountId, Number(limit) + 1] });
  const data = rows.slice(0, limit).map(({ pickup_start, pickup_end, reference, notes, details, ...row }) => ({
    ...row,
    pickup_window: { start: pickup_start, end: pickup_end },
    ...(reference !== null && { reference }),
    ...(notes !== null && { notes }),
    ...details,
    created_at: new Date(Number.parseInt(row.id.slice(0, 8) + row.id.slice(9, 13), 16)),
  }));
  const has_more = rows.length > limit;
  return { data, has_more, next_cursor: has_more ? data.at(-1)?.id : null };
});

const listEvents = {
  name: 'events',
  text: `
    select number::text as id, type, created_at, data
    from events where account_id = $1 and number > $2 order by number limit $3`,
};
app.get<{ Querystring: { limit: number; after?: number } }>('/v1/events', async ({ query: { limit, after = 0 } }) => {
  const { rows } = await pool.query({ ...listEvents, values: [accountId, after, Number(limit) + 1] });
  const data = rows.slice(0, limit);
  return { data, has_more: rows.length > limit, next_after: data.at(-1)?.id };
});

const nextNumber = { name: 'number', text: `select nextval('tracking_sequence') as number` };
const insertShipment = {
  name: 'insert',
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
const sum = (items: ShipmentItemRequest[], of: (item: ShipmentItemRequest) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
/** Of items in kilograms. */
function totalsOf(items: ShipmentItemRequest[]) {
  const weight_kg = sum(items, ({ weight }) => weight.value);
  const weight_lb = Math.round((weight_kg / 0.45359237) * 1000) / 1000;
  return { pieces: sum(items, ({ pieces }) => pieces), weight: { value: weight_kg, unit: 'kg' }, weight_kg, weight_lb };
}
app.post<{ Body: ShipmentRequest }>('/v1/shipments', async ({ body }, reply) => {
  const { type, origin, destination, pickup_window: pickup, reference, notes, items } = body;
  const totals = items && totalsOf(items);
  const now = new Date();
  reply.code(201);
  return transaction(async (query) => {
    const [{ number } = {}] = await query(nextNumber, []);
    const tracking_number = `FRT-${now.getUTCFullYear()}-${number.padStart(6, '0')}`;
    const details = [type, origin, destination, pickup.start, pickup.end, reference, notes, items && { items }];
    const [{ id } = {}] = await query(insertShipment, [accountId, tracking_number, ...details, now]);
    await query(insertEvent, [accountId, id, now]);
    const assigned = { id, status: 'scheduled', tracking_number, created_at: now, updated_at: now };
    return { ...assigned, ...body, ...(totals && { totals }) };
  });
});

const findShipment = {
  name: 'find',
  text: 'select id, route_since from shipments where account_id = $1 and tracking_number = $2',
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
const recordAlone = (number: string, { positions }: PositionsRequest) =>
  transaction(async (query) => {
    const [first, last] = [positions[0], positions.at(-1)]; // oldest first
    const [shipment] = await query(findShipment, [accountId, number]);
    if (!shipment || !first || !last) throw new Error('There is nothing to do');
    const columns = (['updated_at', 'lat', 'lng', 'address'] as const).map((name) => positions.map((it) => it[name]));
    await query(insertPositions, [accountId, shipment.id, ...columns]);
    await query(upsertCurrent, [accountId, shipment.id, last.updated_at, last.lat, last.lng, last.address]);
    if (!shipment.route_since || shipment.route_since > new Date(first.updated_at))
      await query(updateRoute, [accountId, shipment.id, first.updated_at]);
  });
const recordTogether = groupedPositions(pool, accountId);
app.post<Route>('/v1/tracking/:number/positions', async ({ params: { number }, headers, body }) => {
  if (statements === 'grouped') await recordTogether(number, String(headers['idempotency-key']), body);
  else await recordAlone(number, body);
  return { accepted: body.positions.length };
});

await app.listen({ host: '127.0.0.1', port: Number(PORT) });

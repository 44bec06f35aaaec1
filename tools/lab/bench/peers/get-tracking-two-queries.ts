import { accountId, app, listen, pool } from './server.ts';
import { trackingFrom } from './tracking.ts';

const isNamed = process.argv[2] === 'named';
const statement = (name: string, text: string) => (isNamed ? { name, text } : { text });
const shipmentQuery = statement(
  'shipment',
  `select s.id, s.tracking_number, s.status, c.eta, c.lat, c.lng, c.address, c.updated_at
   from shipments s
   left join current_positions c on c.account_id = s.account_id and c.shipment_id = s.id
   where s.account_id = $1 and s.tracking_number = $2`,
);
const timelineQuery = statement(
  'timeline',
  `select status, occurred_at as timestamp, description from tracking_events
   where account_id = $1 and shipment_id = $2 order by version`,
);

app.get<{ Params: { number: string } }>('/v1/tracking/:number', async ({ params }, reply) => {
  const [shipment] = (await pool.query({ ...shipmentQuery, values: [accountId, params.number] })).rows;
  if (!shipment) return reply.code(404).send({ status: 404 });
  const timeline = await pool.query({ ...timelineQuery, values: [accountId, shipment.id] });
  return trackingFrom(shipment, timeline.rows);
});
await listen();

import { accountId, app, listen, pool } from './server.ts';
import { trackingFrom } from './tracking.ts';

const text = `
  select s.tracking_number, s.status, c.eta, c.lat, c.lng, c.address, c.updated_at,
    (select json_agg(json_build_object('status', e.status, 'timestamp', e.occurred_at, 'description', e.description)
                     order by e.version)
     from tracking_events e where e.account_id = s.account_id and e.shipment_id = s.id) as timeline
  from shipments s
  left join current_positions c on c.account_id = s.account_id and c.shipment_id = s.id
  where s.account_id = $1 and s.tracking_number = $2`;

app.get<{ Params: { number: string } }>('/v1/tracking/:number', async ({ params }, reply) => {
  const { rows } = await pool.query({ name: 'tracking', text, values: [accountId, params.number] });
  return rows[0] ? trackingFrom(rows[0], rows[0].timeline) : reply.code(404).send({ status: 404 });
});
await listen();

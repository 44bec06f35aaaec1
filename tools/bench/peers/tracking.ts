import type pg from 'pg';
import { accountId } from './server.ts';

const text = `
  select s.tracking_number, s.status, c.eta, c.lat, c.lng, c.address, c.updated_at,
    (select json_agg(json_build_object('status', e.status, 'timestamp', e.occurred_at, 'description', e.description)
                     order by e.version)
     from tracking_events e where e.account_id = s.account_id and e.shipment_id = s.id) as timeline
  from shipments s
  left join current_positions c on c.account_id = s.account_id and c.shipment_id = s.id
  where s.account_id = $1 and s.tracking_number = $2`;

/** Reads the tracking status with one named statement. */
export async function readTracking(db: pg.Pool | pg.PoolClient, number: string): Promise<object | undefined> {
  const { rows } = await db.query({ name: 'tracking', text, values: [accountId, number] });
  return rows[0] && trackingFrom(rows[0], rows[0].timeline);
}

interface Shipment {
  tracking_number: string;
  status: string;
  eta: Date | null;
  lat: number | null;
  lng: number | null;
  address: string | null;
  updated_at: Date | null;
}

/** The body of a response with the tracking status. */
export function trackingFrom(row: Shipment, timeline: { timestamp: string | Date }[]): object {
  const { tracking_number, status, eta, lat, lng, address, updated_at } = row;
  return {
    tracking_number,
    status,
    eta,
    current_location: lat === null ? null : { lat, lng, address, updated_at },
    timeline: timeline.map((entry) => ({ ...entry, timestamp: new Date(entry.timestamp) })),
  };
}

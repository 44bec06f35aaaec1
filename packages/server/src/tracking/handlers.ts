import type { components } from '@waybill/contract/types';
import type { Handler } from '../contract/operations.ts';
import { Problem } from '../problems.ts';
import { keepSighting, selectTracking, type TrackingRow } from './queries.ts';
import { takeStep } from './step.ts';

export const noTracking = (): Problem => new Problem('not_found', 'There is no such tracking number.');

export const getTracking: Handler<'getTracking'> = async ({ path }, { account, load }) => {
  const row = await load.tracking(account, path.tracking_number);
  if (!row) throw noTracking();
  return { status: 200, body: trackingFrom(row) };
};

export const recordTrackingEvent: Handler<'recordTrackingEvent'> = async ({ path, body }, { account, db, now }) => {
  const { tracking_number } = path;
  const shipmentId = await takeStep(db, account, tracking_number, {
    operation: 'recordTrackingEvent',
    to: body.status,
    field: 'timestamp',
    occurredAt: new Date(body.timestamp),
    description: body.description,
    now,
  });
  await keepSighting(db, account, shipmentId, {
    at: new Date(body.timestamp),
    location: body.location,
    eta: body.eta,
  });
  // A second statement: one that writes does not see its own effect.
  const [row] = await selectTracking(db)([account], [tracking_number]);
  if (!row) throw new Error('A shipment vanished inside a transaction');
  return { status: 201, body: trackingFrom(row) };
};

function trackingFrom(row: TrackingRow): components['schemas']['TrackingStatus'] {
  const { lat, lng, address, updated_at } = row;
  const known = lat !== null && lng !== null && updated_at !== null;
  return {
    tracking_number: row.tracking_number,
    status: row.status,
    eta: row.eta?.toISOString() ?? null,
    current_location: known ? { lat, lng, address, updated_at: updated_at.toISOString() } : null,
    timeline: row.timeline.map(({ status, timestamp, description }) => ({
      status,
      timestamp: new Date(timestamp).toISOString(),
      description,
    })),
  };
}

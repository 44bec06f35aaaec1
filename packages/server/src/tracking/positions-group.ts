import { movingStatuses, type NewPosition, reportFrom, storingStatuses } from '@waybill/http/shipments/tracking';
import { type RawBuilder, sql } from 'kysely';
import { groupCommit, lockTimeoutRow } from '../database/group-commit.ts';
import { type RowStatement, rowStatement } from '../database/row-statement.ts';
import { insertFeedEvents, lockFeedsAfter } from '../event-feed/append.ts';
import type { PreparedResponse } from '../idempotency/execute-write.ts';
import {
  insertResponses,
  isUnexpired,
  type NewStoredResponse,
  newStoredResponse,
  storedAt,
  storedResponseColumns,
} from '../idempotency/stored-responses.ts';
import type { GroupHandler } from '../operations/handler-types.ts';
import { currentColumns, isOtherPosition, newestWins } from './positions.ts';

/** A request to record positions. */
interface PositionsWrite {
  row: Omit<RequestRow, 'ordinal'>;
  positions: NewPosition[];
  prepared: PreparedResponse;
}

/** A request with its newest position and its estimated arrival. */
interface RequestRow extends NewStoredResponse {
  ordinal: number;
  account_id: string;
  tracking_number: string;
  earliest: Date;
  updated_at: Date;
  lat: number;
  lng: number;
  address: string | null;
  eta: Date | null;
}

/** A position of the request with the same ordinal. */
interface PositionRow {
  ordinal: number;
  updated_at: Date;
  lat: number;
  lng: number;
  address: string | null;
}

interface Outcome {
  ordinal: number;
  result: 'recorded' | 'key_used' | 'execute_alone';
}

const isOneOf = (column: string, statuses: string[]): RawBuilder<boolean> =>
  sql`${sql.ref(column)} in (${sql.join(statuses.map((status) => sql.lit(status)))})`;

/** A timestamp as JavaScript writes it. */
const isoText = (column: string): RawBuilder<unknown> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Records positions of several shipments, stores the responses and appends events, in one statement. It locks the shipments,
 * in one order on all instances, so that they do not wait for each other in a circle. A request is left out when its key has
 * a stored response (`key_used`, or `execute_alone` if that is expired), and when it has no shipment that accepts
 * positions or another transaction has locked it (`execute_alone`).
 * @throws an error of PostgreSQL when another transaction stores a key meanwhile; then nothing is stored
 */
const recordGroup: RowStatement<{ requests: RequestRow; positions: PositionRow }, Outcome> = rowStatement(
  {
    requests: {
      ...{ ordinal: 'integer', account_id: 'uuid', tracking_number: 'text', earliest: 'timestamptz' },
      ...{ updated_at: 'timestamptz', lat: 'float8', lng: 'float8', address: 'text', eta: 'timestamptz' },
      ...storedResponseColumns,
    },
    positions: { ordinal: 'integer', updated_at: 'timestamptz', lat: 'float8', lng: 'float8', address: 'text' },
  },
  ({ requests, positions }) => sql`
    with lock_timeout as materialized ${lockTimeoutRow},
    request as materialized (
      select r.*, ${storedAt('r')} as stored_at from lock_timeout, ${requests} r
    ),
    shipment as materialized (
      select r.ordinal, s.account_id, s.id, s.status, s.tracking_number
      from request r join shipments s on s.account_id = r.account_id and s.tracking_number = r.tracking_number
      where r.stored_at is null
      order by s.account_id, s.id for no key update of s skip locked
    ),
    accepted as materialized (
      select s.id, s.status, r.* from shipment s join request r using (ordinal)
      where ${isOneOf('s.status', storingStatuses)}
    ),
    response as (${insertResponses(sql`accepted`)} returning 1),
    route_start as (
      update shipments s set route_since = a.earliest from accepted a
      where s.account_id = a.account_id and s.id = a.id and (s.route_since is null or s.route_since > a.earliest)
    ),
    history as (
      insert into positions as old (account_id, shipment_id, updated_at, lat, lng, address)
      select a.account_id, a.id, p.updated_at, p.lat, p.lng, p.address
      from ${positions} p join accepted a using (ordinal)
      on conflict (account_id, shipment_id, updated_at) do update
        set lat = excluded.lat, lng = excluded.lng, address = excluded.address
        where ${isOtherPosition('old')}
      returning 1
    ),
    current_position as (
      insert into current_positions as old (account_id, shipment_id, ${currentColumns})
      select account_id, id, updated_at, lat, lng, address, eta, true, eta is not null
      from accepted where ${isOneOf('status', movingStatuses)}
      ${newestWins(sql`excluded.updated_at`)}
    ),
    change as materialized (
      select c.account_id, c.shipment_id, t.ordinal, t.type, jsonb_build_object('tracking_change', jsonb_build_object(
          'tracking_number', a.tracking_number, 'status', a.status, 'eta', ${isoText('c.eta')},
          'current_location', jsonb_build_object(
            'lat', c.lat, 'lng', c.lng, 'address', c.address, 'updated_at', ${isoText('c.updated_at')}))) as data
      from current_position c
      join accepted a on a.account_id = c.account_id and a.id = c.shipment_id
      cross join lateral (values
        (1, 'tracking.location_changed', c.location_changed), (2, 'tracking.eta_changed', c.eta_changed)
      ) t (ordinal, type, has_changed)
      where t.has_changed
    ),
    -- The other insertions wait for nothing, because the shipments are locked.
    feed as materialized (${lockFeedsAfter(['response', 'history'], sql`change`)}),
    feed_event as (
      ${insertFeedEvents(sql`(
        select account_id, type, shipment_id, data from feed join change using (account_id) order by ordinal) ordered`)}
    )
    select r.ordinal, case
      when ${isUnexpired('r.stored_at')} then 'key_used'
      when a.ordinal is not null then 'recorded'
      else 'execute_alone' end as result
    from request r left join accepted a using (ordinal)`,
);

const groupOptions = {
  name: 'record_positions',
  maxRunning: 2,
  maxItems: 64,
  /** In positions. */
  weight: { max: 2_000, of: ({ positions }: PositionsWrite) => positions.length },
  /** The reports of a shipment are stored one after the other, in the order in which they arrive. */
  exclusiveKey: ({ row }: PositionsWrite) => `${row.account_id} ${row.tracking_number}`,
};

const recordTogether = groupCommit(groupOptions, async (db, writes: PositionsWrite[]) => {
  const results = await recordGroup(db, {
    requests: writes.map(({ row }, ordinal) => ({ ...row, ordinal })),
    positions: writes.flatMap(({ positions }, ordinal) =>
      positions.map(({ occurredAt: updated_at, lat, lng, address }) => ({ ordinal, updated_at, lat, lng, address })),
    ),
  });
  const resultOf = new Map(results.map(({ ordinal, result }) => [ordinal, result]));
  return writes.map(({ prepared }, ordinal) => {
    const result = resultOf.get(ordinal);
    if (!result) throw new Error('PostgreSQL returned no result for a request');
    return result === 'recorded' ? prepared : result;
  });
});

/** Records positions together with concurrent requests, at most one of each shipment. Its response is known before. */
export const recordPositionsInGroup: GroupHandler<'recordPositions'> = async ({ path, body }, context) => {
  const { accountId, db, keyedRequest, now, positionDays, prepareResponse } = context;
  const { positions, eta, at } = reportFrom(body, positionDays, now);
  const newest = positions.find(({ occurredAt }) => occurredAt.getTime() === at.getTime());
  if (!newest) throw new Error('A request has no position');
  const prepared = prepareResponse({ status: 200, body: { accepted: body.positions.length } });
  const { lat, lng, address } = newest;
  const earliest = new Date(Math.min(...positions.map(({ occurredAt }) => occurredAt.getTime())));
  const row = {
    ...{ account_id: accountId, tracking_number: path.tracking_number, earliest, updated_at: at },
    ...{ lat, lng, address, eta, ...newStoredResponse(keyedRequest, prepared.response) },
  };
  return recordTogether(db, { row, positions, prepared });
};

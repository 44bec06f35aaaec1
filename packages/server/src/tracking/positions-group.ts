import { sql } from 'kysely';
import { limitLockWaits, writeGroups } from '../database/batches.ts';
import type { Database } from '../database/database.ts';
import { isOneOf, isoText, jsonObject, literal } from '../database/expressions.ts';
import { type RowStatement, resultsOf, rowStatement, rowsOf } from '../database/row-statement.ts';
import { insertFeedEvents, lockFeedsOf, type NewEvent } from '../event-feed/append.ts';
import type { GroupResult } from '../operations/commit-write.ts';
import type { Write } from '../operations/route-handlers.ts';
import {
  expiredBefore,
  insertResponses,
  type ResponseColumns,
  responseColumnTypes,
  selectStoredAt,
} from '../operations/stored-responses.ts';
import { currentColumns, lastReceivedWins, newestWins } from './positions.ts';
import { earliestOf, movingStatuses, type NewPosition, newestOf, reportFrom, storingStatuses } from './reports.ts';

type EventType = NewEvent['type'];

/** A request to record positions. */
interface PositionsWrite {
  row: Omit<RequestRow, 'ordinal' | 'first_position' | 'last_number'>;
  positions: NewPosition[];
}

/** A request with its newest position and its estimated arrival. */
interface RequestRow extends ResponseColumns {
  ordinal: number;
  /** The indexes of its first and its last position, which begin at 1. */
  first_position: number;
  last_number: number;
  account_id: string;
  tracking_number: string;
  earliest: Date;
  updated_at: Date;
  lat: number;
  lng: number;
  address: string | null;
  eta: Date | null;
}

/** A position. Those of a request follow each other. */
interface PositionRow {
  updated_at: Date;
  lat: number;
  lng: number;
  address: string | null;
}

interface RecordResult {
  /** The ordinal of the request. */
  id: number;
  result: GroupResult;
}

/** The data of the events of a change: `changeEvents` makes the same in JavaScript. */
const changeData = jsonObject({
  tracking_change: jsonObject({
    tracking_number: sql.ref('a.tracking_number'),
    status: sql.ref('a.status'),
    eta: isoText(sql.ref('c.eta')),
    current_location: jsonObject({
      lat: sql.ref('c.lat'),
      lng: sql.ref('c.lng'),
      address: sql.ref('c.address'),
      updated_at: isoText(sql.ref('c.updated_at')),
    }),
  }),
});

/**
 * Records positions of several shipments, stores the responses and appends events, in one statement. It locks the shipments,
 * in one order on all instances, so that there is no deadlock. A request is left out when its key has
 * a stored response (`key_taken`, or `commit_alone` if that is expired), and when it has no shipment that accepts
 * positions or another transaction has locked it (`commit_alone`).
 * @throws an error of PostgreSQL when another transaction stores a key meanwhile; then nothing is stored
 */
const insertReportGroup: RowStatement<{ requests: RequestRow; positions: PositionRow }, RecordResult> = rowStatement(
  {
    requests: rowsOf<RequestRow>({
      ordinal: 'integer',
      first_position: 'integer',
      last_number: 'integer',
      account_id: 'uuid',
      tracking_number: 'text',
      earliest: 'timestamptz',
      updated_at: 'timestamptz',
      lat: 'float8',
      lng: 'float8',
      address: 'text',
      eta: 'timestamptz',
      ...responseColumnTypes,
    }),
    positions: rowsOf<PositionRow>({
      updated_at: 'timestamptz',
      lat: 'float8',
      lng: 'float8',
      address: 'text',
    }),
  },
  (db, { requests, positions }) =>
    db
      .with((cte) => cte('lock_timeout').materialized(), limitLockWaits)
      .with(
        (cte) => cte('request').materialized(),
        (from) =>
          from
            .selectFrom(['lock_timeout', requests.as('r')])
            .selectAll('r')
            .select(selectStoredAt(db, 'r').as('stored_at')),
      )
      .with(
        (cte) => cte('shipment').materialized(),
        (from) =>
          from
            .selectFrom('request as r')
            .innerJoin('shipments as s', (join) =>
              join.onRef('s.account_id', '=', 'r.account_id').onRef('s.tracking_number', '=', 'r.tracking_number'),
            )
            .selectAll('r')
            .select(['s.id', 's.status'])
            .where('r.stored_at', 'is', null)
            .orderBy('s.account_id')
            .orderBy('s.id')
            .forNoKeyUpdate('s')
            .skipLocked(),
      )
      .with(
        (cte) => cte('accepted').materialized(),
        (from) => from.selectFrom('shipment').selectAll().where(isOneOf('status', storingStatuses)),
      )
      .with('response', () => insertResponses(db, 'accepted'))
      .with('route_start', (update) =>
        update
          .updateTable('shipments as s')
          .from('accepted as a')
          .set((eb) => ({ route_since: eb.ref('a.earliest') }))
          .whereRef('s.account_id', '=', 'a.account_id')
          .whereRef('s.id', '=', 'a.id')
          .where((eb) => eb.or([eb('s.route_since', 'is', null), eb('s.route_since', '>', eb.ref('a.earliest'))])),
      )
      .with('history', (into) =>
        into
          .insertInto('positions')
          .columns(['account_id', 'shipment_id', 'updated_at', 'lat', 'lng', 'address'])
          .expression((from) =>
            from
              .selectFrom('accepted as a')
              // Not a join by ordinals, which would compare each position with each request.
              .crossJoinLateral(positions.slice('p', 'a.first_position', 'a.last_number'))
              .select(['a.account_id', 'a.id', 'p.updated_at', 'p.lat', 'p.lng', 'p.address']),
          )
          .onConflict(lastReceivedWins)
          .returning('account_id'),
      )
      .with('current_position', (into) =>
        into
          .insertInto('current_positions')
          .columns(['account_id', 'shipment_id', ...currentColumns])
          .expression((from) =>
            from
              .selectFrom('accepted')
              .select((eb) => [
                'account_id',
                'id',
                'updated_at',
                'lat',
                'lng',
                'address',
                'eta',
                eb.lit(true).as('location_changed'),
                eb('eta', 'is not', null).as('eta_changed'),
              ])
              .where(isOneOf('status', movingStatuses)),
          )
          .onConflict(newestWins(sql.ref('excluded.updated_at')))
          .returning(['account_id', 'shipment_id', ...currentColumns]),
      )
      .with('changed', (from) =>
        from
          .selectFrom('current_position as c')
          .innerJoin('accepted as a', (join) =>
            join.onRef('a.account_id', '=', 'c.account_id').onRef('a.id', '=', 'c.shipment_id'),
          )
          .select(['c.account_id', 'c.shipment_id', 'c.location_changed', 'c.eta_changed', changeData.as('data')]),
      )
      .with(
        (cte) => cte('change').materialized(),
        (from) => {
          const changes = from.selectFrom('changed').select(['account_id', 'shipment_id', 'data']);
          const located = literal<EventType>('tracking.location_changed').as('type');
          const delayed = literal<EventType>('tracking.eta_changed').as('type');
          return changes
            .select((eb) => [eb.lit<number>(1).as('ordinal'), located])
            .where('location_changed', '=', sql.lit(true))
            .unionAll(
              changes
                .select((eb) => [eb.lit<number>(2).as('ordinal'), delayed])
                .where('eta_changed', '=', sql.lit(true)),
            );
        },
      )
      // Not after the other insertions: they wait for nothing, because the shipments are locked.
      .with((cte) => cte('feed').materialized(), lockFeedsOf(['response', 'history', 'change']))
      .with('feed_event', (from) =>
        insertFeedEvents(
          db,
          from
            .selectFrom('feed')
            .innerJoin('change', 'change.account_id', 'feed.account_id')
            .select(['change.account_id', 'type', 'shipment_id', 'data'])
            .orderBy('ordinal'),
        ),
      )
      .selectFrom('request as r')
      .leftJoin('accepted as a', 'a.ordinal', 'r.ordinal')
      .select((eb) => [
        'r.ordinal as id',
        eb
          .case()
          .when('r.stored_at', '>', expiredBefore)
          .then(literal('key_taken'))
          .when('a.ordinal', 'is not', null)
          .then(literal('committed'))
          .else(literal('commit_alone'))
          .end()
          .as('result'),
      ]),
);

/** Makes the function that records positions together with concurrent requests, at most one of each shipment. */
export function positionsInGroups(
  database: Database,
  positionDays: number,
): NonNullable<Write<'recordPositions'>['planForGroup']> {
  const join = writeGroups<PositionsWrite, GroupResult>(
    database,
    {
      name: 'record_positions',
      /** In positions. */
      size: { max: 2_000, of: ({ positions }: PositionsWrite) => positions.length },
      /** The reports of a shipment are stored one after the other, in the order in which they arrive. */
      exclusiveKey: ({ row }: PositionsWrite) => `${row.account_id} ${row.tracking_number}`,
    },
    async (writes) => {
      let last_number = 0;
      const requests = writes.map(({ row, positions }, ordinal) => {
        const first_position = last_number + 1;
        last_number += positions.length;
        return { ...row, ordinal, first_position, last_number };
      });
      const positions = writes.flatMap((write) =>
        write.positions.map(({ occurredAt: updated_at, lat, lng, address }) => ({ updated_at, lat, lng, address })),
      );
      const results = await insertReportGroup(database, { requests, positions });
      return resultsOf([...writes.keys()], results);
    },
  );
  return async ({ path, body }, { accountId, now }) => {
    const { report, accepted } = reportFrom(body, positionDays, now);
    const { positions, eta } = report;
    const newest = newestOf(report);
    if (!newest) throw new Error('A request has no position');
    const { lat, lng, address, occurredAt } = newest;
    const row = {
      account_id: accountId,
      tracking_number: path.tracking_number,
      earliest: earliestOf(positions),
      updated_at: occurredAt,
      lat,
      lng,
      address,
      eta,
    };
    return {
      response: { status: 200, body: accepted },
      joinGroup: (columns) => join({ row: { ...row, ...columns }, positions }),
    };
  };
}

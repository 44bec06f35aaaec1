import { type InsertQueryBuilder, type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { isOneOf, isoText, jsonObject, literal, setLockTimeout } from '../database/statements/expressions.ts';
import { inLockOrder, type RowStatement, rowStatement, rowsOf } from '../database/statements/row-statement.ts';
import type { Tables } from '../database/tables.ts';
import { eventRow, type NewEvent, type NewEventRow } from '../event-feed/append.ts';
import { insertFeedEvents, lockFeedsOf } from '../event-feed/append-in-statement.ts';
import { groupCommit, groupLockTimeout } from '../operations/group-commit.ts';
import { type ResponseRow, responseColumns, responseColumnTypes } from '../operations/stored-responses.ts';
import type { PlannedWrite } from '../operations/write.ts';
import { currentColumns, lastReceivedWins, newestWins, positionColumns, storeReport, untilEnd } from './positions.ts';
import { lockShipment, trackedColumns } from './queries.ts';
import {
  earliestOf,
  movingStatuses,
  newestOf,
  type Position,
  positionsNotAccepted,
  type Report,
  reportFrom,
  storingStatuses,
} from './reports.ts';

type EventType = NewEvent['type'];

/** A request to record positions. */
interface Recording {
  trackingNumber: string;
  report: Report;
}
type RecordingWithResponse = Recording & { response: ResponseRow };

/** The same as a row: its newest position and its estimated arrival. */
interface RequestRow extends ResponseRow, Position {
  ordinal: number;
  /** The indexes of its first and its last position, which begin at 1. */
  first_position: number;
  last_position: number;
  tracking_number: string;
  /** Of its positions. */
  earliest: Date;
  latest: Date;
  eta: Date | null;
  /** How many of its positions agree with the newest one. */
  agreeing: number;
  /** When `eta` was reported; null if it was not. */
  eta_at: Date | null;
}

/** The time that the positions of a group report. */
type Span = Pick<RequestRow, 'earliest' | 'latest'>;

const historyColumns = ['account_id', 'shipment_id', ...positionColumns] as const;
/** What they get from an accepted request and a position. */
const rowColumns = ['account_id', 'id', ...positionColumns] as const;
const positionTypes = { updated_at: 'timestamptz', lat: 'float8', lng: 'float8', address: 'text' };

/** The data of the events of a change: `changeEvents` makes the same in JavaScript. */
const changeData = jsonObject({
  tracking_change: jsonObject({
    tracking_number: sql.ref('a.tracking_number'),
    status: sql.ref('a.shipment_status'),
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
 * Records positions of several shipments, stores the responses and appends events, in one statement, which is faster than
 * several on PostgreSQL (decision 0021). It locks the shipments, in one order on all instances, so that there is no deadlock.
 * The positions of a request follow each other. A request is left out when its shipment does not move, such as after its end, or another transaction has
 * locked it.
 *
 * Most requests report a time of which no position is stored: theirs are inserted without a search for each, which costs a
 * fifth of the CPU time. Columns that are compared come first, because PostgreSQL reads those before them, too.
 * @returns the ordinals of the requests that are not left out
 * @throws an error of PostgreSQL when a key is taken; then nothing is stored
 */
const insertReportGroup: RowStatement<{ requests: RequestRow; positions: Position; spans: Span }, { ordinal: number }> =
  rowStatement(
    {
      requests: rowsOf<RequestRow>({
        ...responseColumnTypes,
        ordinal: 'integer',
        first_position: 'integer',
        last_position: 'integer',
        tracking_number: 'text',
        earliest: 'timestamptz',
        latest: 'timestamptz',
        ...positionTypes,
        eta: 'timestamptz',
        eta_at: 'timestamptz',
        agreeing: 'integer',
      }),
      positions: rowsOf<Position>(positionTypes),
      spans: rowsOf<Span>({ earliest: 'timestamptz', latest: 'timestamptz' }),
    },
    (db, { requests, positions, spans }) =>
      db
        .with(
          (cte) => cte('lock_timeout').materialized(),
          (from) => from.selectNoFrom(setLockTimeout(groupLockTimeout).as('lock_timeout')),
        )
        .with(
          (cte) => cte('shipment').materialized(),
          (from) =>
            from
              .selectFrom(['lock_timeout', requests.as('r')])
              .innerJoin('shipments as s', (join) =>
                join.onRef('s.account_id', '=', 'r.account_id').onRef('s.tracking_number', '=', 'r.tracking_number'),
              )
              .select('s.id')
              .selectAll('r')
              .select(['s.status as shipment_status', 's.route_since'])
              .orderBy('s.account_id')
              .orderBy('s.id')
              .forNoKeyUpdate('s')
              .skipLocked(),
        )
        .with(
          (cte) => cte('accepted').materialized(),
          (from) =>
            from
              .selectFrom('shipment as s')
              .selectAll()
              .select((eb) =>
                eb
                  .exists(
                    eb
                      .selectFrom('positions as p')
                      .whereRef('p.account_id', '=', 's.account_id')
                      .whereRef('p.shipment_id', '=', 's.id')
                      .whereRef('p.updated_at', '>=', 's.earliest')
                      .whereRef('p.updated_at', '<=', 's.latest')
                      // Otherwise the statement would open the partitions of all days.
                      .where('p.updated_at', '>=', spans.first('earliest'))
                      .where('p.updated_at', '<=', spans.first('latest')),
                  )
                  .as('has_known'),
              )
              .where(isOneOf('shipment_status', movingStatuses)),
        )
        .with('response', () => insertResponsesOf(db, 'accepted'))
        .with('route_start', (update) =>
          update
            .updateTable('shipments as s')
            .from('accepted as a')
            .set((eb) => ({ route_since: eb.ref('a.earliest') }))
            .whereRef('s.account_id', '=', 'a.account_id')
            .whereRef('s.id', '=', 'a.id')
            .where((eb) => eb.or([eb('a.route_since', 'is', null), eb('a.route_since', '>', eb.ref('a.earliest'))])),
        )
        .with(
          (cte) => cte('position').materialized(),
          (from) =>
            from
              .selectFrom('accepted as a')
              // Not a join by ordinals, which would compare each position with each request.
              .crossJoinLateral(positions.slice('p', 'a.first_position', 'a.last_position'))
              .select(['has_known', 'a.account_id', 'a.id', 'p.updated_at', 'p.lat', 'p.lng', 'p.address']),
        )
        .with('history', (into) =>
          into
            .insertInto('positions')
            .columns(historyColumns)
            .expression((from) =>
              from.selectFrom('position').select(rowColumns).where('has_known', '=', sql.lit(false)),
            )
            .returning('account_id'),
        )
        .with('changed_history', (into) =>
          into
            .insertInto('positions')
            .columns(historyColumns)
            .expression((from) => from.selectFrom('position').select(rowColumns).where('has_known', '=', sql.lit(true)))
            .onConflict(lastReceivedWins)
            .returning('account_id'),
        )
        .with('current_position', (into) =>
          into
            .insertInto('current_positions')
            .columns(['account_id', 'shipment_id', ...currentColumns, 'agreeing', 'position_eta', 'position_eta_at'])
            .expression((from) =>
              from
                .selectFrom('accepted')
                .select((eb) => [
                  'account_id',
                  'id',
                  ...positionColumns,
                  'eta',
                  eb.lit(true).as('location_changed'),
                  eb('eta', 'is not', null).as('eta_changed'),
                  'agreeing',
                  eb.ref('eta').as('position_eta'),
                  eb.ref('eta_at').as('position_eta_at'),
                ]),
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
        .with((cte) => cte('feed').materialized(), lockFeedsOf(['response', 'history', 'changed_history', 'change']))
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
        .selectFrom('accepted')
        .select('ordinal'),
  );

/** Commits recordings in one statement. @returns those that it has left out */
async function insertReports(
  database: Database,
  recordings: RecordingWithResponse[],
): Promise<RecordingWithResponse[]> {
  let last_position = 0;
  const requests = recordings.map(({ trackingNumber: tracking_number, report, response }, ordinal): RequestRow => {
    const { positions, eta, at } = report;
    const first_position = last_position + 1;
    last_position += positions.length;
    const newest = newestOf(report);
    if (!newest) throw new Error('A request has no position');
    const request = { ordinal, first_position, last_position, tracking_number };
    const reported = { eta: eta ?? null, eta_at: eta === undefined ? null : at };
    return { ...response, ...request, earliest: earliestOf(positions), latest: at, ...newest, ...reported };
  });
  const positions = recordings.flatMap(({ report }) => report.positions);
  const latest = new Date(Math.max(...requests.map((request) => request.latest.getTime())));
  const spans = [{ earliest: earliestOf(positions), latest }];
  const committed = await insertReportGroup(database, { requests, positions, spans });
  const ordinals = new Set(committed.map(({ ordinal }) => ordinal));
  return recordings.filter((_, ordinal) => !ordinals.has(ordinal));
}

/**
 * Records positions by several statements: on Citus, and those that `insertReports` has left out.
 * @throws {Problem} not_found, positions_not_accepted
 */
async function storeReports(trx: Transaction<Tables>, recordings: RecordingWithResponse[]): Promise<NewEventRow[]> {
  const ordered = inLockOrder(recordings, nameOf);
  // Those of a phase are sent together.
  const shipments = await Promise.all(
    ordered.map(({ trackingNumber, response }) =>
      lockShipment(trx, response.account_id, { tracking_number: trackingNumber }, trackedColumns),
    ),
  );
  const refused = shipments.find(({ status }) => !storingStatuses.includes(status));
  if (refused) throw positionsNotAccepted(refused.status);
  const changes = await Promise.all(
    shipments.map(async (shipment, index) => {
      const report = await untilEnd(trx, shipment, (ordered[index] as Recording).report);
      if (report.positions.length === 0) throw positionsNotAccepted(shipment.status);
      const events = await storeReport(trx, shipment, report);
      return events.map((event) => eventRow(shipment.accountId, event));
    }),
  );
  return changes.flat();
}

const nameOf = ({ trackingNumber, response }: RecordingWithResponse): string =>
  `${response.account_id} ${trackingNumber}`;

/** Records positions together with concurrent requests, at most one of each shipment. */
export const positionRecording = (
  database: Database,
  positionDays: number,
): PlannedWrite<'recordPositions', Recording> => ({
  plan({ path, body }, { now }) {
    const { report, accepted } = reportFrom(body, positionDays, now);
    return { response: { status: 200, body: accepted }, planned: { trackingNumber: path.tracking_number, report } };
  },
  commit: groupCommit(database, {
    name: 'record_positions',
    /** In positions. */
    size: { max: 2_000, of: ({ report }) => report.positions.length },
    /** Reports of the same shipment are never in one group, and their groups run one after the other. */
    exclusiveKey: nameOf,
    change: storeReports,
    commitGroup: (recordings) => insertReports(database, recordings),
  }),
});

/** Inserts the responses of the rows that have a key, in the order of `storeResponses` (operations/stored-responses.ts). */
const insertResponsesOf = (
  db: Kysely<Tables>,
  table: string,
): InsertQueryBuilder<Tables, 'idempotency_keys', { account_id: string }> =>
  db
    .insertInto('idempotency_keys')
    .columns([...responseColumns, 'created_at'])
    .expression(
      db
        .selectFrom(sql.table<ResponseRow>(table).as('r'))
        .select(responseColumns)
        .select((eb) => eb.fn<Date>('now').as('created_at'))
        .where('key', 'is not', null)
        .orderBy('account_id')
        .orderBy(sql`key collate "C"`),
    )
    .returning('account_id');

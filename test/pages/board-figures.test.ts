import type { Client, Shipment, ShipmentException, TrackingStatus, WaybillEvent } from '@waybill/client';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { countTexts } from '@waybill/pages/board/shipments/coverage';
import { figuresOf, onTimeShare } from '@waybill/pages/board/shipments/figures';
import { maxHistory, type Part, readHistory } from '@waybill/pages/board/shipments/loading';
import { boardOf, entries, type Filter, punctualityOf } from '@waybill/pages/board/shipments/punctuality';
import { applyEvent, maxEnded, prune, type Rows } from '@waybill/pages/board/shipments/rows';
import { expect, test, vi } from 'vitest';

vi.mock('@waybill/pages/board/words', () => ({ numberText: String })); // it loads the texts of a language from the page

const zone = 'America/Los_Angeles';
const created = '2026-03-01T16:00:00.000Z';
/** A time of March 3. */
const day = (time: string): string => `2026-03-03T${time}Z`;

const { ExceptionOpen, ShipmentScheduled } = contract.components.examples;
const numberOf = (number: number): string => `FRT-2026-00000${number}`;
const shipment = (number: number, more: Partial<Shipment> = {}): Shipment => ({
  ...(ShipmentScheduled.value as Shipment),
  id: `ship_${number}`,
  tracking_number: numberOf(number),
  created_at: created,
  pickup_window: { start: '2026-03-02T16:00:00.000Z', end: '2026-03-02T20:00:00.000Z' },
  ...more,
});

/** A tracking status whose timeline has the statuses at these times. */
const tracking = (number: number, times: Record<string, string>, more: Partial<TrackingStatus> = {}) =>
  ({
    tracking_number: numberOf(number),
    status: Object.keys(times).at(-1) ?? '',
    eta: null,
    current_location: null,
    timeline: Object.entries(times).map(([status, timestamp]) => ({ status, timestamp, description: 'x' })),
    ...more,
  }) as TrackingStatus;

const exception = (id: string, code: string, resolved_at?: string): ShipmentException => ({
  ...(ExceptionOpen.value as ShipmentException),
  id,
  code,
  occurred_at: created,
  ...(resolved_at && { resolved_at }),
});

let position = 0;
const event = (type: WaybillEvent['type'], data: object): WaybillEvent =>
  ({ id: `evt_${++position}`, type, created_at: created, data }) as WaybillEvent;

const createdEvent = (number: number, more?: Partial<Shipment>) =>
  event('shipment.created', { shipment: shipment(number, more) });
const cancelledEvent = (number: number) =>
  event('shipment.cancelled', { shipment: shipment(number, { status: 'cancelled' }) });
const reached = (...given: Parameters<typeof tracking>) =>
  event('tracking.status_reached', { tracking: tracking(...given) });
const raised = (number: number, report: ShipmentException) => {
  const change = { shipment_id: `ship_${number}`, tracking_number: numberOf(number), status: 'in_transit' };
  const type = report.resolved_at ? 'tracking.exception_resolved' : 'tracking.exception_raised';
  return event(type, { exception_change: { ...change, exception: report } });
};

function rowsAfter(...events: WaybillEvent[]): Rows {
  const rows: Rows = new Map();
  for (const each of events) applyEvent(rows, each);
  return rows;
}

test('events make the rows, also when the last ones are applied again', () => {
  const current_location = { lat: 47, lng: -122, address: null, updated_at: day('10:00') };
  const moved = { status: 'dispatched', eta: day('20:00'), current_location };
  const events = [
    createdEvent(1),
    reached(1, { scheduled: created, dispatched: '2026-03-02T10:00:00.000Z' }),
    event('tracking.location_changed', { tracking_change: { ...tracking(1, {}), ...moved } }),
    raised(1, exception('exc_1', 'breakdown')),
    event('shipment.updated', { shipment: shipment(1, { notes: 'Dock 4' }) }),
    raised(1, exception('exc_1', 'breakdown', day('11:00'))),
  ];
  const rows = rowsAfter(...events);
  const row = () => rows.get(numberOf(1)) ?? expect.unreachable();
  expect(row().shipment.notes).toBe('Dock 4');
  expect(row().tracking).toMatchObject({ eta: day('20:00'), current_location });
  expect(row().tracking.timeline.map(({ status }) => status)).toEqual(['scheduled', 'dispatched']);
  expect(row().tracking.exceptions).toEqual([exception('exc_1', 'breakdown', day('11:00'))]);
  for (const each of events) applyEvent(rows, each);
  // The status of the second event is older than the exception, which a later event brings back.
  expect(row().tracking.exceptions).toEqual([exception('exc_1', 'breakdown', day('11:00'))]);
  applyEvent(rows, raised(1, exception('exc_2', 'closed')));
  expect(row().tracking.exceptions?.map(({ id }) => id)).toEqual(['exc_2', 'exc_1']); // the open one first
  applyEvent(rows, cancelledEvent(1));
  expect(row().tracking.status).toBe('cancelled');
  applyEvent(rows, event('tracking.event_voided', { tracking: tracking(1, { scheduled: created }) }));
  expect(row().tracking.status).toBe('scheduled');
  // A change of what is not on the board changes nothing.
  expect(applyEvent(rows, reached(2, { scheduled: created }))).toBeUndefined();
  expect(applyEvent(rows, event('webhook_endpoint.disabled', { webhook_endpoint: {} }))).toBeUndefined();
  expect([...rows.keys()]).toEqual([numberOf(1)]);
});

test('a board forgets what it no longer shows, but not the shipment whose page is open', () => {
  const startOfDay = Date.parse(day('08:00'));
  const delivered = (number: number, time: string) => reached(number, { scheduled: created, delivered: time });
  const rows = rowsAfter(
    ...[1, 2, 3, 4, 5, 6].map((number) => createdEvent(number)),
    delivered(2, day('08:00')),
    delivered(3, '2026-03-03T07:59:59.000Z'),
    cancelledEvent(4),
    cancelledEvent(5),
  );
  prune(rows, { startOfDay, kept: 'ship_5' });
  expect([...rows.values()].map(({ shipment: { id } }) => id)).toEqual(['ship_1', 'ship_2', 'ship_5', 'ship_6']);
  for (let number = 10; number < 10 + maxEnded; number++) {
    applyEvent(rows, createdEvent(number));
    applyEvent(rows, delivered(number, new Date(startOfDay + number).toISOString()));
  }
  prune(rows, { startOfDay, kept: undefined });
  expect(rows.size).toBe(2 + maxEnded);
  expect(rows.has(numberOf(2))).toBe(false); // the oldest one of today
});

const window = { start: day('18:00'), end: day('20:00') };
const carried = { scheduled: created, dispatched: created, picked_up: created, in_transit: created };
const seen = (updated_at: string) => ({ current_location: { lat: 47, lng: -122, address: null, updated_at } });
const closed = (resolved_at?: string) => ({ exceptions: [exception('a', 'closed', resolved_at)] });
const [onTime, unknown] = [{ kind: 'on_time' }, { kind: 'unknown' }];
const late = (seconds: number) => ({ kind: 'late', by: seconds * 1000 });
const risk = (reason: string, seconds?: number) => ({ kind: 'risk', reason, ...(seconds && { by: seconds * 1000 }) });
const later = '2026-03-09T00:00Z';

test.for<[string, Shipment['delivery_window'] | undefined, TrackingStatus, now: string, object]>([
  ['before the end of its window', window, tracking(1, carried, { eta: window.end }), window.end, onTime],
  ['estimated after its window', window, tracking(1, carried, { eta: day('21:20') }), window.start, late(80 * 60)],
  ['not delivered at the end of its window', window, tracking(1, carried), day('20:10'), late(10 * 60)],
  ['an hour after its estimate', undefined, tracking(1, carried, { eta: day('18:00') }), day('19:00'), onTime],
  ['longer after its estimate', undefined, tracking(1, carried, { eta: day('18:00') }), day('19:00:01'), late(3601)],
  ['with an open exception', undefined, tracking(1, carried, closed()), day('18:00'), risk('exception')],
  ['not picked up', undefined, tracking(1, { scheduled: created }), '2026-03-02T20:00:01Z', risk('pickup', 1)],
  ['seen 40 minutes ago', undefined, tracking(1, carried, seen(day('17:20'))), day('18:00'), unknown],
  ['seen longer ago', undefined, tracking(1, carried, seen(day('17:19:59'))), day('18:00'), risk('silent', 2401)],
  ['delivered at the end of its window', window, tracking(1, { ...carried, delivered: window.end }), later, onTime],
  ['cancelled', window, tracking(1, { scheduled: created, cancelled: created }), later, unknown],
])('punctualityOf rates a shipment that is %s', ([, delivery_window, status, now, expected]) => {
  const row = { shipment: shipment(1, delivery_window && { delivery_window }), tracking: status };
  expect(punctualityOf(row, Date.parse(now))).toEqual(expected);
});

test('the list has what needs a person first, then the earliest arrival, then what has ended today', () => {
  const rows = rowsAfter(
    ...[1, 3, 5, 6, 7, 8, 9].map((number) => createdEvent(number)),
    createdEvent(2, { reference: 'PO-77' }),
    createdEvent(4, { delivery_window: window, references: [{ type: 'pro', value: 'PRO-9' }] }),
    reached(1, carried, { eta: day('22:00') }),
    reached(2, carried, { eta: day('21:00') }),
    reached(3, carried, { eta: day('23:00'), exceptions: [exception('a', 'closed')] }),
    reached(4, carried, { eta: '2026-03-04T20:00:00.000Z' }),
    reached(5, { ...carried, delivered: day('08:30') }), // 0:30 there
    reached(6, { ...carried, delivered: day('07:30') }), // the day before
    cancelledEvent(7), // two days before
    reached(8, { ...carried, returned: day('09:00') }),
    reached(9, { ...carried, lost: day('10:00') }),
  );
  const moment = { now: Date.parse(day('19:00')), zone };
  const entryOf = entries();
  const board = (filter: Filter, query = '') => boardOf(rows, (row) => entryOf(row, moment), { filter, query, moment });
  const numbers = (filter: Filter, query?: string) =>
    board(filter, query).shown.map(({ row }) => Number(row.shipment.id.at(-1)));
  expect(numbers('active')).toEqual([4, 3, 2, 1]);
  expect(numbers('attention')).toEqual([4, 3]);
  expect(numbers('moving')).toEqual([4, 3, 2, 1]);
  for (const [end, shown] of Object.entries({ delivered: [5], returned: [8], lost: [9], cancelled: [] }))
    expect(numbers(end as Filter), end).toEqual(shown);
  expect(numbers('active', ' 000002 ')).toEqual([2]);
  expect(numbers('active', 'po-7')).toEqual([2]);
  expect(numbers('active', 'pro-9')).toEqual([4]);
  expect(numbers('active', 'SPOKANE')).toEqual([4, 3, 2, 1]);
  expect(numbers('moving', 'nowhere')).toEqual([]);
  const { counts, active, arrivingToday, exceptions } = board('moving', 'nowhere');
  expect(counts).toEqual({ active: 4, attention: 2, moving: 4, delivered: 1, cancelled: 0, returned: 1, lost: 1 });
  expect([active.length, arrivingToday, exceptions]).toEqual([4, 3, 1]);
});

test('the figures are those of the feed', () => {
  const times = { dispatched: day('09:00'), picked_up: day('11:00'), in_transit: day('11:30') };
  const delivered = (number: number, time: string, more?: Partial<TrackingStatus>) =>
    event('proof_of_delivery.submitted', {
      tracking: tracking(number, { scheduled: day('08:00'), ...times, delivered: time }, more),
    });
  const rows = rowsAfter(
    createdEvent(1, { delivery_window: window }),
    delivered(1, day('19:30')),
    createdEvent(2, { delivery_window: { ...window, end: day('19:00') } }),
    event('shipment.updated', { shipment: shipment(2, { delivery_window: window }) }), // a later window, so on time
    delivered(2, day('19:30')),
    createdEvent(3, { delivery_window: window }),
    // 23:59 of March 3 there: late
    delivered(3, '2026-03-04T07:59:00.000Z', { exceptions: [exception('a', 'traffic_delay', created)] }),
    createdEvent(4, { delivery_window: { start: day('18:00'), end: '2026-03-05T00:00:00.000Z' } }),
    delivered(4, '2026-03-04T08:00:00.000Z'), // 0:00 of March 4 there
    createdEvent(5),
    delivered(5, day('19:30')), // without a window
    createdEvent(6, { delivery_window: window }),
    reached(6, { scheduled: day('08:00'), dispatched: day('13:00') }),
    raised(6, exception('b', 'traffic_delay')),
    raised(6, exception('c', 'breakdown')),
    createdEvent(7),
    reached(7, { scheduled: day('08:00'), dispatched: day('07:58') }), // before its creation, by the device's clock
  );
  const march3 = Date.parse('2026-03-03T00:00:00Z') / 86_400_000;
  const minutes = (count: number): number => count * 60_000;
  const figures = figuresOf([...rows.values()], zone);
  expect(figures).toEqual({
    onTime: [
      { day: march3, onTime: 2, late: 1 },
      { day: march3 + 1, onTime: 1, late: 0 },
    ],
    dwell: [
      { status: 'scheduled', median: minutes(60), longest: minutes(300), count: 7 },
      { status: 'dispatched', median: minutes(120), longest: minutes(120), count: 5 },
      { status: 'picked_up', median: minutes(30), longest: minutes(30), count: 5 },
      { status: 'in_transit', median: minutes(480), longest: minutes(1230), count: 5 },
    ],
    exceptions: [
      { code: 'traffic_delay', count: 2, open: 1 },
      { code: 'breakdown', count: 1, open: 1 },
    ],
  });
  expect(onTimeShare(figures.onTime)).toBe(0.75);
  expect(onTimeShare([])).toBeUndefined();
});

test.for([
  [[], {}],
  [['exceptions'], { attention: '3+', exceptions: '6+' }],
  [['moving'], { attention: '3+', today: '7+' }],
  [['delivered', 'lost'], { delivered: '5+', lost: '8+' }],
] as [Part[], object][])('the numbers of a board that has only a part of %s end in +', ([cut, more]) => {
  const ends = { delivered: 5, cancelled: 0, returned: 1, lost: 8 };
  const board = { counts: { active: 2, attention: 3, moving: 4, ...ends }, arrivingToday: 7, exceptions: 6 };
  const ended = { delivered: '5', cancelled: '0', returned: '1', lost: '8' };
  const texts = { active: '600', attention: '3', moving: '4', ...ended, today: '7', exceptions: '6' };
  const totals = { active: 600, moving: 1, overdue: 0 };
  expect(countTexts(board as never, { cut: new Set(cut), totals })).toEqual({ ...texts, ...more });
});

test('the figures are a sample if there are more shipments than the board reads', async () => {
  const historyOf = (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => shipment(index));
    const listShipments = () => ({ toArray: async ({ limit }: { limit: number }) => rows.slice(0, limit) });
    return readHistory({ listShipments } as unknown as Client);
  };
  expect(await historyOf(maxHistory)).toMatchObject({ isSample: false });
  expect(await historyOf(maxHistory + 1)).toMatchObject({ isSample: true });
});

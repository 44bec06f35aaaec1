import { type Client, WaybillError } from '@waybill/client';
import { appointmentCodes, reasonCodes, type Step, statusCodes } from '@waybill/docs/src/edi-214.ts';
import { expect } from 'vitest';
import { newShipment, type Shipment } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

/** A segment AT7 with its MS1, as a file has it. The day is relative to today. */
interface Message {
  of: keyof typeof expected;
  /** AT701 and AT702. */
  codes?: [status: string, reason: string];
  /** AT703. */
  appointment?: string;
  day: number;
  /** AT706 and AT707. */
  time?: string;
  zone?: 'UT' | 'ES' | 'PS';
  place?: { lat: number; lng: number };
}

const joliet = { lat: 41.5181, lng: -88.2231 };
const toledo = { lat: 41.6528, lng: -83.5379 };

/** In the order in which they arrive. */
const messages: Message[] = [
  { of: 'early', codes: ['AF', 'NS'], day: -3, time: '0915', zone: 'ES' },
  { of: 'refused', codes: ['AH', 'AQ'], day: -4, time: '1000', zone: 'UT' }, // before anything else of it
  { of: 'lost', codes: ['X4', 'NS'], day: -6, time: '2210', zone: 'UT', place: toledo }, // before it has left
  { of: 'early', codes: ['CP', 'NS'], day: -3, time: '0840  ', zone: 'ES' },
  { of: 'early', codes: ['AF', 'NS'], day: -3, time: '09150000', zone: 'ES' }, // again, padded
  { of: 'timeless', appointment: 'AB', day: 3, time: '1400', zone: 'UT' },
  { of: 'lost', codes: ['X6', 'NS'], day: -5, time: '0400', zone: 'UT' },
  { of: 'early', codes: ['AG', 'NS'], day: 1, time: '1700', zone: 'UT' },
  { of: 'early', codes: ['X1', 'NS'], day: -2, time: '100000', zone: 'UT', place: joliet }, // a stop
  { of: 'refused', codes: ['A3', 'NS'], day: -1, time: '1545', zone: 'UT' },
  { of: 'refused', codes: ['A7', 'BS'], day: -3, time: '0930', zone: 'UT' },
  { of: 'refused', codes: ['AF', 'NS'], day: -5, time: '1200', zone: 'UT' }, // after all that followed
  { of: 'withdrawn', codes: ['CA', 'NS'], day: -1, time: '0815', zone: 'PS' },
  { of: 'early', codes: ['D1', 'NS'], day: -1, time: '0702', zone: 'PS' }, // without pictures
  { of: 'early', codes: ['CD', 'NS'], day: -1, time: '0740', zone: 'PS' },
  { of: 'timeless', codes: ['D1', 'NS'], day: -1 },
  { of: 'timeless', codes: ['X6', 'AO'], day: -1, time: '0600', zone: 'UT' },
  { of: 'lost', codes: ['AF', 'NS'], day: -7, time: '1800', zone: 'UT' }, // earlier than X6
  { of: 'lost', codes: ['SD', 'A5'], day: -2, time: '0800', zone: 'UT' },
  { of: 'lost', codes: ['SD', 'A5'], day: -2, time: '080000', zone: 'UT' }, // again, padded
];

const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const at = (day: number, hours: number, minutes = 0): string =>
  new Date(midnight + ((day * 24 + hours) * 60 + minutes) * 60_000).toISOString();

const unknown = { exceptions: [], place: null, eta: null, delivery: undefined };
/** What each shipment has in the end, written by hand. */
const expected = {
  early: {
    ...unknown,
    status: 'delivered',
    timeline: [
      `picked_up ${at(-3, 13, 40)}`,
      `in_transit ${at(-3, 14, 15)}`,
      `delivered ${at(-1, 15, 2)}`,
      'scheduled',
    ],
    place: joliet,
    eta: at(1, 17),
  },
  refused: {
    ...unknown,
    status: 'returned',
    timeline: [`in_transit ${at(-5, 12)}`, `returned ${at(-1, 15, 45)}`, 'scheduled'],
    exceptions: [`nobody_there ${at(-4, 10)} resolved`, `refused ${at(-3, 9, 30)} resolved`],
  },
  lost: {
    ...unknown,
    status: 'in_transit',
    timeline: [`in_transit ${at(-7, 18)}`, `in_transit ${at(-5, 4)} voided`, 'scheduled'],
    exceptions: [`lost ${at(-2, 8)}`],
  },
  withdrawn: { ...unknown, status: 'cancelled', timeline: ['scheduled', 'cancelled'] },
  timeless: {
    ...unknown,
    status: 'in_transit',
    timeline: [`in_transit ${at(-1, 6)}`, 'scheduled'],
    exceptions: [`weather_delay ${at(-1, 6)}`],
    delivery: { start: at(3, 14), end: at(3, 14) },
  },
};

const zones = { UT: 0, ES: -5, PS: -8 };

/** The time of a message; undefined if it has only a day. */
function timeOf({ day, time, zone = 'UT' }: Message): string | undefined {
  const [, hours, minutes] = /^(\d\d)(\d\d)/.exec(time ?? '') ?? [];
  return hours && minutes ? at(day, Number(hours) - zones[zone], Number(minutes)) : undefined;
}

/** The requests that the tables of the guide have for the codes of a message. */
const stepsOf = ({ codes: [status, reason] = ['', ''], appointment = '' }: Message): Step[] => {
  const steps = [statusCodes[status], reasonCodes[reason], appointmentCodes[appointment]].map((code) => code?.step);
  return [...new Map(steps.flatMap((step) => (step ? [[JSON.stringify(step), step]] : []))).values()];
};

/** A request for a shipment, which may have to wait for another one. */
type Report = { step: Step; timestamp: string; place: Message['place']; eta: string | undefined };

/** Sends a request. @returns whether it is to be sent again after the next status */
async function send(client: Client, shipment: Shipment, report: Report): Promise<boolean> {
  const { id, tracking_number } = shipment;
  const { step, timestamp, place } = report;
  const extras = { ...(place && { location: place }), ...(report.eta && { eta: report.eta }) };
  try {
    if (step.operation === 'recordTrackingEvent')
      await client.recordTrackingEvent({ tracking_number, status: step.value, timestamp, ...extras });
    else if (step.operation === 'raiseException') {
      const { exceptions = [] } = await client.getTracking({ tracking_number });
      if (!exceptions.some(({ code, occurred_at }) => code === step.value && occurred_at === timestamp))
        await client.raiseException({ tracking_number, code: step.value, occurred_at: timestamp, ...extras });
    } else if (step.operation === 'recordPositions') {
      const { location: _, ...eta } = extras;
      if (place)
        await client.recordPositions({ tracking_number, positions: [{ ...place, updated_at: timestamp }], ...eta });
    } else if (step.operation === 'cancelShipment')
      await client.cancelShipment({ shipment_id: id, reason: 'X12 214, AT701 CA' });
    else if (step.value !== 'destination')
      await client.updateShipment({ shipment_id: id, [step.value]: { start: timestamp, end: timestamp } });
    return false;
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error;
    if (error.code === 'status_recorded') {
      if (timestamp >= error.entry.timestamp) return false;
      await client.voidTrackingEvent({ tracking_number, event_id: error.entry.id, reason: `Happened at ${timestamp}` });
      return await send(client, shipment, report);
    }
    expect(['invalid_transition', 'exception_not_accepted', 'positions_not_accepted']).toContain(error.code);
    return true;
  }
}

test('X12 214 messages, out of order and repeated, record what the tables say', async ({ account }) => {
  const { client } = account;
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(expected)) {
    const shipment = await newShipment(account);
    let waiting: Report[] = [];
    let eta: string | undefined;
    for (const message of messages.filter(({ of }) => of === name)) {
      const timestamp = timeOf(message);
      if (!timestamp) continue;
      if (message.codes?.[0] === 'AG') eta = timestamp;
      const reports = stepsOf(message).map((step) => ({ step, timestamp, place: message.place, eta }));
      waiting = [...waiting, ...reports].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
      // A status that is recorded may be what others have waited for.
      for (let count = -1; count !== waiting.length; ) {
        count = waiting.length;
        const left: Report[] = [];
        for (const report of waiting) if (await send(client, shipment, report)) left.push(report);
        waiting = left;
      }
    }
    expect(waiting).toEqual([]);
    const { tracking_number } = shipment;
    const { status, timeline, exceptions = [], ...last } = await client.getTracking({ tracking_number });
    const { delivery_window: delivery } = await client.getShipment({ shipment_id: shipment.id });
    found[name] = {
      status,
      timeline: timeline.map(({ status, timestamp, voided_at }) => {
        const isOfRequest = ['scheduled', 'cancelled'].includes(status);
        return isOfRequest ? status : `${status} ${timestamp}${voided_at ? ' voided' : ''}`;
      }),
      exceptions: exceptions.map(({ code, occurred_at, resolved_at }) => {
        return `${code} ${occurred_at}${resolved_at ? ' resolved' : ''}`;
      }),
      place: last.current_location && { lat: last.current_location.lat, lng: last.current_location.lng },
      eta: last.eta,
      delivery,
    };
  }
  expect(found).toEqual(expected);
});

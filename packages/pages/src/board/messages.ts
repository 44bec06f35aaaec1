import { en } from '../messages/en.ts';
import { textOf } from '../messages/text-of.ts';
import type { Punctuality } from './punctuality.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Such as "5 min", "1 h 20 min" or "3 d". @param time milliseconds */
export function durationText(time: number): string {
  if (time >= 2 * day) return `${Math.round(time / day)} d`;
  const minutes = Math.max(1, Math.round(time / minute));
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest > 0 ? ` ${rest} min` : ''}`;
}

const shipments = (count: number): string => (count === 1 ? '1 shipment' : `${count} shipments`);

/** All texts of the board. Those of statuses and exceptions are of the tracking page. */
export const messages = {
  title: 'Board',
  shipmentsView: 'Shipments',
  figuresView: 'Figures',
  search: 'Number, reference or city',
  searchHelp: 'Press Enter to look for a number or a reference among all shipments.',
  notFound: (query: string): string => `No shipment has the number or the reference ${query}.`,
  filterLabel: 'Show',
  connections: {
    loading: 'Loading',
    live: 'Live',
    polling: 'Live, without a stream',
    interrupted: 'No connection. Trying again …',
  },
  filters: {
    all: 'All',
    attention: 'Needs attention',
    moving: 'On the way',
    delivered: 'Delivered today',
  },
  keyFigures: 'Key figures',
  kpis: {
    active: 'Active',
    today: 'Arriving today',
    late: 'Late or at risk',
    exceptions: 'Open exceptions',
    onTime: 'On time, 30 days',
  },
  columns: { number: 'Shipment', route: 'Route', status: 'Status', eta: 'Arrival', seen: 'Last seen' },
  list: 'Shipments',
  empty: {
    all: 'No shipment is active. New ones appear here.',
    attention: 'No shipment needs attention.',
    moving: 'No shipment is on the way.',
    delivered: 'No shipment was delivered today.',
  },
  noMatch: (query: string): string => `No shipment of the board matches “${query}”.`,
  cut: (count: number): string => `The board has ${count} active shipments. There are more.`,
  times: 'Times are in your time zone.',
  unknown: '–',
  route: (from: string, to: string): string => `${from} → ${to}`,
  planned: (when: string): string => `planned ${when}`,
  statusOf: (status: string): string => textOf(en.statuses, status) ?? status.replaceAll('_', ' '),
  exceptionOf: (code: string): string => textOf(en.exceptions, code) ?? en.otherException,
  exceptionsMore: (text: string, more: number): string => (more > 0 ? `${text}, and ${more} more` : text),
  punctuality(punctuality: Punctuality): string {
    if (punctuality.kind === 'late') return `late ${durationText(punctuality.by)}`;
    if (punctuality.kind !== 'risk') return punctuality.kind === 'on_time' ? 'on time' : '';
    if (punctuality.reason === 'silent') return `no position for ${durationText(punctuality.by)}`;
    return punctuality.reason === 'pickup' ? 'not picked up in time' : 'at risk';
  },
  seen: (time: number): string => (time < minute ? 'now' : durationText(time)),
  map: 'Map of the active shipments',
  mapText: (count: number): string => `${shipments(count)} with a known location. The list has the same shipments.`,
  mapEmpty: 'No active shipment has reported a location yet.',
  details: {
    close: 'Back to all shipments',
    loading: 'Loading the shipment …',
    missing: 'This shipment does not exist.',
    failed: 'The shipment cannot be loaded now.',
    arrival: 'Arrival',
    lastSeen: 'Last seen',
    reference: 'Reference',
    carrier: 'Carrier',
    freight: 'Freight',
    notes: 'Notes',
    pickup: 'Pickup window',
    delivery: 'Delivery window',
    route: 'Route',
    positions: (count: number, isCut: boolean): string =>
      count === 0
        ? 'No positions yet.'
        : `${isCut ? 'The first ' : ''}${count === 1 ? '1 position' : `${count} positions`}`,
    timeline: 'Timeline',
    exceptions: 'Exceptions',
    reported: (when: string): string => `Reported ${when}`,
    resolved: (when: string): string => `Resolved ${when}`,
    proof: 'Proof of delivery',
    signedBy: (name: string): string => `Signed by ${name}`,
    unattended: 'Left without a signature',
    signature: 'Signature',
    photo: (number: number): string => `Photo ${number}`,
    noProof: 'The proof of delivery cannot be loaded now.',
  },
  figures: {
    loading: 'Loading the shipments of the last 30 days …',
    scope: (count: number, isCut: boolean): string =>
      isCut
        ? `The newest ${count} shipments that were created in the last 30 days. There are more.`
        : `All ${count} shipments that were created in the last 30 days.`,
    table: 'As a table',
    onTime: 'On time by day',
    onTimeNote: 'Deliveries of shipments with a delivery window, by the day of delivery.',
    onTimeEmpty: 'No shipment with a delivery window was delivered.',
    dwell: 'Time in each status',
    dwellNote: 'Half of the shipments left the status in less than this time.',
    dwellEmpty: 'No shipment has left a status.',
    exceptions: 'Exceptions by code',
    exceptionsNote: 'Open and resolved.',
    exceptionsEmpty: 'Nothing went wrong.',
    columns: {
      day: 'Day',
      onTime: 'On time',
      late: 'Late',
      status: 'Status',
      median: 'Median',
      longest: 'Longest',
      count: 'Shipments',
      code: 'Exception',
      total: 'Reported',
      open: 'Still open',
    },
  },
  closed: {
    none: {
      title: 'This link is not complete',
      text: 'Open the link as the operator of the service has printed it, with everything after the #.',
    },
    expired: {
      title: 'This link has expired',
      text: 'Ask the operator of the service for a new one, made with “waybill board”.',
    },
    unknown: {
      title: 'This link does not work',
      text: 'It is incomplete, or it was revoked. Ask the operator of the service for a new one.',
    },
    forbidden: {
      title: 'This key cannot read the board',
      text: 'It lacks a scope. Ask the operator of the service for a link made with “waybill board”.',
    },
  },
};

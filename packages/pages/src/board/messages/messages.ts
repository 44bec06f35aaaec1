import type { Messages } from '../../messages/messages.ts';
import type { Closed } from '../feed.ts';
import type { Filter } from '../punctuality.ts';

/** All texts of the board in one language. Numbers, times and durations are formatted already. */
export interface BoardMessages
  extends Pick<Messages, 'languages' | 'statuses' | 'exceptions' | 'otherException' | 'facts' | 'pieces'> {
  title: string;
  shipmentsView: string;
  figuresView: string;
  search: string;
  searchHelp: string;
  notFound: (query: string) => string;
  filterLabel: string;
  connections: Record<'loading' | 'live' | 'polling' | 'interrupted', string>;
  filters: Record<Filter, string>;
  keyFigures: string;
  kpis: { active: string; today: string; late: string; exceptions: string; onTime: string; onTimeSample: string };
  columns: { number: string; route: string; status: string; eta: string; seen: string };
  list: string;
  empty: Record<Filter, string>;
  noMatch: (query: string) => string;
  /** Not all active shipments are loaded. */
  loaded: (count: string, total: string) => string;
  /** No more are loaded. */
  full: string;
  more: string;
  times: string;
  planned: (when: string) => string;
  exceptionsMore: (text: string, more: number) => string;
  late: (duration: string) => string;
  onTime: string;
  silent: (duration: string) => string;
  notPickedUp: string;
  atRisk: string;
  now: string;
  /** Short names of units. */
  units: { minute: string; hour: string; day: string };
  map: string;
  mapText: (count: number) => string;
  mapEmpty: string;
  details: {
    close: string;
    loading: string;
    missing: string;
    failed: string;
    arrival: string;
    lastSeen: string;
    notes: string;
    pickup: string;
    delivery: string;
    route: string;
    noPositions: string;
    positions: (count: number) => string;
    firstPositions: (count: number) => string;
    timeline: string;
    exceptions: string;
    reported: (when: string) => string;
    resolved: (when: string) => string;
    proof: string;
    signedBy: (name: string) => string;
    unattended: string;
    signature: string;
    photo: (number: number) => string;
    noProof: string;
  };
  figures: {
    loading: string;
    all: (count: string) => string;
    /** A part of each day, because there are too many. */
    sample: (count: string, ofDay: number) => string;
    table: string;
    onTime: string;
    onTimeNote: string;
    onTimeEmpty: string;
    dwell: string;
    dwellNote: string;
    dwellEmpty: string;
    exceptions: string;
    exceptionsNote: string;
    exceptionsEmpty: string;
    columns: Record<
      'day' | 'onTime' | 'late' | 'status' | 'median' | 'longest' | 'count' | 'code' | 'total' | 'open',
      string
    >;
  };
  closed: Record<Closed, { title: string; text: string }>;
}

import type { components } from '@waybill/contract/types';
import type { FactName } from '../facts.ts';

type Schemas = components['schemas'];
// The values that the contract lists. Responses may have others: read these tables with `textOf`.
export type Status = keyof typeof import('@waybill/contract/lifecycle').statuses;
export type ExceptionCode = keyof typeof import('@waybill/contract/exceptions').exceptionKinds;
type ExceptionStep = Schemas['ShipmentException']['next_steps'][number];

/**
 * All texts of the pages in one language. Arguments are formatted already: `when` is a time such as "today, 2:30 – 3:30 PM",
 * `place` such as "Portland, OR".
 */
export interface Messages {
  statuses: Record<Status, string>;
  /** The entry of the timeline when a status is reached. */
  events: Record<Status, string>;
  exceptions: Record<ExceptionCode, string>;
  /** An exception whose code is newer than this list. */
  otherException: string;
  /** What may happen next after an exception. */
  steps: Record<ExceptionStep, string>;
  /** What happens next while customs hold the shipment. */
  customs: string;
  concerns: { pickup: string; delivery: string };

  headline: {
    arrives: (when: string) => string;
    /** The estimated time has passed. */
    overdue: (when: string) => string;
    /** There is a delivery window, but no estimated arrival. */
    planned: (when: string) => string;
    unknown: string;
    delivered: (when: string) => string;
    cancelled: string;
  };
  lead: {
    scheduled: (origin?: string) => string;
    dispatched: (origin?: string) => string;
    picked_up: (origin?: string) => string;
    in_transit: (destination?: string) => string;
    delivered: (signedBy?: string) => string;
    /** Delivered while nobody was there. */
    unattended: string;
    cancelled: (reason?: string) => string;
    /** @param distance such as "15 miles" */
    distance: (distance: string) => string;
    /** @param window the delivery window that was planned */
    late: (window: string) => string;
    overdue: string;
  };
  late: string;

  progress: string;
  timeline: string;
  emptyTimeline: string;
  reported: (when: string) => string;
  resolved: (when: string) => string;
  lastSeen: string;
  /** The last position of a shipment that was delivered elsewhere. */
  lastReported: string;
  near: (place: string) => string;
  /** The fields of a shipment. */
  facts: Record<FactName, string>;
  pieces: (count: number, formatted: string) => string;
  from: string;
  to: string;
  details: string;
  callSender: (name?: string) => string;
  share: string;
  /** After the address of the page was copied. */
  copied: string;
  print: string;

  handoverCode: string;
  /** Whom to give the code, and when. */
  handoverHint: string;

  proof: string;
  receipt: string;
  signedBy: string;
  deliveredAt: string;
  location: string;
  /** The proof of delivery does not say where it was. */
  noLocation: string;
  signatureOf: (name: string) => string;
  photo: (number: number, count: number) => string;
  enlarge: string;

  map: {
    title: string;
    route: (origin: string, destination: string) => string;
    to: (destination: string) => string;
    current: (place: string) => string;
  };

  times: (place: string) => string;
  utcTimes: string;
  yourTimes: string;
  updated: string;
  reload: string;
  offline: string;
  liveLost: string;
  languages: string;

  closed: Record<'expired' | 'unknown' | 'busy', { title: string; text: string }>;
}

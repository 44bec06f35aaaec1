import type { components } from '@waybill/contract/types';
import type { Closed } from '../board/shipments/feed.ts';
import type { Filter, Shown } from '../board/shipments/punctuality.ts';
import type { Connection } from '../link/connection.ts';
import type { CargoTexts, FactName, ReferenceNames } from '../text/facts.ts';

type Schemas = components['schemas'];
// The values that the contract lists. Responses may have others: read these tables with `textOf`.
export type Status = keyof typeof import('@waybill/contract/lifecycle').statuses;
type ExceptionCode = keyof typeof import('@waybill/contract/exceptions').exceptionKinds;
type DocumentType = Schemas['DocumentType'];
type ExceptionStep = Schemas['ShipmentException']['next_steps'][number];

/** The codes of problems that another handover code may end. */
type HandoverRefusal = 'handover_code_required' | 'handover_code_wrong' | 'handover_code_locked';

/** The codes of problems that a driver can do something about. */
type RefusalCode =
  | 'invalid_transition'
  | 'proof_submitted'
  | 'uploads_not_accepted'
  | 'exception_not_accepted'
  | 'exception_limit_reached'
  | 'invalid_request'
  | 'invalid_entry'
  | 'insufficient_scope'
  | 'void_not_allowed'
  | 'exception_void_not_allowed'
  | 'exception_resolved'
  | HandoverRefusal
  | 'unknown_upload';

/**
 * What the file of a language exports. Each page imports only its own texts. Arguments are formatted already: `when` is a time
 * such as "today, 2:30 – 3:30 PM", `place` such as "Portland, OR".
 */
export interface LanguageTexts {
  /** The language in itself. */
  name: string;
  /** Of its dates and numbers. */
  locale: string;
  tracking: TrackingMessages;
  driver: DriverMessages;
  board: BoardMessages;
}

/** The texts of documents and of what a proof of delivery counts. */
export interface PaperMessages {
  documents: string;
  documentTypes: Record<DocumentType, string>;
  remarks: string;
  /** An item of the shipment whose description is not known. */
  item: (number: number) => string;
  /** Counted pieces of an item. */
  counted: (pieces: string, expected: string) => string;
}

/** The texts of the tracking page. */
export interface TrackingMessages extends PaperMessages {
  statuses: Record<Status, string>;
  /** The entry of the timeline when a status is reached. */
  events: Record<Status, string>;
  /** The entry of a creation that is later than another one. */
  enteredLate: (event: string) => string;
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
    returned: (when: string) => string;
    lost: string;
  };
  /** The sentence below the headline. */
  lead: {
    scheduled: (origin?: string) => string;
    dispatched: (origin?: string) => string;
    picked_up: (origin?: string) => string;
    in_transit: (destination?: string) => string;
    delivered: (signedBy?: string) => string;
    /** Delivered while nobody was there. */
    unattended: string;
    cancelled: (reason?: string) => string;
    returned: string;
    lost: string;
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
  near: (place: string) => string;
  /** The fields of a shipment. */
  facts: Record<FactName, string>;
  references: ReferenceNames;
  pieces: (count: number, formatted: string) => string;
  cargo: CargoTexts;
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
  returnReceipt: string;
  returnProof: string;
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
    /** There is no map, because it would lack the end of the route. */
    noDestination: (place: string) => string;
    /** The route on the map begins elsewhere. */
    noOrigin: (place: string) => string;
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

/** The texts of the driver page. */
export interface DriverMessages
  extends Pick<
    TrackingMessages,
    | 'statuses'
    | 'exceptions'
    | 'otherException'
    | 'references'
    | 'location'
    | 'times'
    | 'yourTimes'
    | 'pieces'
    | 'cargo'
  > {
  title: string;
  /** On the button that makes the shipment reach the status. */
  steps: Record<Exclude<Status, 'scheduled' | 'cancelled' | 'returned' | 'lost'>, string>;

  sync: {
    sent: string;
    offline: string;
    offlineWaiting: (count: number) => string;
    sending: (count: number) => string;
    waiting: (count: number) => string;
    stopped: (count: number) => string;
  };
  kept: string;
  /** An action waits some seconds before it is sent. */
  held: (what: string) => string;
  heldOffline: (what: string) => string;
  undo: string;
  itemSent: string;
  itemWaits: string;
  itemNext: string;

  pickUp: (when: string) => string;
  deliver: (when: string) => string;
  directions: string;
  call: (name?: string) => string;
  callDispatcher: string;
  /** The destination is another one than before. */
  addressChanged: string;
  addressSeen: string;
  progress: string;
  waitingTitle: string;
  /** What the driver can take back or end. */
  recorded: string;
  undoing: (what: string) => string;
  ending: (what: string) => string;
  /** On the buttons of a problem. */
  isOver: string;
  byMistake: string;
  /** The state of a problem. */
  open: string;
  over: string;
  others: string;

  share: string;
  shareRefused: string;
  /** Positions cannot be true. */
  leftOut: (count: number) => string;
  /** The link that was opened last does not work. */
  fallback: string;

  wrong: string;
  nobody: string;
  /** Of problems to report. */
  groups: Record<'attempt' | 'freight' | 'delay', string>;
  description: string;
  addPhoto: string;
  photo: (number: number) => string;
  removePhoto: (number: number) => string;
  badPhoto: string;
  report: string;
  back: string;

  proof: string;
  signedBy: string;
  signature: string;
  clear: string;
  /** The freight is left without a signature. */
  unattended: string;
  locating: string;
  located: string;
  withoutLocation: string;
  missing: (parts: string) => string;
  handoverCode: string;
  deliverNow: string;
  full: string;
  impossible: string;

  refusals: Record<RefusalCode, string>;
  otherRefusal: (code: string) => string;
  /** By the code of a limit of files. @param when the next attempt is */
  limits: Record<'upload_limit_reached' | 'storage_quota_exceeded', (when: string) => string>;
  again: string;
  /** Opens the form of an action again. */
  change: string;
  againNow: string;
  discard: string;
  /** Asked before an action is lost. */
  confirmDiscard: (what: string) => string;

  done: { sent: string; waiting: string };
  /** What a driver reads of a shipment that ended otherwise than by a delivery. */
  ended: Record<'cancelled' | 'returned' | 'lost', string>;
  closed: Record<'none' | 'unknown' | 'expired' | 'offline' | 'loading' | 'insecure', { title: string; text: string }>;
  waitingForLink: (count: number) => string;
  tryAgain: string;
}

/** The texts of the board. */
export interface BoardMessages
  extends PaperMessages,
    Pick<
      TrackingMessages,
      | 'languages'
      | 'statuses'
      | 'events'
      | 'enteredLate'
      | 'exceptions'
      | 'otherException'
      | 'facts'
      | 'references'
      | 'pieces'
      | 'cargo'
      | 'near'
    > {
  title: string;
  shipmentsView: string;
  figuresView: string;
  search: string;
  searchHelp: string;
  notFound: (query: string) => string;
  filterLabel: string;
  connections: Record<Connection, string>;
  filters: Record<Filter, string>;
  keyFigures: string;
  kpis: { active: string; today: string; late: string; exceptions: string; onTime: string; onTimeSample: string };
  columns: { number: string; route: string; status: string; eta: string; seen: string };
  list: string;
  empty: Record<Shown, string>;
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
  mapControls: {
    zoomIn: string;
    zoomOut: string;
    /** Ends what was zoomed or moved. */
    fit: string;
    /** How many shipments are not on the map now. */
    outside: (count: number) => string;
    all: string;
  };
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
    /** The board only reads: who ends an exception, also after a delivery. */
    open: string;
    /** @param reason of the account */
    voided: (reason: string) => string;
    proof: string;
    returnProof: string;
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

import type { ExceptionCode, Status } from '../../messages/messages.ts';

/** The codes of problems that another handover code may end. */
type HandoverRefusal = 'handover_code_required' | 'handover_code_wrong' | 'handover_code_locked';

/** The codes of problems that a driver can do something about. */
type RefusalCode =
  | 'invalid_transition'
  | 'uploads_not_accepted'
  | 'exception_not_accepted'
  | 'exception_limit_reached'
  | 'invalid_request'
  | 'invalid_entry'
  | 'insufficient_scope'
  | HandoverRefusal
  | 'unknown_upload';

/** All texts of the driver page in one language. Times such as "today, 2:30 – 3:30 PM" are formatted already. */
export interface DriverMessages {
  statuses: Record<Status, string>;
  times: (place: string) => string;
  yourTimes: string;
  exceptions: Record<ExceptionCode, string>;
  title: string;
  /** On the button that makes the shipment reach the status. */
  steps: Record<Exclude<Status, 'scheduled' | 'cancelled'>, string>;

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
  undo: string;
  itemSent: string;
  itemWaits: string;
  itemNext: string;

  pickUp: (when: string) => string;
  deliver: (when: string) => string;
  pieces: (count: number) => string;
  directions: string;
  call: (name?: string) => string;
  progress: string;
  waitingTitle: string;
  others: string;

  share: string;
  shareRefused: string;
  /** Positions cannot be true. */
  leftOut: (count: number) => string;
  /** The link that was opened last does not work. */
  fallback: string;

  wrong: string;
  nobody: string;
  whatHappened: string;
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
  location: string;
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
  cancelled: string;
  closed: Record<'none' | 'unknown' | 'expired' | 'offline' | 'loading', { title: string; text: string }>;
  waitingForLink: (count: number) => string;
  tryAgain: string;
}

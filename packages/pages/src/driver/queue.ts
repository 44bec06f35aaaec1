import {
  ConnectionError,
  type ExceptionRequest,
  type ProofOfDeliveryRequest,
  type ProofUploadRequest,
  type TrackingEventRequest,
  UnexpectedResponseError,
  WaybillError,
} from '@waybill/client';
import { exceptionKinds } from '@waybill/contract/exceptions';
import { isFinal, isStatus, statusesBefore, steps } from '@waybill/contract/statuses';
import { fragmentOf } from '../link/fragment.ts';
import { type KeyEnd, keyEndOf } from '../link/key-end.ts';
import type { DriverMessages } from '../messages/messages.ts';
import { withAsciiDigits } from '../text/digits.ts';

/** Where the driver did it, if the phone knew it then. */
interface Placed {
  location?: { lat: number; lng: number };
}

/** What the driver has done. The time is that of the item. */
export type Action = Placed &
  (
    | { kind: 'event'; status: TrackingEventRequest['status'] }
    | { kind: 'exception'; code: ExceptionRequest['code']; description?: string }
    | ({ kind: 'proof' } & Pick<ProofOfDeliveryRequest, 'signed_by' | 'unattended' | 'handover_code'>)
    | Undoing
  );

/** What ends something that the service has. `back` is the status of the shipment without an event, `since` when an exception began. */
type Undoing =
  | { kind: 'void'; status: TrackingEventRequest['status']; eventId: string; back: string }
  | { kind: 'resolve' | 'withdraw'; code: string; exceptionId: string; since: string };

/** What the driver has entered into a form and not submitted. */
export interface Draft {
  code?: (Action & { kind: 'exception' })['code'];
  description?: string;
  signedBy?: string;
  isUnattended?: boolean;
  handoverCode?: string;
  /** Undefined: nothing is drawn. */
  signature?: Blob | undefined;
  photos?: Blob[];
  /** When and where it happened, of an action that the service has refused. */
  happened?: Happened | undefined;
}

/** When and where something happened, ISO 8601. */
export interface Happened extends Placed {
  at: string;
}

export type FormName = 'wrong' | 'nobody' | 'proof';

/** A picture of an action. */
interface QueuedFile {
  kind: ProofUploadRequest['kind'];
  file: Blob;
  /** The idempotency key of its upload. */
  key: string;
  /** Once its bytes are stored. */
  uploadId?: string;
}

/** An action that is not known to be stored by the service. */
export interface QueueItem {
  /** Its place in the queue. */
  id: number;
  shipmentId: string;
  action: Action;
  /** When it happened, ISO 8601, by the clock of the service. */
  at: string;
  /** `at` is of the clock of the phone, because the page had not had a response yet. */
  isPhoneTime?: boolean;
  /** The position then, if `isPhoneTime`: whether its time is that of the action is not known yet. */
  fix?: Fix;
  /** `at` has been sent, and repeated requests must have the same. */
  isTimed?: boolean;
  /** It is held until then, in milliseconds since 1970, so that the driver can undo it. */
  heldUntil?: number;
  /** The idempotency key of its request. */
  key: string;
  files: QueuedFile[];
  /** How often its files were uploaded anew, because their uploads had ended. */
  renewals: number;
  /** The code of the problem with which the service refused it. Only the driver continues. */
  refusal?: string;
}

/** Limits of the whole queue: more than a day of work, and what every phone can store. */
export const limits: { items: number; bytes: number; positions: number } = {
  items: 50,
  bytes: 80 * 1024 * 1024,
  positions: 2_000,
};

/** Milliseconds in which the driver can undo an action. */
export const holdTime = 5_000;

/** Milliseconds until a held item is released, whatever has happened to the clock since. */
export const holdLeft = (heldUntil: number, now: number): number => Math.min(Math.max(heldUntil - now, 0), holdTime);

/** A status that a driver makes a shipment reach. */
export type Step = keyof DriverMessages['steps'];

/** The statuses that a driver makes a shipment reach, from one on to the delivery. */
export const stepsFrom = (status: string): Step[] => {
  const at = (steps as string[]).indexOf(status);
  return at === -1 ? [] : (steps.slice(at + 1) as Step[]);
};

/** The status that a driver makes a shipment reach next; undefined at the end. */
export const nextStep = (status: string): Step | undefined => stepsFrom(status)[0];

/** Whether a shipment of a status has reached another one before or now. */
export const hasReached = (status: string, other: Step): boolean =>
  status === other || (isStatus(status) && statusesBefore(status).has(other));

/** The codes of exceptions that can be raised in a status. */
export const codesIn = (status: string): ExceptionRequest['code'][] =>
  (Object.keys(exceptionKinds) as ExceptionRequest['code'][]).filter((code) =>
    (exceptionKinds[code].statuses as string[]).includes(status),
  );

/** The kind of each problem that a driver reports, so that the page can group them. */
const groups: Record<ExceptionRequest['code'], keyof DriverMessages['groups']> = {
  nobody_there: 'attempt',
  refused: 'attempt',
  address_wrong: 'attempt',
  closed: 'attempt',
  damaged: 'freight',
  short: 'freight',
  over: 'freight',
  lost: 'freight',
  traffic_delay: 'delay',
  weather_delay: 'delay',
  breakdown: 'delay',
  facility_delay: 'delay',
  appointment_missed: 'delay',
  customs_hold: 'delay',
};

/** The codes of exceptions that can be raised in a status, by their groups. */
export const codeGroupsIn = (status: string): [keyof DriverMessages['groups'], ExceptionRequest['code'][]][] => {
  const all = Object.keys(groups) as ExceptionRequest['code'][];
  const codes = all.filter((code) => codesIn(status).includes(code));
  return [...new Set(codes.map((code) => groups[code]))].map((group) => [
    group,
    codes.filter((code) => groups[code] === group),
  ]);
};

/** The status that a shipment has when all items are sent. */
export const statusAfter = (status: string, items: Pick<QueueItem, 'action'>[]): string =>
  items.reduce((reached, { action }) => {
    if (action.kind === 'event') return action.status;
    if (action.kind === 'void') return action.back;
    return action.kind === 'proof' ? 'delivered' : reached;
  }, status);

/** Whether no later action depends on an action. */
export const isReport = ({ kind }: Action): boolean => ['exception', 'resolve', 'withdraw'].includes(kind);

/** Whether an item already ends the exception that an action would end. */
export const endsSame = (items: Pick<QueueItem, 'action'>[], action: Action): boolean =>
  'exceptionId' in action &&
  items.some(({ action: other }) => 'exceptionId' in other && other.exceptionId === action.exceptionId);

/** Whether a shipment of a status accepts an action. So a second tap, also in another tab, has no effect. */
export function isPossible(status: string, action: Action): boolean {
  if (action.kind === 'exception') return codesIn(status).includes(action.code);
  if (action.kind === 'void') return action.status === status && !isFinal(status);
  if (isReport(action)) return true;
  return nextStep(status) === (action.kind === 'event' ? action.status : 'delivered');
}

const bytesOf = (items: Pick<QueueItem, 'files'>[]): number =>
  items.flatMap(({ files }) => files).reduce((sum, { file }) => sum + file.size, 0);

/** Whether the queue has room for another item. */
export const hasRoom = (items: Pick<QueueItem, 'files'>[], added: Pick<QueueItem, 'files'>): boolean =>
  items.length < limits.items && bytesOf([...items, added]) <= limits.bytes;

/**
 * What a failed request means for its item:
 * - `retry`: the same request may succeed later. `after` is Retry-After in milliseconds; null if the service did not say.
 *   `limit` is the code of a limit of files, which no waiting on the phone ends.
 * - `closed`: the token does not work any more. A new link for the shipment continues.
 * - `renew`: the uploads of its files have ended, and are made anew.
 * - `refused`: the service does not accept it, with the code of the problem.
 */
export type Failure =
  | { kind: 'retry'; after: number | null; isOffline: boolean; limit?: string }
  | { kind: 'closed'; reason: KeyEnd }
  | { kind: 'renew' }
  | { kind: 'refused'; code: string };

export function failureOf(error: unknown): Failure {
  if (error instanceof UnexpectedResponseError) return { kind: 'retry', after: error.retryAfter, isOffline: false };
  if (!(error instanceof WaybillError))
    return { kind: 'retry', after: null, isOffline: error instanceof ConnectionError };
  const { status, problem, retryAfter, operation } = error;
  const { code } = problem;
  if (limitCodes.includes(code)) return { kind: 'retry', after: retryAfter, isOffline: false, limit: code };
  if (status === 408 || status === 429 || status >= 500 || code === 'idempotency_in_progress')
    return { kind: 'retry', after: retryAfter, isOffline: false };
  if (status === 401) return { kind: 'closed', reason: keyEndOf(problem) };
  // An upload URL is valid for 15 minutes, and an upload without a proof for 24 hours.
  if (operation === 'putProofFile' || code === 'unknown_upload') return { kind: 'renew' };
  const { errors } = error;
  if (code === 'invalid_request' && errors.length > 0 && !errors.some(({ pointer }) => timeFields.includes(pointer)))
    return { kind: 'refused', code: 'invalid_entry' };
  return { kind: 'refused', code };
}

const limitCodes = ['upload_limit_reached', 'storage_quota_exceeded'];
const timeFields = ['/timestamp', '/occurred_at', '/delivered_at', '/resolved_at'];

/** Milliseconds until the next attempt: exponential backoff with full jitter, after what the service asks for. */
export const pauseAfter = (attempts: number, retryAfter: number | null, random: number): number =>
  (retryAfter ?? 0) + Math.min(1_000 * 2 ** (attempts - 1), 60_000) * random;

/** How often the files of an item are uploaded anew before it is refused. */
const maxRenewals = 3;

/** The item with new uploads. Its last request had no effect, so that it may have a new key. Undefined: too often. */
export const renewed = (item: QueueItem): QueueItem | undefined =>
  item.renewals >= maxRenewals
    ? undefined
    : {
        ...item,
        key: crypto.randomUUID(),
        files: item.files.map(({ kind, file }) => ({ kind, file, key: crypto.randomUUID() })),
        renewals: item.renewals + 1,
      };

/** Whether the service refused what the driver has entered, so that the driver changes it. */
export const needsChange = ({ refusal }: Pick<QueueItem, 'refusal'>): boolean => refusal === 'invalid_entry';

/** Whether the service refused an item for its handover code, so that the driver is asked for another one. */
export const needsCode = ({ refusal = '' }: Pick<QueueItem, 'refusal'>): boolean =>
  refusal.startsWith('handover_code_');

/** The handover code in a text, in the digits of any script, without what people write between them. */
export const handoverCodeOf = (text: string): string => withAsciiDigits(text).replace(/[\s\p{Pd}\p{Cf}]/gu, '');

/** Whether a text can be a handover code. */
export const isHandoverCode = (text: string): boolean => /^\d{4,8}$/.test(handoverCodeOf(text));

/**
 * The item as the driver sends it again after a refusal, with the present time if the service refused its time.
 * @param handover_code of a proof, instead of the one that the service refused
 */
export function resent({ refusal, action: refused, ...item }: QueueItem, now: Date, handover_code?: string): QueueItem {
  const isMoved = refusal === 'invalid_request';
  const { location, ...elsewhere } = refused;
  const action = isMoved ? elsewhere : refused; // the place is that of the former time
  return {
    ...item,
    action:
      action.kind === 'proof' && handover_code !== undefined
        ? { ...action, handover_code: handoverCodeOf(handover_code) }
        : action,
    key: crypto.randomUUID(),
    renewals: 0,
    at: isMoved ? now.toISOString() : item.at,
  };
}

/** What the driver had entered for an item, so that it can be changed. */
export function draftOf({ action, files, refusal, ...item }: QueueItem): { form: FormName; draft: Draft } | undefined {
  const photos = files.flatMap(({ kind, file }) => (kind === 'photo' ? [file] : []));
  const { location } = action;
  const happened = refusal ? { at: item.at, ...(location && { location }) } : undefined;
  if (action.kind === 'exception') {
    const { code, description = '' } = action;
    return { form: code === 'nobody_there' ? 'nobody' : 'wrong', draft: { code, description, photos, happened } };
  }
  if (action.kind !== 'proof') return undefined;
  const { signed_by: signedBy = '', unattended: isUnattended = false, handover_code: handoverCode = '' } = action;
  const signature = files.find(({ kind }) => kind === 'signature')?.file;
  return { form: 'proof', draft: { signedBy, isUnattended, handoverCode, signature, photos, happened } };
}

/**
 * An item as it is sent for the first time.
 * @param offset milliseconds to add to the clock of the phone
 * @param last when the shipment reached its status: a clock that was wrong or was set must not put what follows before it
 */
export function timed(item: QueueItem, offset: number, last: string | undefined): QueueItem {
  const { isPhoneTime, fix, ...rest } = item;
  if (item.isTimed) return item;
  const at = Date.parse(item.at) + (isPhoneTime ? offset : 0);
  const earliest = 'since' in item.action ? item.action.since : isReport(item.action) ? undefined : last;
  const least = earliest === undefined ? at : Date.parse(earliest);
  const time = Math.max(at, least);
  const { location: _, ...elsewhere } = item.action;
  const action = fix ? placed(elsewhere, fix, time, offset) : time - at > maxFixAge ? elsewhere : item.action;
  return { ...rest, action, at: new Date(time).toISOString(), isTimed: true };
}

/** Whether an action happens at a place, unlike the end of another one. */
export const isSomewhere = ({ kind }: Action): boolean => ['event', 'exception', 'proof'].includes(kind);

/** An item with the position of the phone, if it was measured when it happened. @param offset as for `timed` */
export const withFix = <Item extends Omit<QueueItem, 'id'>>(item: Item, fix: Fix, offset: number): Item =>
  item.isPhoneTime ? { ...item, fix } : { ...item, action: placed(item.action, fix, Date.parse(item.at), offset) };

function placed(action: Action, fix: Fix, at: number, offset: number): Action {
  const location = placeAt(fix, at, offset);
  return location ? { ...action, location } : action;
}

/** A position that the device has measured. */
export interface Fix {
  lat: number;
  lng: number;
  /** Milliseconds since 1970, by the clock of the phone or of the satellites. */
  at: number;
  /** When the page got it, by the clock of the phone. */
  heard: number;
}

/** Whether the place is one: a device without a position reports the point where the equator meets the prime meridian. */
export const isPlace = ({ lat, lng }: Pick<Fix, 'lat' | 'lng'>): boolean =>
  Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0);

/** How far a position may be ahead of the clock of the service: what its own tolerance cannot tell. */
const maxAhead = 60_000;
/** A receiver whose week counter has overflowed is 1,024 weeks back. */
const maxAge = 30 * 24 * 3_600_000;

/**
 * A position with its time by the clock of the service; undefined if its place or its time cannot be true.
 * @param offset milliseconds to add to the clock of the phone
 */
export function truePosition(fix: Fix, offset: number): { lat: number; lng: number; updated_at: string } | undefined {
  const { lat, lng, at, heard } = fix;
  const now = heard + offset;
  const [time] = [at, at + offset]
    .filter((one) => one <= now + maxAhead && one >= now - maxAge)
    .sort((a, b) => Math.abs(now - a) - Math.abs(now - b)); // a position is new, by one of both clocks
  return isPlace(fix) && time !== undefined ? { lat, lng, updated_at: new Date(time).toISOString() } : undefined;
}

/** Milliseconds between a position and something that happened there. A vehicle that was elsewhere then is not far away. */
const maxFixAge = 120_000;

/**
 * The place of something that happened at a time; undefined if the position was not measured then.
 * @param at milliseconds since 1970, by the clock of the service
 * @param offset as for `truePosition`
 */
export function placeAt(fix: Fix, at: number, offset: number): Placed['location'] {
  const { lat, lng, updated_at = '' } = truePosition(fix, offset) ?? {};
  const isThen = Math.abs(Date.parse(updated_at) - at) <= maxFixAge;
  return isThen && lat !== undefined && lng !== undefined ? { lat, lng } : undefined;
}

/** Whether a position is that of now. Before the clock of the service is known, only when the page got it is. @param now of the phone */
export const isCurrent = (fix: Fix, now: number, offset: number | undefined): boolean =>
  offset === undefined
    ? isPlace(fix) && Math.abs(now - fix.heard) <= maxFixAge
    : placeAt(fix, now + offset, offset) !== undefined;

/** The places in a request with positions of those that a problem names. */
export const namedPositions = (errors: { pointer: string }[]): number[] => [
  ...new Set(
    errors.flatMap(({ pointer }) => {
      const [, index] = /^\/?positions\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
      return index === undefined ? [] : [Number(index)];
    }),
  ),
];

/** The parts of the fragment of a link, `#wba_…/ship_…`. */
export function linkOf(hash: string): { token: string; shipmentId: string } | undefined {
  const [, token, shipmentId] = /^(wba_[\w-]{1,80})\/(ship_\w{1,40})$/.exec(fragmentOf(hash)) ?? [];
  return token && shipmentId ? { token, shipmentId } : undefined;
}

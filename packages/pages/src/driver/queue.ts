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
import { type Transition, transitions } from '@waybill/contract/lifecycle';
import { type KeyEnd, keyEndOf } from '../key-end.ts';

/** What the driver has done. The time is that of the item. */
export type Action =
  | { kind: 'event'; status: TrackingEventRequest['status'] }
  | { kind: 'exception'; code: ExceptionRequest['code']; description?: string }
  | ({ kind: 'proof' } & Pick<ProofOfDeliveryRequest, 'signed_by' | 'unattended' | 'location' | 'handover_code'>);

/** A picture of an action. */
export interface QueuedFile {
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
  /** The time of the device when it happened, ISO 8601. */
  at: string;
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

const drivenBy: Transition['operation'][] = ['recordTrackingEvent', 'submitProofOfDelivery'];

/** The change of the status that a driver makes next; undefined at the end. */
export const nextStep = (status: string): Transition | undefined =>
  transitions.find(({ from, operation }) => from === status && drivenBy.includes(operation));

/** The steps of a driver, from the first to the delivery. */
export function stepsFrom(status: string): Transition[] {
  const step = nextStep(status);
  return step ? [step, ...stepsFrom(step.to)] : [];
}

/** Whether a shipment of a status has reached another one before or now. */
export const hasReached = (status: string, other: string): boolean =>
  status === other || stepsFrom(other).some(({ to }) => to === status);

/** The codes of exceptions that can be raised in a status. */
export const codesIn = (status: string): ExceptionRequest['code'][] =>
  (Object.keys(exceptionKinds) as ExceptionRequest['code'][]).filter((code) =>
    (exceptionKinds[code].statuses as string[]).includes(status),
  );

/** The status that a shipment has when all items are sent. */
export const statusAfter = (status: string, items: Pick<QueueItem, 'action'>[]): string =>
  items.reduce((reached, { action }) => {
    if (action.kind === 'event') return action.status;
    return action.kind === 'proof' ? 'delivered' : reached;
  }, status);

/** Whether a shipment of a status accepts an action. So a second tap, also in another tab, has no effect. */
export function isPossible(status: string, action: Action): boolean {
  if (action.kind === 'exception') return codesIn(status).includes(action.code);
  const step = nextStep(status);
  return action.kind === 'event' ? step?.to === action.status : step?.operation === 'submitProofOfDelivery';
}

const bytesOf = (items: Pick<QueueItem, 'files'>[]): number =>
  items.flatMap(({ files }) => files).reduce((sum, { file }) => sum + file.size, 0);

/** Whether the queue has room for another item. */
export const hasRoom = (items: Pick<QueueItem, 'files'>[], added: Pick<QueueItem, 'files'>): boolean =>
  items.length < limits.items && bytesOf([...items, added]) <= limits.bytes;

/**
 * What a failed request means for its item:
 * - `retry`: the same request may succeed later. `after` is Retry-After in milliseconds; null if the service did not say.
 * - `closed`: the token does not work any more. A new link for the shipment continues.
 * - `renew`: the uploads of its files have ended, and are made anew.
 * - `refused`: the service does not accept it, with the code of the problem.
 */
export type Failure =
  | { kind: 'retry'; after: number | null; isOffline: boolean }
  | { kind: 'closed'; reason: KeyEnd }
  | { kind: 'renew' }
  | { kind: 'refused'; code: string };

export function failureOf(error: unknown): Failure {
  if (error instanceof UnexpectedResponseError) return { kind: 'retry', after: error.retryAfter, isOffline: false };
  if (!(error instanceof WaybillError))
    return { kind: 'retry', after: null, isOffline: error instanceof ConnectionError };
  const { status, problem, retryAfter, operation } = error;
  const { code } = problem;
  if (status === 408 || status === 429 || status >= 500 || code === 'idempotency_in_progress')
    return { kind: 'retry', after: retryAfter, isOffline: false };
  if (status === 401) return { kind: 'closed', reason: keyEndOf(problem) };
  // An upload URL is valid for 15 minutes, and an upload without a proof for 24 hours.
  if (operation === 'putProofFile' || code === 'unknown_upload') return { kind: 'renew' };
  return { kind: 'refused', code };
}

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

/** Whether the service refused an item for its handover code, so that the driver is asked for another one. */
export const needsCode = ({ refusal = '' }: Pick<QueueItem, 'refusal'>): boolean =>
  refusal.startsWith('handover_code_');

/** Whether a text can be a handover code. */
export const isHandoverCode = (text: string): boolean => /^\d{4,8}$/.test(text);

/**
 * The item as the driver sends it again after a refusal, with the present time if the service refused its time.
 * @param handover_code of a proof, instead of the one that the service refused
 */
export function resent({ refusal, action, ...item }: QueueItem, now: Date, handover_code?: string): QueueItem {
  return {
    ...item,
    action: action.kind === 'proof' && handover_code !== undefined ? { ...action, handover_code } : action,
    key: crypto.randomUUID(),
    renewals: 0,
    at: refusal === 'invalid_request' ? now.toISOString() : item.at,
  };
}

/** The parts of the fragment of a link, `#wba_…/ship_…`. */
export function linkOf(fragment: string): { token: string; shipmentId: string } | undefined {
  const [, token, shipmentId] = /^#(wba_[\w-]{1,80})\/(ship_\w{1,40})$/.exec(fragment) ?? [];
  return token && shipmentId ? { token, shipmentId } : undefined;
}

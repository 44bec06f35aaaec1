import { type Client, createClient, type TrackingStatus, WaybillError } from '@waybill/client';
import { positionRules } from '@waybill/contract/lifecycle';
import { entryOf } from '@waybill/contract/statuses';
import type { ServiceClock } from './clock.ts';
import { type Failure, failureOf, namedPositions, pauseAfter, type QueueItem, renewed, truePosition } from './queue.ts';
import type { Link, QueuedPosition, Store } from './store.ts';

/** The sender decides on retries, because it knows what is still wanted after minutes or hours. */
export const clientOf = ({ token }: Pick<Link, 'token'>, { baseUrl, clock }: Service): Client =>
  createClient({ accessToken: token, baseUrl, maxRetries: 0, timeout: 60_000, onResponse: clock.observe });

/** Where the service is, and its clock. */
export interface Service {
  baseUrl: string;
  clock: ServiceClock;
}

/** What the page shows of the sender. */
export interface SenderState {
  isSending: boolean;
  /** The last request did not reach the service. */
  isOffline: boolean;
  /** Shipment → the limit that stops its files, as the code of the problem, and when the next attempt is. */
  limits: Map<string, { code: string; until: number }>;
}

export interface Sender {
  state(): SenderState;
  /** Sends what waits now, without the pauses after lost connections. */
  wake(): void;
  /** Sends what waits of a shipment now, because the driver asks for it. */
  retry(shipmentId: string): void;
  /** Notes that another request has failed. The next one that succeeds ends it. @param isOffline it did not reach the service */
  fail(isOffline: boolean): void;
}

/** The pause of a shipment after a failed request. */
interface Pause {
  attempts: number;
  /** Milliseconds since 1970. */
  until: number;
  /** The service has asked for it. */
  isAsked: boolean;
  limit: string | undefined;
}

/**
 * Sends the items of each shipment in order, one at a time over all tabs. An item is removed after its response is known, so
 * that a crash before that sends it again, with its key.
 * @param onChange is called after each change of the store or of the state
 */
export function createSender(store: Store, service: Service, onChange: () => Promise<void>): Sender {
  const pauses = new Map<string, Pause>();
  const state = { isSending: false, isOffline: false };
  let isWoken = false;
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
    try {
      while (isWoken) {
        isWoken = false;
        await navigator.locks.request('waybill-driver', sendAll);
      }
    } finally {
      isRunning = false; // after an error of the database, the next call tries again
    }
    const next = Math.min(...[...pauses.values()].map(({ until }) => until));
    if (Number.isFinite(next)) timer = setTimeout(wakeLater, Math.min(Math.max(next - Date.now(), 0), 2 ** 31 - 1));
  }

  const wakeLater = (): void => {
    isWoken = true;
    void run();
  };

  async function sendAll(): Promise<void> {
    const links = (await store.links()).filter(({ closed, tracking }) => !closed && tracking);
    for (const shipmentId of pauses.keys())
      if (!links.some((link) => link.shipmentId === shipmentId)) pauses.delete(shipmentId);
    for (const link of links) {
      if ((pauses.get(link.shipmentId)?.until ?? 0) > Date.now()) continue;
      try {
        await sendItems(link);
        await sendPositions(link);
        pauses.delete(link.shipmentId);
      } catch (error) {
        await pauseOrClose(link, error);
      }
    }
    if (state.isSending) {
      state.isSending = false;
      await onChange();
    }
  }

  /** A time must not be sent before the clock of the service is known: any response tells it. */
  async function offsetOf(client: Client, tracking_number: string): Promise<number> {
    if (service.clock.offset() === undefined) await client.getTracking({ tracking_number });
    return service.clock.offset() ?? 0;
  }

  async function sendItems(link: Link): Promise<void> {
    const client = clientOf(link, service);
    for (;;) {
      const waits = (await store.items()).some(({ shipmentId }) => shipmentId === link.shipmentId);
      if (!waits) return;
      const offset = await offsetOf(client, link.tracking?.tracking_number ?? '');
      const item = await store.next(link.shipmentId, offset);
      if (!item) return;
      const wasOnline = navigator.onLine;
      if (wasOnline && !state.isSending) {
        state.isSending = true;
        await onChange();
      }
      try {
        const { tracking, eventId } = await send(client, link, item, store);
        await store.remove(item, tracking, eventId);
        state.isOffline = false;
        pauses.delete(link.shipmentId);
      } catch (error) {
        const failure = failureOf(error);
        // Without a network nothing has left the phone: the driver can still take it back.
        const isUnsent = !wasOnline && !navigator.onLine && failure.kind === 'retry' && failure.isOffline;
        if (isUnsent) await store.replace({ ...item, isTimed: false }, item.key);
        if (failure.kind === 'retry' || failure.kind === 'closed') throw error;
        if (isOfLink(link, failure)) throw error;
        const again = failure.kind === 'renew' ? renewed(item) : undefined;
        const refusal = failure.kind === 'refused' ? failure.code : 'unknown_upload';
        await store.replace(again ?? { ...item, refusal }, item.key);
      }
      await onChange();
    }
  }

  /** Sends the positions of a shipment. What the service refuses is left out and counted, and never takes others with it. */
  async function sendPositions(link: Link): Promise<void> {
    const { shipmentId } = link;
    const client = clientOf(link, service);
    for (let most = maxPositions; ; ) {
      const { tracking } = (await store.links()).find((other) => other.shipmentId === shipmentId) ?? {};
      const queued = await store.positions(shipmentId, most);
      if (queued.length === 0 || !tracking || !storesPositions(tracking.status)) return;
      const { tracking_number } = tracking;
      const offset = await offsetOf(client, tracking_number);
      const [sent, impossible] = split(queued, offset);
      let refused = impossible;
      await store.setTimes(sent.filter(({ fix }) => fix));
      try {
        if (sent.length > 0) {
          const positions = sent.map(({ position }) => position);
          const { refused: errors = [] } = await client.recordPositions({ tracking_number, positions });
          refused = [...refused, ...named(sent, errors)];
          state.isOffline = false;
        }
        most = Math.min(most * 2, maxPositions);
      } catch (error) {
        const failure = failureOf(error);
        const isInvalid = error instanceof WaybillError && [400, 413].includes(error.status);
        if (failure.kind !== 'refused' || !isInvalid) throw error;
        const invalid = named(sent, error.errors);
        if (invalid.length === 0 && sent.length > 1) {
          most = Math.ceil(sent.length / 2);
          continue;
        }
        refused = [...refused, ...(invalid.length > 0 ? invalid : sent)];
        sent.length = 0; // the others are sent again
      }
      await store.removePositions(sent.map(({ id }) => id));
      await store.leaveOut(refused);
      if (refused.length > 0) await onChange();
    }
  }

  async function pauseOrClose(link: Link, error: unknown): Promise<void> {
    const { shipmentId } = link;
    const failure = failureOf(error);
    if (failure.kind === 'closed' || isOfLink(link, failure)) {
      pauses.delete(shipmentId);
      const hasAnother = await store.close(link, failure.kind === 'closed' ? failure.reason : 'unknown');
      isWoken ||= hasAnother;
    } else if (failure.kind === 'retry') {
      const attempts = (pauses.get(shipmentId)?.attempts ?? 0) + 1;
      const { after, limit, isOffline } = failure;
      const until = Date.now() + pauseAfter(attempts, after, Math.random());
      pauses.set(shipmentId, { attempts, until, isAsked: after !== null, limit });
      state.isOffline = isOffline;
    }
    await onChange();
  }

  return {
    state: () => ({
      ...state,
      limits: new Map(
        [...pauses].flatMap(([id, { limit: code, until }]) => (code === undefined ? [] : [[id, { code, until }]])),
      ),
    }),
    retry(shipmentId) {
      pauses.delete(shipmentId);
      wakeLater();
    },
    wake() {
      state.isOffline = false;
      for (const [shipmentId, { isAsked }] of pauses) if (!isAsked) pauses.delete(shipmentId);
      wakeLater();
    },
    fail(isOffline) {
      state.isOffline = isOffline;
    },
  };
}

/** Whether an earlier link may do what this one does not permit. */
const isOfLink = ({ earlier = [] }: Link, failure: Failure): boolean =>
  failure.kind === 'refused' && ['insufficient_scope', 'not_found'].includes(failure.code) && earlier.length > 0;

/** How many positions a request may have. */
const maxPositions = 100;

/** Whether the service stores positions of a shipment with this status. */
const storesPositions = (status: string): boolean => positionRules[status as keyof typeof positionRules] !== undefined;

type Sendable = QueuedPosition & Required<Pick<QueuedPosition, 'position'>>;

/** Those that can be true, with their times by the clock of the service, and those that cannot. */
function split(queued: QueuedPosition[], offset: number): [Sendable[], QueuedPosition[]] {
  const [sent, impossible]: [Sendable[], QueuedPosition[]] = [[], []];
  for (const one of queued) {
    const position = one.fix ? truePosition(one.fix, offset) : one.position;
    if (position) sent.push({ ...one, position });
    else impossible.push(one);
  }
  return [sent, impossible];
}

/** The positions that errors name. */
const named = (sent: Sendable[], errors: { pointer: string }[]): Sendable[] =>
  namedPositions(errors).flatMap((index) => sent[index] ?? []);

/** Why something is voided, for those who read the shipment at the service. */
const mistake = 'The driver recorded it by mistake.';

/**
 * Sends one item. Repeating it has no second effect.
 * @returns the status of the shipment after it, and the entry of the timeline that it has made
 */
async function send(
  client: Client,
  link: Link,
  item: QueueItem,
  store: Store,
): Promise<{ tracking: TrackingStatus; eventId?: string | undefined }> {
  const tracking_number = link.tracking?.tracking_number ?? '';
  const { action, at, key } = item;
  const uploads = await uploadFiles(client, tracking_number, item, store);
  const idOf = (kind: string): string[] => uploads.flatMap((upload) => (upload.kind === kind ? [upload.id] : []));
  const options = { idempotencyKey: key };
  try {
    if (action.kind === 'event') {
      const { kind: _, ...event } = action;
      const tracking = await client.recordTrackingEvent({ tracking_number, ...event, timestamp: at }, options);
      return { tracking, eventId: entryOf(tracking.timeline, action.status)?.id };
    }
    if (action.kind === 'exception') {
      const { kind: _, ...exception } = action;
      await client.raiseException({ tracking_number, ...exception, occurred_at: at, photos: idOf('photo') }, options);
    } else if (action.kind === 'proof') {
      const { kind: _, ...proof } = action;
      const [signature] = idOf('signature');
      const files = { signature, photos: idOf('photo') };
      await client.submitProofOfDelivery({ tracking_number, ...proof, ...files, delivered_at: at }, options);
    } else if (action.kind === 'void') {
      await client.voidTrackingEvent({ tracking_number, event_id: action.eventId, reason: mistake }, options);
    } else {
      const exception = { tracking_number, exception_id: action.exceptionId };
      if (action.kind === 'withdraw') await client.voidException({ ...exception, reason: mistake }, options);
      else await client.resolveException({ ...exception, resolved_at: at }, options);
    }
  } catch (error) {
    if (!(await isDone(client, tracking_number, item, error))) throw error;
  }
  return { tracking: await client.getTracking({ tracking_number }) };
}

/**
 * Whether the shipment already is as a refused item would make it: somebody else has recorded the event, or the response to an
 * earlier request was lost and its key is not known any more, after 24 hours or with a new token.
 */
async function isDone(client: Client, tracking_number: string, item: QueueItem, error: unknown): Promise<boolean> {
  if (!(error instanceof WaybillError)) return false;
  const { action, at } = item;
  if (action.kind === 'event') return error.code === 'status_recorded';
  if (action.kind === 'proof' && error.code === 'proof_submitted') {
    const proof = await client.getProofOfDelivery({ tracking_number });
    return Date.parse(proof.delivered_at) === Date.parse(at) && proof.signed_by === action.signed_by;
  }
  if (![404, 409].includes(error.status) || !('eventId' in action || 'exceptionId' in action)) return false;
  const { timeline, exceptions = [] } = await client.getTracking({ tracking_number });
  if ('eventId' in action) return timeline.every(({ id }) => id !== action.eventId);
  const exception = exceptions.find(({ id }) => id === action.exceptionId);
  return !exception || (action.kind === 'resolve' && exception.resolved_at !== undefined);
}

/** Uploads the files of an item that are not stored yet, and stores after each how far it is. */
async function uploadFiles(
  client: Client,
  tracking_number: string,
  item: QueueItem,
  store: Store,
): Promise<{ kind: string; id: string }[]> {
  for (const queued of item.files) {
    if (queued.uploadId) continue;
    const { kind, file, key } = queued;
    const bytes = await file.arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const content_type = file.type as 'image/png' | 'image/jpeg';
    const { upload_id, upload_url, headers } = await client.createProofUpload(
      { tracking_number, kind, content_type, size: bytes.byteLength, sha256 },
      { idempotencyKey: key },
    );
    await client.putProofFile({ url: upload_url, file }, { headers });
    queued.uploadId = upload_id;
    await store.replace(item, item.key);
  }
  return item.files.map(({ kind, uploadId = '' }) => ({ kind, id: uploadId }));
}

/** Whether the service stores positions of a shipment with this status as its current location. */
export const followsPositions = (status: string): boolean =>
  positionRules[status as keyof typeof positionRules] === 'move';

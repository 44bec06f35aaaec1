import { type Client, createClient, type TrackingStatus, WaybillError } from '@waybill/client';
import { positionRules } from '@waybill/contract/lifecycle';
import { failureOf, hasReached, pauseAfter, type QueueItem, renewed } from './queue.ts';
import type { Link, Store } from './store.ts';

/** The sender decides on retries, because it knows what is still wanted after minutes or hours. */
export const clientOf = ({ token }: Pick<Link, 'token'>, baseUrl: string): Client =>
  createClient({ accessToken: token, baseUrl, maxRetries: 0, timeout: 60_000 });

/** What the page shows of the sender. */
export interface SenderState {
  isSending: boolean;
  /** The last request did not reach the service. */
  isOffline: boolean;
}

export interface Sender {
  state(): SenderState;
  /** Sends what waits now, without the pauses after lost connections. */
  wake(): void;
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
}

/**
 * Sends the items of each shipment in order, one at a time over all tabs. An item is removed after its response is known, so
 * that a crash before that sends it again, with its key.
 * @param onChange is called after each change of the store or of the state
 */
export function createSender(store: Store, baseUrl: string, onChange: () => Promise<void>): Sender {
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

  async function sendItems(link: Link): Promise<void> {
    for (;;) {
      const item = (await store.items()).find(({ shipmentId }) => shipmentId === link.shipmentId);
      if (!item || item.refusal) return;
      if (!state.isSending) {
        state.isSending = true;
        await onChange();
      }
      try {
        await store.remove(item, await send(clientOf(link, baseUrl), link, item, store));
        state.isOffline = false;
        pauses.delete(link.shipmentId);
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind === 'retry' || failure.kind === 'closed') throw error;
        const again = failure.kind === 'renew' ? renewed(item) : undefined;
        const refusal = failure.kind === 'refused' ? failure.code : 'unknown_upload';
        await store.replace(again ?? { ...item, refusal });
      }
      await onChange();
    }
  }

  async function sendPositions({ shipmentId, tracking, ...link }: Link): Promise<void> {
    for (;;) {
      const queued = await store.positions(shipmentId);
      if (queued.length === 0 || !tracking) return;
      try {
        const { tracking_number } = tracking;
        await clientOf(link, baseUrl).recordPositions({
          tracking_number,
          positions: queued.map(({ position }) => position),
        });
        state.isOffline = false;
      } catch (error) {
        const { kind } = failureOf(error);
        if (kind === 'retry' || kind === 'closed') throw error;
        // The service will never accept them, for example after a cancellation.
      }
      await store.removePositions(queued.map(({ id }) => id));
    }
  }

  async function pauseOrClose(link: Link, error: unknown): Promise<void> {
    const { shipmentId } = link;
    const failure = failureOf(error);
    if (failure.kind === 'closed') {
      pauses.delete(shipmentId);
      await store.close(link, failure.reason);
    } else if (failure.kind === 'retry') {
      const attempts = (pauses.get(shipmentId)?.attempts ?? 0) + 1;
      const until = Date.now() + pauseAfter(attempts, failure.after, Math.random());
      pauses.set(shipmentId, { attempts, until, isAsked: failure.after !== null });
      state.isOffline = failure.isOffline;
    }
    await onChange();
  }

  return {
    state: () => ({ ...state }),
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

/** Sends one item. Repeating it has no second effect. @returns the status of the shipment after it */
async function send(client: Client, link: Link, item: QueueItem, store: Store): Promise<TrackingStatus> {
  const tracking_number = link.tracking?.tracking_number ?? '';
  const { action, at, key } = item;
  const uploads = await uploadFiles(client, tracking_number, item, store);
  const idOf = (kind: string): string[] => uploads.flatMap((upload) => (upload.kind === kind ? [upload.id] : []));
  const options = { idempotencyKey: key };
  try {
    if (action.kind === 'event')
      return await client.recordTrackingEvent({ tracking_number, status: action.status, timestamp: at }, options);
    if (action.kind === 'exception') {
      const { kind: _, ...exception } = action;
      await client.raiseException({ tracking_number, ...exception, occurred_at: at, photos: idOf('photo') }, options);
    } else {
      const { kind: _, ...proof } = action;
      const [signature] = idOf('signature');
      const files = { signature, photos: idOf('photo') };
      await client.submitProofOfDelivery({ tracking_number, ...proof, ...files, delivered_at: at }, options);
    }
  } catch (error) {
    if (!(await isDone(client, tracking_number, item, error))) throw error;
  }
  return await client.getTracking({ tracking_number });
}

/**
 * Whether the shipment already is as a refused item would make it: somebody else has recorded the event, or the response to an
 * earlier request was lost and its key is not known any more, after 24 hours or with a new token.
 */
async function isDone(client: Client, tracking_number: string, item: QueueItem, error: unknown): Promise<boolean> {
  if (!(error instanceof WaybillError && error.code === 'invalid_transition')) return false;
  const { action, at } = item;
  if (action.kind === 'event') return hasReached(error.current_status, action.status);
  if (action.kind !== 'proof' || error.current_status !== 'delivered') return false;
  const proof = await client.getProofOfDelivery({ tracking_number });
  return Date.parse(proof.delivered_at) === Date.parse(at) && proof.signed_by === action.signed_by;
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
    await store.replace(item);
  }
  return item.files.map(({ kind, uploadId = '' }) => ({ kind, id: uploadId }));
}

/** Whether the service stores positions of a shipment with this status as its current location. */
export const followsPositions = (status: string): boolean =>
  positionRules[status as keyof typeof positionRules] === 'move';

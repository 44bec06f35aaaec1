import type { PositionReport, ShipmentWithHandoverCode, TrackingStatus } from '@waybill/client';
import { isFinal } from '@waybill/contract/statuses';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KeyEnd } from '../link/key-end.ts';
import {
  type Draft,
  draftOf,
  endsSame,
  type Fix,
  type FormName,
  hasRoom,
  isPossible,
  isReport,
  limits,
  type QueueItem,
  statusAfter,
  timed,
  withFix,
} from './queue.ts';

/** A shipment whose link was opened on this phone. */
export interface Link {
  shipmentId: string;
  token: string;
  /** Tokens of before that may still work, the newest first: a link that does not work must not replace them. */
  earlier?: string[];
  /** The link that was opened last does not work, and an earlier one is used. */
  isFallback?: boolean;
  /** Milliseconds since 1970. The newest is shown. */
  openedAt: number;
  /** Whether the driver agrees to share the location. */
  isSharing: boolean;
  /** What was read last. */
  shipment?: ShipmentWithHandoverCode;
  tracking?: TrackingStatus;
  /** The ids of the entries of the timeline that this token has recorded, and may void. */
  own?: string[];
  /** How many actions were sent. */
  sent?: number | undefined;
  /** The destination that the driver knows, as `destinationText` has it. */
  knownDestination?: string;
  /** The time zones of its places by the query that asks for them; null for one that is not known. */
  zones?: Record<string, string | null>;
  /** How many positions were left out, because their place or time cannot be true. */
  leftOut?: number;
  /** Why the token does not work. */
  closed?: KeyEnd | undefined;
  /** How often each form was submitted. */
  submitted?: Partial<Record<FormName, number>>;
}

/** How often a form of a shipment was submitted: a form that was opened before does not open again. */
export const submissionsOf = (link: Link | undefined, form: FormName): number => link?.submitted?.[form] ?? 0;

/** A position that is not known to be stored by the service. */
export interface QueuedPosition {
  id: number;
  shipmentId: string;
  position?: Pick<PositionReport, 'lat' | 'lng'> & { updated_at: string };
  /** As it was measured, instead: the clock of the service was not known yet. */
  fix?: Fix;
}

interface Schema extends DBSchema {
  links: { key: string; value: Link };
  queue: { key: number; value: Omit<QueueItem, 'id'> & { id?: number } };
  /** By shipment, form and field: to write a name does not write the photos again. */
  drafts: { key: [string, FormName, string]; value: unknown };
  positions: { key: number; value: Omit<QueuedPosition, 'id'> & { id?: number }; indexes: { shipment: string } };
}

/** Written to the disk before the promise resolves: what the driver has seen as stored survives the loss of power. */
const strict = { durability: 'strict' } as const;

/** How many shipments a phone remembers. */
const maxLinks = 50;
const maxEarlier = 5;

const draftsOf = (shipmentId: string, ...form: FormName[]): IDBKeyRange =>
  IDBKeyRange.bound([shipmentId, ...form], [shipmentId, ...form, []]);

/** Every store that has data of a shipment. */
const all = ['links', 'queue', 'positions', 'drafts'] as const;

/** What the page stores in IndexedDB. */
export interface Store {
  /** The newest first. */
  links(): Promise<Link[]>;
  /** In their order. */
  items(): Promise<QueueItem[]>;
  /** Adds the shipment of a link, or continues with a new token for it, and forgets finished ones. */
  open(shipmentId: string, token?: string): Promise<void>;
  /** Changes a link. A status is ignored if another action was sent since `sent`, when its reading began. */
  change(shipmentId: string, change: Partial<Link>): Promise<void>;
  /**
   * Notes that a token does not work: an earlier one of the shipment continues, else the link is closed.
   * @returns whether the shipment has another token
   */
  close(link: Pick<Link, 'shipmentId' | 'token'>, reason: KeyEnd): Promise<boolean>;
  /**
   * Adds an action, removes the draft of its form, and counts its submission.
   * @returns why it was not added: there is no room, or the shipment does not accept it any more
   */
  add(item: Omit<QueueItem, 'id'>, form?: FormName): Promise<'full' | 'impossible' | undefined>;
  /** Adds the position of the phone to an action that was not sent yet. @param key of the action @param offset as for `timed` */
  locate(key: string, fix: Fix, offset: number): Promise<void>;
  /** Lets the sender have a held item. */
  release(id?: number): Promise<void>;
  /**
   * Takes an item from the queue, unless it may have been sent without a refusal, and makes it a draft again.
   * @returns the form of the draft; null if it has none, undefined if the item was sent meanwhile
   */
  takeBack(id: number): Promise<FormName | null | undefined>;
  /** The next item of a shipment that may be sent, with its final time. @param offset as for `timed` */
  next(shipmentId: string, offset: number): Promise<QueueItem | undefined>;
  /** Replaces an item, unless it was discarded or replaced meanwhile. @param key that it had */
  replace(item: QueueItem, key: string): Promise<void>;
  /** Removes an item, and stores the status after it. @param eventId of the entry of the timeline that it has made */
  remove(item: QueueItem, tracking?: TrackingStatus, eventId?: string): Promise<void>;
  /** Adds a position of several shipments. When there are too many, the oldest is lost. */
  addPosition(shipmentIds: string[], position: Omit<QueuedPosition, 'id' | 'shipmentId'>): Promise<void>;
  /** The oldest positions of a shipment. */
  positions(shipmentId: string, count: number): Promise<QueuedPosition[]>;
  removePositions(ids: number[]): Promise<void>;
  /** Stores positions with their final times: a repeated request must have the same. */
  setTimes(positions: QueuedPosition[]): Promise<void>;
  /** Removes positions and counts them as left out. @param shipmentIds of those that were never stored */
  leaveOut(positions: { shipmentId: string; id?: number }[]): Promise<void>;
  draft(shipmentId: string, form: FormName): Promise<Draft>;
  saveDraft(shipmentId: string, form: FormName, change: Draft): Promise<void>;
}

/** Opens the database. */
export async function openStore(): Promise<Store> {
  const db: IDBPDatabase<Schema> = await openDB<Schema>('waybill-driver', 2, {
    upgrade(created, version) {
      created.createObjectStore('drafts');
      if (version === 1) return;
      created.createObjectStore('links', { keyPath: 'shipmentId' });
      created.createObjectStore('queue', { keyPath: 'id', autoIncrement: true });
      created
        .createObjectStore('positions', { keyPath: 'id', autoIncrement: true })
        .createIndex('shipment', 'shipmentId');
    },
    // A tab with a newer version of this page waits for this one.
    blocking: () => location.reload(),
  });
  const items = async (): Promise<QueueItem[]> => (await db.getAll('queue')) as QueueItem[];

  return {
    links: async () => (await db.getAll('links')).sort((a, b) => b.openedAt - a.openedAt),
    items,

    async open(shipmentId, token) {
      const tx = db.transaction(all, 'readwrite', strict);
      const links = tx.objectStore('links');
      const known = await links.get(shipmentId);
      const { isFallback, ...link } = known ?? { shipmentId, token: '', isSharing: false };
      const change = token !== undefined && token !== known?.token ? { token, ...replacing(known, token) } : {};
      await links.put({ ...link, openedAt: Date.now(), ...change });
      const drafts = (await tx.objectStore('drafts').getAllKeys()).map(([id]) => ({ shipmentId: id }));
      const kept = [...(await tx.objectStore('queue').getAll()), ...drafts].map((item) => item.shipmentId);
      const others = (await links.getAll()).filter((other) => !kept.includes(other.shipmentId));
      const old = others.sort((a, b) => b.openedAt - a.openedAt).slice(maxLinks);
      const isOver = ({ closed, tracking }: Link) => closed !== undefined || isFinal(tracking?.status ?? '');
      for (const other of new Set([...old, ...others.filter(isOver)])) {
        // Only a link that works can send what was measured before the delivery.
        const positions = other.closed
          ? 0
          : await tx.objectStore('positions').index('shipment').count(other.shipmentId);
        if (other.shipmentId !== shipmentId && positions === 0) await links.delete(other.shipmentId);
      }
      await tx.done;
    },

    async change(shipmentId, change) {
      const tx = db.transaction('links', 'readwrite', strict);
      const link = await tx.store.get(shipmentId);
      const { tracking, sent, ...others } = change;
      if (link) await tx.store.put({ ...link, ...others, ...(tracking && sent === link.sent && { tracking }) });
      await tx.done;
    },

    async close({ shipmentId, token }, closed) {
      const tx = db.transaction('links', 'readwrite', strict);
      const link = await tx.store.get(shipmentId);
      const earlier = link?.earlier?.filter((other) => other !== token) ?? [];
      const [next, ...rest] = earlier;
      if (link && link.token !== token) await tx.store.put({ ...link, earlier });
      else if (link && next) await tx.store.put({ ...link, token: next, earlier: rest, isFallback: true });
      else if (link) await tx.store.put({ ...link, closed });
      await tx.done;
      return link !== undefined && (link.token !== token || next !== undefined);
    },

    async add(item, form) {
      const tx = db.transaction(all, 'readwrite', strict);
      const link = await tx.objectStore('links').get(item.shipmentId);
      const queued = (await tx.objectStore('queue').getAll()) as QueueItem[];
      const own = queued.filter(({ shipmentId }) => shipmentId === item.shipmentId);
      const { action } = item;
      if (!isPossible(statusAfter(link?.tracking?.status ?? '', own), action) || endsSame(own, action))
        return 'impossible';
      if (!hasRoom(queued, item)) return 'full';
      try {
        await tx.objectStore('queue').add(item);
        if (form) await tx.objectStore('drafts').delete(draftsOf(item.shipmentId, form));
        if (form && link) {
          const submitted = { ...link.submitted, [form]: submissionsOf(link, form) + 1 };
          await tx.objectStore('links').put({ ...link, submitted });
        }
        await tx.done;
        return undefined;
      } catch (error) {
        if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full';
        throw error;
      }
    },

    async locate(key, fix, offset) {
      const tx = db.transaction('queue', 'readwrite', strict);
      const item = ((await tx.store.getAll()) as QueueItem[]).find((other) => other.key === key);
      if (item && !item.isTimed) await tx.store.put(withFix(item, fix, offset));
      await tx.done;
    },

    async release(id) {
      const tx = db.transaction('queue', 'readwrite', strict);
      for (const { heldUntil, ...item } of await tx.store.getAll())
        if (heldUntil !== undefined && (id === undefined || id === item.id)) await tx.store.put(item);
      await tx.done;
    },

    async takeBack(id) {
      const tx = db.transaction(all, 'readwrite', strict);
      const item = (await tx.objectStore('queue').get(id)) as QueueItem | undefined;
      if (!item || (item.isTimed && !item.refusal)) return undefined;
      await tx.objectStore('queue').delete(id);
      const back = draftOf(item);
      for (const [field, value] of Object.entries(back?.draft ?? {}))
        await tx.objectStore('drafts').put(value, [item.shipmentId, back?.form as FormName, field]);
      await tx.done;
      return back?.form ?? null;
    },

    async next(shipmentId, offset) {
      const tx = db.transaction(['links', 'queue'], 'readwrite', strict);
      const queued = (await tx.objectStore('queue').getAll()) as QueueItem[];
      const item = queued.find(
        // No later action depends on a report that was refused.
        (other) => other.shipmentId === shipmentId && !(other.refusal && isReport(other.action)),
      );
      if (!item || item.refusal || item.heldUntil !== undefined) return undefined;
      const link = await tx.objectStore('links').get(shipmentId);
      const ready = timed(item, offset, link?.tracking?.timeline.at(-1)?.timestamp);
      if (ready !== item) await tx.objectStore('queue').put(ready);
      await tx.done;
      return ready;
    },

    async replace(item, key) {
      const tx = db.transaction('queue', 'readwrite', strict);
      if ((await tx.store.get(item.id))?.key === key) await tx.store.put(item);
      await tx.done;
    },

    async remove({ id, shipmentId }, tracking, eventId) {
      const tx = db.transaction(['links', 'queue'], 'readwrite', strict);
      const link = await tx.objectStore('links').get(shipmentId);
      const own = [...(link?.own ?? []), ...(eventId === undefined ? [] : [eventId])];
      if (link && tracking) await tx.objectStore('links').put({ ...link, tracking, own, sent: (link.sent ?? 0) + 1 });
      await tx.objectStore('queue').delete(id);
      await tx.done;
    },

    async addPosition(shipmentIds, position) {
      const tx = db.transaction('positions', 'readwrite');
      for (const shipmentId of shipmentIds) {
        await tx.store.add({ ...position, shipmentId });
        if ((await tx.store.count()) > limits.positions) await (await tx.store.openCursor())?.delete();
      }
      await tx.done;
    },

    positions: async (shipmentId, count) =>
      (await db.getAllFromIndex('positions', 'shipment', shipmentId, count)) as QueuedPosition[],

    async removePositions(ids) {
      const tx = db.transaction('positions', 'readwrite');
      for (const id of ids) await tx.store.delete(id);
      await tx.done;
    },

    async setTimes(positions) {
      const tx = db.transaction('positions', 'readwrite', strict);
      for (const { fix: _, ...position } of positions)
        if (await tx.store.getKey(position.id)) await tx.store.put(position);
      await tx.done;
    },

    async leaveOut(positions) {
      const tx = db.transaction(['links', 'positions'], 'readwrite');
      for (const { shipmentId, id } of positions) {
        if (id !== undefined) await tx.objectStore('positions').delete(id);
        const link = await tx.objectStore('links').get(shipmentId);
        if (link) await tx.objectStore('links').put({ ...link, leftOut: (link.leftOut ?? 0) + 1 });
      }
      await tx.done;
    },

    async draft(shipmentId, form) {
      const tx = db.transaction('drafts');
      const range = draftsOf(shipmentId, form);
      const [keys, values] = await Promise.all([tx.store.getAllKeys(range), tx.store.getAll(range)]);
      return Object.fromEntries(keys.map(([, , field], index) => [field, values[index]]));
    },

    async saveDraft(shipmentId, form, change) {
      const tx = db.transaction('drafts', 'readwrite');
      for (const [field, value] of Object.entries(change)) await tx.store.put(value, [shipmentId, form, field]);
      await tx.done;
    },
  };
}

/** The tokens that continue if a new one does not work; a link that has ended has none. */
function replacing(known: Link | undefined, token: string): Pick<Link, 'earlier' | 'closed' | 'own'> {
  const earlier = known && !known.closed ? [known.token, ...(known.earlier ?? [])] : [];
  return { closed: undefined, own: [], earlier: earlier.filter((other) => other !== token).slice(0, maxEarlier) };
}

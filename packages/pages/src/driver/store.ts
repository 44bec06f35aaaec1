import type { PositionReport, Shipment, TrackingStatus } from '@waybill/client';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KeyEnd } from '../key-end.ts';
import { isFinal } from '../statuses.ts';
import { hasRoom, isPossible, limits, type QueueItem, statusAfter } from './queue.ts';

/** A shipment whose link was opened on this phone. */
export interface Link {
  shipmentId: string;
  token: string;
  /** Milliseconds since 1970. The newest is shown. */
  openedAt: number;
  /** Whether the driver agrees to share the location. */
  isSharing: boolean;
  /** What was read last. */
  shipment?: Shipment;
  tracking?: TrackingStatus;
  /** Why the token does not work. */
  closed?: KeyEnd | undefined;
}

/** A position that is not known to be stored by the service. */
export interface QueuedPosition {
  id: number;
  shipmentId: string;
  position: Pick<PositionReport, 'lat' | 'lng'> & { updated_at: string };
}

interface Schema extends DBSchema {
  links: { key: string; value: Link };
  queue: { key: number; value: Omit<QueueItem, 'id'> & { id?: number } };
  positions: { key: number; value: Omit<QueuedPosition, 'id'> & { id?: number }; indexes: { shipment: string } };
}

/** Written to the disk before the promise resolves: what the driver has seen as stored survives the loss of power. */
const strict = { durability: 'strict' } as const;

/** How many shipments a phone remembers. */
const maxLinks = 50;

/** What the page stores in IndexedDB. */
export interface Store {
  /** The newest first. */
  links(): Promise<Link[]>;
  /** In their order. */
  items(): Promise<QueueItem[]>;
  /** Adds the shipment of a link, or continues with a new token for it, and forgets finished ones. */
  open(shipmentId: string, token?: string): Promise<void>;
  /** Changes a link. A status that was read before the stored one is ignored. */
  change(shipmentId: string, change: Partial<Link>): Promise<void>;
  /** Notes that a token does not work, unless the shipment has another one meanwhile. */
  close(link: Pick<Link, 'shipmentId' | 'token'>, reason: KeyEnd): Promise<void>;
  /** Adds an action. @returns why it was not added: there is no room, or the shipment does not accept it any more */
  add(item: Omit<QueueItem, 'id'>): Promise<'full' | 'impossible' | undefined>;
  /** Replaces an item, unless the driver has discarded it meanwhile. */
  replace(item: QueueItem): Promise<void>;
  /** Removes an item, and stores the status after it. */
  remove(item: QueueItem, tracking?: TrackingStatus): Promise<void>;
  /** Adds a position. When there are too many, the oldest is lost. */
  addPosition(position: Omit<QueuedPosition, 'id'>): Promise<void>;
  /** As many of the oldest positions of a shipment as a request may have. */
  positions(shipmentId: string): Promise<QueuedPosition[]>;
  removePositions(ids: number[]): Promise<void>;
}

/** Opens the database. */
export async function openStore(): Promise<Store> {
  const db: IDBPDatabase<Schema> = await openDB<Schema>('waybill-driver', 1, {
    upgrade(created) {
      created.createObjectStore('links', { keyPath: 'shipmentId' });
      created.createObjectStore('queue', { keyPath: 'id', autoIncrement: true });
      created
        .createObjectStore('positions', { keyPath: 'id', autoIncrement: true })
        .createIndex('shipment', 'shipmentId');
    },
  });
  const items = async (): Promise<QueueItem[]> => (await db.getAll('queue')) as QueueItem[];

  return {
    links: async () => (await db.getAll('links')).sort((a, b) => b.openedAt - a.openedAt),
    items,

    async open(shipmentId, token) {
      const tx = db.transaction(['links', 'queue'], 'readwrite', strict);
      const links = tx.objectStore('links');
      const known = await links.get(shipmentId);
      const link = known ?? { shipmentId, token: '', isSharing: false };
      const change = token !== undefined && token !== known?.token ? { token, closed: undefined } : {};
      await links.put({ ...link, openedAt: Date.now(), ...change });
      const waiting = new Set((await tx.objectStore('queue').getAll()).map((item) => item.shipmentId));
      const others = (await links.getAll()).filter((other) => !waiting.has(other.shipmentId));
      const old = others.sort((a, b) => b.openedAt - a.openedAt).slice(maxLinks);
      const isOver = ({ closed, tracking }: Link) => closed !== undefined || isFinal(tracking?.status ?? '');
      for (const other of new Set([...old, ...others.filter(isOver)]))
        if (other.shipmentId !== shipmentId) await links.delete(other.shipmentId);
      await tx.done;
    },

    async change(shipmentId, change) {
      const tx = db.transaction('links', 'readwrite', strict);
      const link = await tx.store.get(shipmentId);
      const known = link?.tracking;
      const isOld = known && change.tracking && known.timeline.length > change.tracking.timeline.length;
      if (link) await tx.store.put({ ...link, ...change, ...(isOld && { tracking: known }) });
      await tx.done;
    },

    async close({ shipmentId, token }, closed) {
      const tx = db.transaction('links', 'readwrite', strict);
      const link = await tx.store.get(shipmentId);
      if (link?.token === token) await tx.store.put({ ...link, closed });
      await tx.done;
    },

    async add(item) {
      const tx = db.transaction(['links', 'queue'], 'readwrite', strict);
      const link = await tx.objectStore('links').get(item.shipmentId);
      const queued = (await tx.objectStore('queue').getAll()) as QueueItem[];
      const own = queued.filter(({ shipmentId }) => shipmentId === item.shipmentId);
      if (!isPossible(statusAfter(link?.tracking?.status ?? '', own), item.action)) return 'impossible';
      if (!hasRoom(queued, item)) return 'full';
      try {
        await tx.objectStore('queue').add(item);
        await tx.done;
        return undefined;
      } catch (error) {
        if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full';
        throw error;
      }
    },

    async replace(item) {
      const tx = db.transaction('queue', 'readwrite', strict);
      if (await tx.store.getKey(item.id)) await tx.store.put(item);
      await tx.done;
    },

    async remove({ id, shipmentId }, tracking) {
      const tx = db.transaction(['links', 'queue'], 'readwrite', strict);
      const link = await tx.objectStore('links').get(shipmentId);
      if (link && tracking) await tx.objectStore('links').put({ ...link, tracking });
      await tx.objectStore('queue').delete(id);
      await tx.done;
    },

    async addPosition(position) {
      const tx = db.transaction('positions', 'readwrite');
      await tx.store.add(position);
      if ((await tx.store.count()) > limits.positions) await (await tx.store.openCursor())?.delete();
      await tx.done;
    },

    positions: async (shipmentId) =>
      (await db.getAllFromIndex('positions', 'shipment', shipmentId, 100)) as QueuedPosition[],

    async removePositions(ids) {
      const tx = db.transaction('positions', 'readwrite');
      for (const id of ids) await tx.store.delete(id);
      await tx.done;
    },
  };
}

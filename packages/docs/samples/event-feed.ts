import { DatabaseSync } from 'node:sqlite';
import { type Client, WaybillError } from '@waybill/client';

/** Opens your own database: the status of each shipment, and the id of the last event that it includes. */
export function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(`
    create table if not exists shipments (tracking_number text primary key, status text not null);
    create table if not exists last_event (only_row integer primary key check (only_row = 1), id text not null)`);
  return db;
}

/** Stores a status, and the event that it comes from, in one transaction. */
function store(db: DatabaseSync, shipments: { tracking_number: string; status: string }[], event?: string): void {
  db.exec('begin');
  const upsert = db.prepare('insert or replace into shipments values (?, ?)');
  for (const { tracking_number, status } of shipments) upsert.run(tracking_number, status);
  if (event !== undefined) db.prepare('insert or replace into last_event values (1, ?)').run(event);
  db.exec('commit');
}

/** Keeps the statuses of all shipments current, until the signal aborts. Start it again after a crash. */
export async function followStatuses(client: Client, db: DatabaseSync, signal: AbortSignal): Promise<never> {
  const types = [
    ...(['shipment.created', 'shipment.cancelled'] as const),
    ...(['tracking.status_reached', 'tracking.event_voided'] as const),
  ];
  while (true) {
    try {
      const last = db.prepare('select id from last_event').get()?.id as string | undefined;
      const after = last ?? (await readAllShipments(client, db));
      for await (const event of client.followEvents({ after, types }, { signal })) {
        const { shipment, tracking } = event.data;
        const changed = shipment ?? tracking;
        if (changed) store(db, [changed], event.id);
      }
    } catch (error) {
      if (!(error instanceof WaybillError && error.code === 'events_expired')) throw error;
      db.exec('delete from last_event');
    }
  }
}

/** Stores the status of every shipment. Returns the newest event before that, from which to follow the changes. */
async function readAllShipments(client: Client, db: DatabaseSync): Promise<string | undefined> {
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await client.listEvents({ after, limit: 100 });
    after = page.next_after ?? undefined;
    hasMore = page.has_more;
  }
  for await (const shipment of client.listShipments({ limit: 100 })) store(db, [shipment]);
  return after;
}

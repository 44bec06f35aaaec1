import type { Kysely, Transaction } from 'kysely';
import type { ShownBodies, ShownEvents, Visibility } from './auth/visibility.ts';
import type { Database } from './database/database.ts';
import type { Placements } from './database/schema/distribute.ts';
import type { SecretBox } from './database/secret-box.ts';
import type { Tables } from './database/tables.ts';
import type { EventFeed } from './event-feed/feed.ts';
import type { Handlers } from './operations/route-handlers.ts';
import type { Links } from './operations/signed-urls.ts';
import type { Storage } from './storage/storage.ts';

/** What a folder of the server has to provide. `features.ts` composes them. */
export interface Feature {
  /** Its tables. A table comes after those that its foreign keys name. */
  tables: { [Table in keyof Tables]?: RulesOf<Table> };
  /** Makes its operations. */
  handlers?(services: Services): Partial<Handlers>;
  /** What an access shows of the responses of its operations and of its events. */
  shown?: { bodies?: Partial<ShownBodies>; events?: Partial<ShownEvents> };
}

/** What operations work with. */
export interface Services {
  database: Database;
  storage: Storage;
  feed: EventFeed;
  links: Links;
  secrets: SecretBox;
  visibility: Visibility;
  /** Returns why events must not be sent to a URL, as a clause; undefined when they may. */
  urlError(url: string): Promise<string | undefined>;
  /** The public origin of the service, for links. */
  origin: string;
  /** The path of the base URL, such as `/v1`. */
  basePath: string;
  /** How long a request waits for the database altogether, in milliseconds. */
  executionTimeout: number;
  /** For how many days positions are retained. */
  positionDays: number;
  /** How many bytes the files of an account may have together. */
  storageBytes: number;
  /** Seconds after which a stream of events ends. */
  streamSeconds: number;
  /** The first part of tracking numbers. */
  trackingPrefix: string;
}

type Column<Table extends keyof Tables> = Extract<keyof Tables[Table], string>;

/** Where a table is stored, and when its rows are removed. Its columns decide which rules it needs. */
export type RulesOf<Table extends keyof Tables> = TableRules &
  ('account_id' extends keyof Tables[Table] ? { ofAccount: OfAccount<Column<Table>> } : unknown) &
  ('shipment_id' extends keyof Tables[Table] ? { ofShipment: OfShipment<Column<Table>> } : unknown);

export type AllTableRules = { [Table in keyof Tables]: RulesOf<Table> };

/** The rules of any table, as jobs read them. */
export interface TableRules {
  citus: Placements[string]['citus'];
  /** The rows that clean-up removes, by the kind that its log and its metric name. `stays`: none. */
  expired: 'stays' | Record<string, Expired>;
  /** How the rows of a deleted account are removed. */
  ofAccount?: OfAccount<string>;
  /** How the rows of an expired shipment are removed. */
  ofShipment?: OfShipment<string>;
  /** What its rows are, for the operator who is about to delete an account. */
  counted?: string;
}

/** `at_once` for a few rows; for many the columns of the primary key that order them after the account. */
type OfAccount<Name extends string> = 'stays' | 'at_once' | Name[] | RemoveOfAccount;
/** @returns the number of rows */
type RemoveOfAccount = (db: Kysely<Tables>, storage: Storage, accountId: string) => Promise<number>;

type OfShipment<Name extends string> =
  | 'stays'
  | {
      /** The columns that an export leaves out. */
      secrets: Name[];
      /** Locks the rows of shipments, if they have files. */
      files?(trx: Transaction<Tables>, accountId: string, shipmentIds: string[]): Promise<ShipmentFiles>;
    };

/** The files of shipments. They are removed before their rows: a repetition finds a row without a file, but not a file without a row. */
export interface ShipmentFiles {
  keys: string[];
  /** The keys of those that have arrived. */
  stored: string[];
  /** Call it after the rows are removed. */
  release(): Promise<void>;
}

export type Expired = ExpiredByAge | ExpiredDays | ((cleanUp: CleanUp) => Promise<number>);

/** The rows whose timestamp is old. */
interface ExpiredByAge {
  column: string;
  /** An interval of PostgreSQL, such as `24 hours`. */
  age: string;
}

/** The partitions of the UTC days that have expired as a whole. */
interface ExpiredDays {
  /** The timestamp that the table is partitioned by. */
  partitionedBy: string;
  days(retention: Retention): number;
  /** Runs in the transaction that drops the partition of a time, which includes `from` and excludes `to`. */
  beforeDrop?(trx: Transaction<Tables>, from: string, to: string): Promise<void>;
}

/** What operators have removed earlier than the service requires. */
export interface Retention {
  /** Days for which positions are retained. */
  positionDays: number;
  /** Days for which finished deliveries of webhooks are retained; undefined for as long as their events. */
  deliveryDays?: number | undefined;
  /** Undefined for ever. */
  shipments?: ShipmentRetention | undefined;
}

export interface ShipmentRetention {
  /** Days after the last change of a shipment that has ended. */
  days: number;
  /** The folder for what is removed; empty for no export. */
  exportFolder: string;
}

/** What a run of clean-up has. Several instances may run it at once. */
export interface CleanUp {
  db: Database;
  storage: Storage;
  retention: Retention;
  /** Aborts when the run is to end early. */
  signal?: AbortSignal;
  /** All tables. */
  tables: AllTableRules;
}

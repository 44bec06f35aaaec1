import type { EventData } from '@waybill/contract/events';
import type { Scope } from '@waybill/contract/scopes';
import type { components } from '@waybill/contract/types';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Schemas = components['schemas'];
type Timestamp = ColumnType<Date, Date, Date>;
/** A nullable column that an insert can omit. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

/**
 * An encrypted secret as base64url, as the database and stored responses contain it. To the compiler it is no string, so that
 * no response contains it unless `ConcealedBodies` says so.
 */
export type EncryptedSecret = { readonly isEncrypted: unique symbol };

type Shipment = Schemas['Shipment'];
type OptionalField = { [Name in keyof Shipment]-?: undefined extends Shipment[Name] ? Name : never }[keyof Shipment];
type FieldOfColumns = 'reference' | 'notes' | 'cancellation_reason' | 'handover_code_required';

/** The optional fields of a shipment that no query selects by, as they are stored. */
export type ShipmentDetails = Pick<Shipment, Exclude<OptionalField, FieldOfColumns | 'totals'>>;

/** Columns whose times are of another type, such as PostgreSQL's JSON text. */
export type WithTimes<Columns, Time> = {
  [Name in keyof Columns]: Columns[Name] extends Date | null ? Time | Extract<Columns[Name], null> : Columns[Name];
};

/** A secret that was replaced, and still signs until a time. */
export interface EarlierSecret {
  secret: EncryptedSecret;
  expires_at: string;
}

/** A range of events that are queued again: those after one number up to another, whose times are in the range. */
export interface Replay {
  from: string;
  to: string;
  /** That of the last event that was queued. */
  after: number;
  /** That of the last event that had been queued when the replay was requested: later ones are queued anyway. */
  last: number;
}

/** The schema after all migrations. Ids are uuids. */
export interface Tables {
  accounts: {
    account_id: string;
    name: string;
    created_at: Timestamp;
    disabled_at: Nullable<Date>;
    /** Percent of the time of a process that it may use while others are active; null for the usual share. */
    share: Nullable<number>;
    /** Shown to drivers. */
    dispatcher_phone: Nullable<string>;
  };
  api_keys: {
    account_id: string;
    key_id: string;
    secret_hash: Buffer;
    name: string;
    scopes: Scope[];
    created_at: Timestamp;
    expires_at: Nullable<Date>;
    last_used_at: Nullable<Date>;
    revoked_at: Nullable<Date>;
  };
  /** Accesses to one shipment. */
  accesses: {
    account_id: string;
    shipment_id: string;
    /** UUIDv7: contains the creation time. */
    id: string;
    tracking_number: string;
    secret_hash: Buffer;
    name: Nullable<string>;
    /** Null without a link. */
    kind: Nullable<Schemas['AccessKind']>;
    scopes: Schemas['AccessScope'][];
    detail: Schemas['AccessDetail'];
    /** Null for false. */
    documents: Nullable<boolean>;
    expires_at: Timestamp;
  };
  /** What operators changed with commands. PostgreSQL refuses to change or remove entries. */
  audit_log: {
    /** UUIDv7. */
    id: string;
    at: Timestamp;
    action: string;
    /** Null for a change of the whole database. */
    account_id: Nullable<string>;
    details: JSONColumnType<object>;
    os_user: string;
    host: string;
    pid: number;
  };
  shipments: {
    account_id: string;
    /** UUIDv7: contains the creation time. */
    id: string;
    tracking_number: string;
    status: Schemas['ShipmentStatus'];
    /** The number of entries of the timeline, and so the ordinal number of the last one that was recorded. */
    version: number;
    type: Schemas['ShipmentType'];
    origin: JSONColumnType<Schemas['Address']>;
    destination: JSONColumnType<Schemas['Address']>;
    pickup_start: Timestamp;
    pickup_end: Timestamp;
    reference: Nullable<string>;
    notes: Nullable<string>;
    details: NullableJson<ShipmentDetails>;
    cancellation_reason: Nullable<string>;
    /** Start of the route: timestamp of the earliest position that was ever stored. */
    route_since: Nullable<Date>;
    updated_at: Timestamp;
    handover_code: Nullable<string>;
    /** How often a wrong one was sent since this one was set. */
    wrong_handover_codes: Generated<number>;
    /** Numbers of all exceptions and of the open ones. */
    exceptions: Generated<number>;
    open_exceptions: Generated<number>;
  };
  /** By which `references` a list finds a shipment. `details` of the shipment has them with their types. */
  shipment_references: {
    account_id: string;
    shipment_id: string;
    value: string;
  };
  tracking_events: {
    account_id: string;
    shipment_id: string;
    /** Ordinal number of the entry in the shipment's timeline, from 1, in the order in which they were recorded. */
    version: number;
    /** UUIDv7: contains the time at which it was recorded. Null for the first entry. */
    id: Nullable<string>;
    status: Schemas['ShipmentStatus'];
    occurred_at: Timestamp;
    description: string;
    /** The access that recorded it; null for a key. */
    access_id: Nullable<string>;
    voided_at: Nullable<Date>;
    void_reason: Nullable<string>;
    /** The estimated arrival that was reported with it. Null also when it was cleared, which `clears_eta` says. */
    eta: Nullable<Date>;
    clears_eta: Nullable<boolean>;
  };
  positions: {
    account_id: string;
    shipment_id: string;
    /** When the shipment was at the position. */
    updated_at: Timestamp;
    lat: number;
    lng: number;
    address: Nullable<string>;
  };
  current_positions: {
    account_id: string;
    shipment_id: string;
    lat: Nullable<number>;
    lng: Nullable<number>;
    address: Nullable<string>;
    updated_at: Nullable<Date>;
    eta: Nullable<Date>;
    /** The entry of the timeline or the exception that `eta` came with; null if positions did. */
    eta_source: Nullable<string>;
    /** What positions have reported last as the estimated arrival, and when; null if none has. */
    position_eta: Nullable<Date>;
    position_eta_at: Nullable<Date>;
    /** What was reported until then no longer counts; null if all does. */
    counts_after: Nullable<Date>;
    /** What the last report has changed; null before the first one. */
    location_changed: Nullable<boolean>;
    eta_changed: Nullable<boolean>;
    /** The last position that is a jump away from the current one; null after one that is not. */
    jump_updated_at: Nullable<Date>;
    jump_lat: Nullable<number>;
    jump_lng: Nullable<number>;
    /** How many positions in a row are no jump from each other, with the current one and with the last jump; null for two and one. */
    agreeing: Nullable<number>;
    jump_agreeing: Nullable<number>;
  };
  exceptions: {
    account_id: string;
    shipment_id: string;
    /** UUIDv7: contains the creation time. */
    id: string;
    code: Schemas['ExceptionCode'];
    shipment_status: Schemas['ShipmentStatus'];
    occurred_at: Timestamp;
    description: Nullable<string>;
    eta: Nullable<Date>;
    /** Whether it was reported that there is no estimated arrival any more. */
    clears_eta: Nullable<boolean>;
    lat: Nullable<number>;
    lng: Nullable<number>;
    address: Nullable<string>;
    /** Upload ids. */
    photos: string[];
    resolved_at: Nullable<Date>;
    resolution: Nullable<string>;
    /** The entry of the timeline that resolved it; null if a request did. */
    resolved_version: Nullable<number>;
    /** The access that raised it; null for a key. */
    access_id: Nullable<string>;
    voided_at: Nullable<Date>;
    void_reason: Nullable<string>;
  };
  proof_uploads: {
    account_id: string;
    id: string;
    shipment_id: string;
    kind: Schemas['FileKind'];
    content_type: Schemas['FileType'];
    size: number;
    sha256: Buffer;
    created_at: Timestamp;
    verified_at: Nullable<Date>;
    bound_at: Nullable<Date>;
    /** The access that created it; null for a key. */
    access_id: Nullable<string>;
    /** When it was removed, or its access was before its bytes arrived. Clean-up deletes the row. */
    ended_at: Nullable<Date>;
    /** Only those of documents have a type and, perhaps, a description. */
    document_type: Nullable<Schemas['DocumentType']>;
    description: Nullable<string>;
  };
  /** Total size of the declared files of each account. */
  stored_bytes: {
    account_id: string;
    bytes: number;
  };
  proofs: {
    account_id: string;
    shipment_id: string;
    /** The end that it is about. */
    status: Generated<NonNullable<Schemas['ProofOfDeliveryRequest']['status']>>;
    delivered_at: Timestamp;
    /** Null, as the signature, of an unattended delivery. */
    signed_by: Nullable<string>;
    /** An upload id. */
    signature: Nullable<string>;
    photos: string[];
    /** Null, as the longitude, when the place of the delivery is not known. */
    lat: Nullable<number>;
    lng: Nullable<number>;
    remarks: Nullable<string>;
    /** Null if no pieces were counted. */
    items: NullableJson<Schemas['DeliveredItem'][]>;
  };
  /** Proofs of ends that were voided. */
  voided_proofs: Tables['proofs'] & { voided_at: Timestamp };
  /** The changes of shipments, in the order of their numbers. */
  events: {
    account_id: string;
    number: number;
    created_at: Timestamp;
    type: Schemas['EventType'];
    /** Null for events of webhook endpoints. */
    shipment_id: Nullable<string>;
    data: JSONColumnType<EventData>;
  };
  /** The last event of each account that clean-up has removed. */
  removed_events: { account_id: string; last_number: number };
  webhook_endpoints: {
    account_id: string;
    /** UUIDv7: contains the creation time. */
    id: string;
    /** From 0; limits the endpoints of an account. */
    slot: number;
    url: string;
    description: string;
    /** Empty for all. */
    types: Schemas['EventType'][];
    status: Schemas['WebhookEndpointStatus'];
    disabled_reason: Nullable<Schemas['WebhookDisabledReason']>;
    /** Encrypted. */
    secret: EncryptedSecret;
    previous_secret: Nullable<EncryptedSecret>;
    previous_secret_expires_at: Nullable<Date>;
    /** Those before the previous one, newest first. */
    earlier_secrets: NullableJson<EarlierSecret[]>;
    updated_at: Timestamp;
    /** That of the last event that was queued. */
    event_number: number;
    /** The unfinished replays, in the order of their requests; null when there is none. */
    replays: NullableJson<Replay[]>;
    /** A replay of the release that had one for each endpoint. */
    replay_from: Nullable<Date>;
    replay_to: Nullable<Date>;
    replay_event_number: Nullable<number>;
    /** Time of the first failed attempt after the last successful one. */
    failing_since: Nullable<Date>;
  };
  /** `version` changes when one is enabled and when a request has queued something for it. */
  enabled_webhook_endpoints: { account_id: string; endpoint_id: string; version: string };
  webhook_deliveries: {
    account_id: string;
    endpoint_id: string;
    /** UUIDv7: contains the creation time. */
    id: string;
    event_number: number;
    event_created_at: Timestamp;
    type: Schemas['EventType'];
    /** The data of a test event. */
    test_data: NullableJson<EventData>;
    /** The id of the shipment; without one, of the delivery. */
    order_key: string;
    /** Whether a request has queued it. */
    is_manual: Generated<boolean>;
    status: Schemas['WebhookDeliveryStatus'];
    attempts: number;
    /** Null when it is finished or waits for an earlier delivery with the same key. */
    next_attempt_at: Nullable<Date>;
    attempted_at: Nullable<Date>;
    attempt_url: Nullable<string>;
    attempt_ms: Nullable<number>;
    response_status: Nullable<number>;
    response_body: Nullable<string>;
    error: Nullable<string>;
  };
  /** The running instances of the service. */
  instances: { id: string; seen_at: Timestamp };
  /** Which instance sends the events of an endpoint. */
  webhook_leases: { endpoint_id: string; instance_id: string; expires_at: Timestamp };
  /** Stored responses of requests with an Idempotency-Key. */
  idempotency_keys: {
    account_id: string;
    key: string;
    fingerprint: Buffer;
    status: number;
    headers: JSONColumnType<Record<string, string>>;
    body: JSONColumnType<object>;
    created_at: Timestamp;
  };
}

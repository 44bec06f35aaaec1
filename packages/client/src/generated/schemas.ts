// Made from the contract by `pnpm generate`. Do not edit.

/** The values of `ShipmentStatus` in this version of the contract. */
export type KnownShipmentStatus = 'scheduled' | 'dispatched' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';

/** Status of a shipment. It changes one step at a time and never back. */
export type ShipmentStatus = KnownShipmentStatus | (string & {});

/** The shipper's own reference, unique among the account's shipments that are not cancelled. At most 100 characters. */
export type Reference = string;

/** A timestamp (RFC 3339) with an offset, of the years 1000 to 2999 and without a leap second. */
export type RequestTimestamp = string | Date;

/**
 * Identifier of a shipment.
 * @example "ship_01kjpx8p02fabr24pa3eywnyp2"
 */
export type ShipmentId = string;

/**
 * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
 * @example "FRT-2026-000142"
 */
export type TrackingNumber = string;

/** The values of `ShipmentType` in this version of the contract. */
export type KnownShipmentType = 'freight';

/** The kind of shipment. */
export type ShipmentType = KnownShipmentType | (string & {});

/** A pickup or delivery address with an optional contact. */
export interface Address {
  /** Street line. At most 200 characters. */
  address: string;
  /** City or town. At most 100 characters. */
  city: string;
  /** Region code. At most 50 characters. */
  state: string;
  /** Postal code. At most 20 characters. */
  zip: string;
  /** Contact name. At most 100 characters. */
  contact_name?: string;
  /** Contact phone number. At most 50 characters. */
  contact_phone?: string;
}

/** Time range for pickup. */
export interface PickupWindow {
  /** Earliest pickup. */
  start: string;
  /** Latest pickup. */
  end: string;
}

/** A shipment. Optional fields without a value are absent. */
export interface Shipment {
  /**
   * Identifier of a shipment.
   * @example "ship_01kjpx8p02fabr24pa3eywnyp2"
   */
  id: ShipmentId;
  /** Status of a shipment. It changes one step at a time and never back. */
  status: ShipmentStatus;
  /**
   * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
   * @example "FRT-2026-000142"
   */
  tracking_number: TrackingNumber;
  /** Reason for the cancellation. At most 500 characters. */
  cancellation_reason?: string;
  /** Time of creation. */
  created_at: string;
  /** Time at which the status last changed. */
  updated_at: string;
  /** The kind of shipment. */
  type: ShipmentType;
  /** A pickup or delivery address with an optional contact. */
  origin: Address;
  /** A pickup or delivery address with an optional contact. */
  destination: Address;
  /** Time range for pickup. */
  pickup_window: PickupWindow;
  /** The shipper's own reference, unique among the account's shipments that are not cancelled. At most 100 characters. */
  reference?: Reference;
  /** Free text handling instructions. At most 2000 characters. */
  notes?: string;
}

/** One page of shipments, newest first. */
export interface ShipmentList {
  /** The shipments of this page. At most 100 elements. */
  data: Shipment[];
  /** Whether there is another page. */
  has_more: boolean;
  /** The `cursor` of the next page; null if there is none. */
  next_cursor: string | null;
}

/** The values of `ProblemCode` in this version of the contract. */
export type KnownProblemCode = 'invalid_request' | 'malformed_request' | 'cursor_mismatch' | 'unknown_upload' | 'file_mismatch' | 'unauthenticated' | 'insufficient_scope' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'invalid_transition' | 'not_delivered' | 'positions_not_accepted' | 'uploads_not_accepted' | 'reference_taken' | 'webhook_limit_reached' | 'idempotency_in_progress' | 'file_conflict' | 'link_expired' | 'events_expired' | 'payload_too_large' | 'unsupported_media_type' | 'expectation_failed' | 'idempotency_key_reused' | 'rate_limited' | 'upload_limit_reached' | 'storage_quota_exceeded' | 'too_many_streams' | 'headers_too_large' | 'internal_error' | 'unavailable';

/** Machine-readable code of the problem. */
export type ProblemCode = KnownProblemCode | (string & {});

/** The values of `FieldErrorCode` in this version of the contract. */
export type KnownFieldErrorCode = 'required' | 'unknown_field' | 'wrong_type' | 'not_allowed' | 'invalid_format' | 'too_long' | 'too_short' | 'out_of_range' | 'duplicate' | 'out_of_order' | 'too_far_ahead' | 'too_old' | 'mismatch' | 'unknown_upload';

/** The kind of error in a field. */
export type FieldErrorCode = KnownFieldErrorCode | (string & {});

/** An invalid field. */
export interface FieldError {
  /** The part of the request that contains the field. */
  in: 'query' | 'headers' | 'body' | (string & {});
  /** JSON pointer (RFC 6901) to the field within that part; empty for the part itself. */
  pointer: string;
  /** The kind of error in a field. */
  code: FieldErrorCode;
  /** Explanation of the error. */
  detail: string;
}

/** An error (RFC 9457). */
export interface Problem {
  /** URL of the problem's page in the docs. */
  type: string;
  /** Short summary of the kind of problem. */
  title: string;
  /** HTTP status code. 400 to 599. */
  status: number;
  /** Explanation specific to this occurrence. */
  detail: string;
  /** The path of the request. */
  instance: string;
  /** Machine-readable code of the problem. */
  code: ProblemCode;
  /** Identifier of the request, as in `X-Request-Id`. */
  request_id: string;
  /** The invalid fields in the first part of the request that has any. At most 50 elements. */
  errors?: FieldError[];
  /** Status of a shipment. It changes one step at a time and never back. */
  current_status?: ShipmentStatus;
  /** The possible next statuses. At most 20 elements. */
  allowed?: ShipmentStatus[];
  /**
   * Identifier of a shipment.
   * @example "ship_01kjpx8p02fabr24pa3eywnyp2"
   */
  shipment_id?: ShipmentId;
}

/** A pickup or delivery address with an optional contact. */
export interface AddressRequest {
  /** Street line. At most 200 characters. */
  address: string;
  /** City or town. At most 100 characters. */
  city: string;
  /** Region code. At most 50 characters. */
  state: string;
  /** Postal code. At most 20 characters. */
  zip: string;
  /** Contact name. At most 100 characters. */
  contact_name?: string | undefined;
  /** Contact phone number. At most 50 characters. */
  contact_phone?: string | undefined;
}

/** Time range for pickup. It may be in the past. */
export interface PickupWindowRequest {
  /** Earliest pickup. */
  start: string | Date;
  /** Latest pickup, after `start`. */
  end: string | Date;
}

/** The shipment to create. */
export interface ShipmentRequest {
  /** A pickup or delivery address with an optional contact. */
  origin: AddressRequest;
  /** A pickup or delivery address with an optional contact. */
  destination: AddressRequest;
  /** Time range for pickup. It may be in the past. */
  pickup_window: PickupWindowRequest;
  /** The kind of shipment. */
  type: KnownShipmentType;
  /** The shipper's own reference, unique among the account's shipments that are not cancelled. At most 100 characters. */
  reference?: Reference | undefined;
  /** Free text handling instructions. At most 2000 characters. */
  notes?: string | undefined;
}

/** A request to cancel a shipment. */
export interface CancelRequest {
  /** Reason for the cancellation. At most 500 characters. */
  reason: string;
}

/** Latitude in decimal degrees. -90 to 90. */
export type Latitude = number;

/** Longitude in decimal degrees. -180 to 180. */
export type Longitude = number;

/** A reported position. */
export interface CurrentLocation {
  /** Latitude in decimal degrees. -90 to 90. */
  lat: Latitude;
  /** Longitude in decimal degrees. -180 to 180. */
  lng: Longitude;
  /** Description of the location; null if none was given. */
  address: string | null;
  /** Time of the position. */
  updated_at: string;
}

/** A status that was reached. */
export interface TimelineEntry {
  /** Status of a shipment. It changes one step at a time and never back. */
  status: ShipmentStatus;
  /** Time of the change. */
  timestamp: string;
  /** Description of the event. At most 500 characters. */
  description: string;
}

/** Status, estimated arrival, current location and timeline of a shipment. */
export interface TrackingStatus {
  /**
   * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
   * @example "FRT-2026-000142"
   */
  tracking_number: TrackingNumber;
  /** Status of a shipment. It changes one step at a time and never back. */
  status: ShipmentStatus;
  /** Estimated arrival; null until it is known. */
  eta: string | null;
  /** The latest reported position; null until one is known. */
  current_location: CurrentLocation | null;
  /** Every status reached, oldest first. At most 20 elements. */
  timeline: TimelineEntry[];
}

/** A status that an event can record. Submitting the proof of delivery records `delivered`. */
export type EventStatus = 'dispatched' | 'picked_up' | 'in_transit';

/** Location of the event. It is added to the route with the event's timestamp. */
export interface EventLocation {
  /** Latitude in decimal degrees. -90 to 90. */
  lat: Latitude;
  /** Longitude in decimal degrees. -180 to 180. */
  lng: Longitude;
  /** Description of the location. At most 200 characters. */
  address?: string | undefined;
}

/** An event that changes the shipment's status. */
export interface TrackingEventRequest {
  /** A status that an event can record. Submitting the proof of delivery records `delivered`. */
  status: EventStatus;
  /**
   * Time of the event: at most 5 minutes ahead of now, and at most 5 minutes before the previous event. With a
   * `location`, it must not be older than the retention time of positions.
   */
  timestamp: string | Date;
  /** Description of the event. The default depends on the status. At most 500 characters. */
  description?: string | undefined;
  /** Location of the event. It is added to the route with the event's timestamp. */
  location?: EventLocation | undefined;
  /** Estimated arrival. It is ignored if a newer position of the shipment is known. */
  eta?: string | Date | undefined;
}

/** One page of a route, oldest position first. */
export interface PositionList {
  /** The positions of this page. At most 100 elements. */
  data: CurrentLocation[];
  /** Whether there is another page. */
  has_more: boolean;
  /** The `cursor` of the next page; null if there is none. */
  next_cursor: string | null;
}

/** A position of the shipment. */
export interface PositionReport {
  /** Latitude in decimal degrees. -90 to 90. */
  lat: Latitude;
  /** Longitude in decimal degrees. -180 to 180. */
  lng: Longitude;
  /** Description of the location. At most 200 characters. */
  address?: string | undefined;
  /**
   * Time of the position: at most 5 minutes ahead of now and not older than the retention time, which is 90 days unless
   * the operator configures another time.
   */
  updated_at: string | Date;
}

/**
 * Positions of a shipment, in any order. Among equal timestamps the later element wins. Sending the same positions again
 * has no effect.
 */
export interface PositionsRequest {
  /** The positions. At most 100 elements. */
  positions: PositionReport[];
  /** Estimated arrival. It is ignored after delivery, and unless the newest known position is among `positions`. */
  eta?: string | Date | undefined;
}

/** A geographic location (WGS 84). */
export interface Coordinates {
  /** Latitude in decimal degrees. -90 to 90. */
  lat: Latitude;
  /** Longitude in decimal degrees. -180 to 180. */
  lng: Longitude;
}

/** Evidence that a shipment was delivered. */
export interface ProofOfDelivery {
  /**
   * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
   * @example "FRT-2026-000142"
   */
  tracking_number: TrackingNumber;
  /** Time of the delivery. */
  delivered_at: string;
  /** Name of the person who signed. At most 100 characters. */
  signed_by: string;
  /** URL of the signature image. It is valid for about an hour; read the proof again for a new one. */
  signature_url: string;
  /** URLs of the delivery photos, valid as long as `signature_url`. At most 10 elements. */
  photos: string[];
  /** A geographic location (WGS 84). */
  location: Coordinates;
}

/**
 * Identifier of an upload.
 * @example "upl_01kjwjfxt6fsytr0x9a1xe4sfc"
 */
export type UploadId = string;

/** A geographic location (WGS 84). */
export interface CoordinatesRequest {
  /** Latitude in decimal degrees. -90 to 90. */
  lat: Latitude;
  /** Longitude in decimal degrees. -180 to 180. */
  lng: Longitude;
}

/** The proof of delivery that completes a shipment. */
export interface ProofOfDeliveryRequest {
  /** Time of the delivery: at most 5 minutes ahead of now, and at most 5 minutes before the previous event. */
  delivered_at: string | Date;
  /** Name of the person who signed. At most 100 characters. */
  signed_by: string;
  /**
   * Identifier of an upload.
   * @example "upl_01kjwjfxt6fsytr0x9a1xe4sfc"
   */
  signature: UploadId;
  /** Upload ids of kind `photo`. At most 10 elements. */
  photos?: UploadId[] | undefined;
  /** A geographic location (WGS 84). */
  location: CoordinatesRequest;
}

/** Purpose of the file. */
export type FileKind = 'signature' | 'photo';

/** Media type of the file. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

/** The file to upload. */
export interface ProofUploadRequest {
  /** Purpose of the file. */
  kind: FileKind;
  /** Media type of the file. */
  content_type: ImageType;
  /** Size in bytes, at most 10 MiB. 1 to 10485760. */
  size: number;
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  sha256: string;
}

/** An upload, with the request that sends the bytes of the file. */
export interface ProofUpload {
  /**
   * Identifier of an upload.
   * @example "upl_01kjwjfxt6fsytr0x9a1xe4sfc"
   */
  upload_id: UploadId;
  /** URL to send the bytes to. It needs no API key. */
  upload_url: string;
  /** HTTP method to use. */
  method: 'PUT';
  /** Headers to send with the bytes. */
  headers: { [name: string]: string };
  /** Time at which `upload_url` expires, 15 minutes after it was created. */
  expires_at: string;
}

/**
 * Identifier of an event. It contains the position of the event among those of the account.
 * @example "evt_01kjpx8p02e00800000000010h"
 */
export type EventId = string;

/** The values of `EventType` in this version of the contract. */
export type KnownEventType = 'shipment.created' | 'shipment.cancelled' | 'tracking.status_reached' | 'tracking.location_changed' | 'tracking.eta_changed' | 'proof_of_delivery.submitted' | 'webhook_endpoint.disabled' | 'webhook_endpoint.test';

/** What has changed. */
export type EventType = KnownEventType | (string & {});

/**
 * Identifier of a webhook endpoint.
 * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
 */
export type WebhookEndpointId = string;

/**
 * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
 * 1024. Write an international name in Punycode. It must have no user name, password or fragment.
 * @example "https://shop.example.com/hooks/waybill"
 */
export type WebhookUrl = string;

/** The values of `WebhookEndpointStatus` in this version of the contract. */
export type KnownWebhookEndpointStatus = 'enabled' | 'disabled';

/** Whether events are sent. */
export type WebhookEndpointStatus = KnownWebhookEndpointStatus | (string & {});

/** The values of `WebhookDisabledReason` in this version of the contract. */
export type KnownWebhookDisabledReason = 'requested' | 'gone' | 'failing';

/** Why the endpoint is disabled; absent if it is enabled. */
export type WebhookDisabledReason = KnownWebhookDisabledReason | (string & {});

/** A URL to which events are sent. */
export interface WebhookEndpoint {
  /**
   * Identifier of a webhook endpoint.
   * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
   */
  id: WebhookEndpointId;
  /**
   * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
   * 1024. Write an international name in Punycode. It must have no user name, password or fragment.
   * @example "https://shop.example.com/hooks/waybill"
   */
  url: WebhookUrl;
  /** What the endpoint is for. May be empty. */
  description: string;
  /** Types of events that are sent. Empty for all, including new ones. At most 50 elements. */
  types: EventType[];
  /** Whether events are sent. */
  status: WebhookEndpointStatus;
  /** Why the endpoint is disabled; absent if it is enabled. */
  disabled_reason?: WebhookDisabledReason;
  /** Time of the creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** The resource after the change. `type` determines which property is present. */
export interface EventData {
  /** A shipment. Optional fields without a value are absent. */
  shipment?: Shipment;
  /** Status, estimated arrival, current location and timeline of a shipment. */
  tracking?: TrackingStatus;
  /** A URL to which events are sent. */
  webhook_endpoint?: WebhookEndpoint;
}

/** A change of a shipment. */
export interface Event {
  /**
   * Identifier of an event. It contains the position of the event among those of the account.
   * @example "evt_01kjpx8p02e00800000000010h"
   */
  id: EventId;
  /** What has changed. */
  type: EventType;
  /** Time of the change. */
  created_at: string;
  /** The resource after the change. `type` determines which property is present. */
  data: EventData;
}

/** Events in the order of the changes. */
export interface EventList {
  /** The events after `after`, oldest first. At most 100 elements. */
  data: Event[];
  /** Whether there may be more events now. Send the next request without `wait` to read them. */
  has_more: boolean;
  /** The `after` of the next request; null as long as the account has no event. */
  next_after: string | null;
}

/** Server-Sent Events. The `data` of each is the JSON of an `Event`. */
export type EventStream = string;

/** All webhook endpoints of the account. */
export interface WebhookEndpointList {
  /** The endpoints, oldest first. At most 16 elements. */
  data: WebhookEndpoint[];
}

/** A request to create a webhook endpoint. */
export interface WebhookEndpointRequest {
  /**
   * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
   * 1024. Write an international name in Punycode. It must have no user name, password or fragment.
   * @example "https://shop.example.com/hooks/waybill"
   */
  url: WebhookUrl;
  /** What the endpoint is for. At most 200 characters. */
  description?: string | undefined;
  /** Types of events that are sent. Empty for all, including new ones. At most 50 elements. */
  types?: KnownEventType[] | undefined;
}

/** A webhook endpoint with its secret, which no other response has. */
export interface WebhookEndpointWithSecret {
  /** Signs the events (Standard Webhooks). Store it where you verify them. */
  secret: string;
  /**
   * Identifier of a webhook endpoint.
   * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
   */
  id: WebhookEndpointId;
  /**
   * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
   * 1024. Write an international name in Punycode. It must have no user name, password or fragment.
   * @example "https://shop.example.com/hooks/waybill"
   */
  url: WebhookUrl;
  /** What the endpoint is for. May be empty. */
  description: string;
  /** Types of events that are sent. Empty for all, including new ones. At most 50 elements. */
  types: EventType[];
  /** Whether events are sent. */
  status: WebhookEndpointStatus;
  /** Why the endpoint is disabled; absent if it is enabled. */
  disabled_reason?: WebhookDisabledReason;
  /** Time of the creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** Changes of a webhook endpoint. Absent fields stay the same. */
export interface WebhookEndpointChanges {
  /**
   * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
   * 1024. Write an international name in Punycode. It must have no user name, password or fragment.
   * @example "https://shop.example.com/hooks/waybill"
   */
  url?: WebhookUrl | undefined;
  /** What the endpoint is for. At most 200 characters. */
  description?: string | undefined;
  /** Types of events that are sent. Empty for all, including new ones. At most 50 elements. */
  types?: KnownEventType[] | undefined;
  /** Whether events are sent. */
  status?: KnownWebhookEndpointStatus | undefined;
}

/** A request for a new secret. */
export interface WebhookSecretRotation {
  /**
   * Hours for which events are also signed with the previous secret, so that you can replace it meanwhile. Use 0 if it
   * has become known.
   *  0 to 24. Default: 24.
   */
  previous_valid_hours?: number | undefined;
}

/** The time range of the events to send again. */
export interface WebhookReplayRequest {
  /** Start of the range. Events are retained for 30 days. */
  from: string | Date;
  /** End of the range, exclusive. */
  to: string | Date;
}

/** The time range whose events are sent again. */
export interface WebhookReplay {
  /** Start of the range. */
  from: string;
  /** End of the range, exclusive. */
  to: string;
}

/** An object without fields. */
export type EmptyRequest = { [name: string]: never };

/**
 * Identifier of a delivery.
 * @example "whd_01kjpx8p1pe3br6jq5y2v9s4tg"
 */
export type WebhookDeliveryId = string;

/** The values of `WebhookDeliveryStatus` in this version of the contract. */
export type KnownWebhookDeliveryStatus = 'pending' | 'delivered' | 'failed';

/** Status of a delivery. */
export type WebhookDeliveryStatus = KnownWebhookDeliveryStatus | (string & {});

/** The response to an attempt; absent if there was none. */
export interface WebhookResponse {
  /** HTTP status. 100 to 999. */
  status: number;
  /** The first 1000 characters of the body. */
  body: string;
}

/** The last request to the endpoint; absent before the first. */
export interface WebhookAttempt {
  /**
   * URL of the request. Its body is the event.
   * @example "https://shop.example.com/hooks/waybill"
   */
  url: string;
  /** Time of the request. `webhook-timestamp` has its seconds. */
  timestamp: string;
  /** Milliseconds until the end of the response. 0 to 600000. */
  duration_ms: number;
  /** The response to an attempt; absent if there was none. */
  response?: WebhookResponse;
  /** Why there was no complete response; absent if there was one. */
  error?: string;
}

/** The sending of an event to a webhook endpoint. */
export interface WebhookDelivery {
  /**
   * Identifier of a delivery.
   * @example "whd_01kjpx8p1pe3br6jq5y2v9s4tg"
   */
  id: WebhookDeliveryId;
  /** Status of a delivery. */
  status: WebhookDeliveryStatus;
  /** Number of attempts so far. 0 to 1000. */
  attempts: number;
  /** Time of the next attempt. Absent if there is none, or if the delivery waits for an earlier event of its shipment. */
  next_attempt_at?: string;
  /** Time at which the event was queued for the endpoint. */
  created_at: string;
  /** The last request to the endpoint; absent before the first. */
  last_attempt?: WebhookAttempt;
  /** A change of a shipment. */
  event: Event;
}

/** One page of deliveries, newest first. */
export interface WebhookDeliveryList {
  /** The deliveries of this page. At most 100 elements. */
  data: WebhookDelivery[];
  /** Whether there is another page. */
  has_more: boolean;
  /** The `cursor` of the next page; null if there is none. */
  next_cursor: string | null;
}

/**
 * Signed token that permits one operation on one file until it expires.
 * @example "AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY"
 */
export type FileToken = string;

/** The bytes of an image. */
export type ImageFile = Blob;

/** Code → the names of the additional members that its problems always have. */
export interface ProblemMembers {
  invalid_request: 'errors';
  unknown_upload: 'errors';
  file_mismatch: 'errors';
  invalid_transition: 'current_status' | 'allowed';
  not_delivered: 'current_status';
  positions_not_accepted: 'current_status';
  uploads_not_accepted: 'current_status';
  reference_taken: 'shipment_id';
}

/** Event type → the property of `data` that its events always have. */
export interface EventMembers {
  'shipment.created': 'shipment';
  'shipment.cancelled': 'shipment';
  'tracking.status_reached': 'tracking';
  'tracking.location_changed': 'tracking';
  'tracking.eta_changed': 'tracking';
  'proof_of_delivery.submitted': 'tracking';
  'webhook_endpoint.disabled': 'webhook_endpoint';
  'webhook_endpoint.test': 'webhook_endpoint';
}

/** Every schema of the contract by its name. */
export interface Schemas {
  ShipmentStatus: ShipmentStatus;
  Reference: Reference;
  RequestTimestamp: RequestTimestamp;
  ShipmentId: ShipmentId;
  TrackingNumber: TrackingNumber;
  ShipmentType: ShipmentType;
  Address: Address;
  PickupWindow: PickupWindow;
  Shipment: Shipment;
  ShipmentList: ShipmentList;
  ProblemCode: ProblemCode;
  FieldErrorCode: FieldErrorCode;
  FieldError: FieldError;
  Problem: Problem;
  AddressRequest: AddressRequest;
  PickupWindowRequest: PickupWindowRequest;
  ShipmentRequest: ShipmentRequest;
  CancelRequest: CancelRequest;
  Latitude: Latitude;
  Longitude: Longitude;
  CurrentLocation: CurrentLocation;
  TimelineEntry: TimelineEntry;
  TrackingStatus: TrackingStatus;
  EventStatus: EventStatus;
  EventLocation: EventLocation;
  TrackingEventRequest: TrackingEventRequest;
  PositionList: PositionList;
  PositionReport: PositionReport;
  PositionsRequest: PositionsRequest;
  Coordinates: Coordinates;
  ProofOfDelivery: ProofOfDelivery;
  UploadId: UploadId;
  CoordinatesRequest: CoordinatesRequest;
  ProofOfDeliveryRequest: ProofOfDeliveryRequest;
  FileKind: FileKind;
  ImageType: ImageType;
  ProofUploadRequest: ProofUploadRequest;
  ProofUpload: ProofUpload;
  EventId: EventId;
  EventType: EventType;
  WebhookEndpointId: WebhookEndpointId;
  WebhookUrl: WebhookUrl;
  WebhookEndpointStatus: WebhookEndpointStatus;
  WebhookDisabledReason: WebhookDisabledReason;
  WebhookEndpoint: WebhookEndpoint;
  EventData: EventData;
  Event: Event;
  EventList: EventList;
  EventStream: EventStream;
  WebhookEndpointList: WebhookEndpointList;
  WebhookEndpointRequest: WebhookEndpointRequest;
  WebhookEndpointWithSecret: WebhookEndpointWithSecret;
  WebhookEndpointChanges: WebhookEndpointChanges;
  WebhookSecretRotation: WebhookSecretRotation;
  WebhookReplayRequest: WebhookReplayRequest;
  WebhookReplay: WebhookReplay;
  EmptyRequest: EmptyRequest;
  WebhookDeliveryId: WebhookDeliveryId;
  WebhookDeliveryStatus: WebhookDeliveryStatus;
  WebhookResponse: WebhookResponse;
  WebhookAttempt: WebhookAttempt;
  WebhookDelivery: WebhookDelivery;
  WebhookDeliveryList: WebhookDeliveryList;
  FileToken: FileToken;
  ImageFile: ImageFile;
}

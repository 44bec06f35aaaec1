// Made from the contract by `pnpm generate`. Do not edit.
import type { ApiResponse, CallOptions, NotModified, Replayable, SignedCall, Tagged, Unconditional } from '../calls.ts';
import type {
  CancelRequest,
  EmptyRequest,
  EventId,
  EventList,
  FileToken,
  KnownShipmentStatus,
  PositionList,
  PositionsRequest,
  ProofOfDelivery,
  ProofOfDeliveryRequest,
  ProofUpload,
  ProofUploadRequest,
  Reference,
  Shipment,
  ShipmentId,
  ShipmentList,
  ShipmentRequest,
  TrackingEventRequest,
  TrackingNumber,
  TrackingStatus,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointId,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookReplayRequest,
  WebhookSecretRotation,
} from './schemas.ts';

/** The id of an operation. It is also the name of its method, except for a stream of events. */
export type OperationId =
  | 'listShipments'
  | 'createShipment'
  | 'getShipment'
  | 'cancelShipment'
  | 'getTracking'
  | 'recordTrackingEvent'
  | 'listPositions'
  | 'recordPositions'
  | 'getProofOfDelivery'
  | 'submitProofOfDelivery'
  | 'createProofUpload'
  | 'listEvents'
  | 'streamEvents'
  | 'listWebhookEndpoints'
  | 'createWebhookEndpoint'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'replayWebhookEvents'
  | 'sendTestWebhook'
  | 'listWebhookDeliveries'
  | 'resendWebhookDelivery'
  | 'putProofFile'
  | 'getProofFile';

/** Query parameters of `listShipments`. */
export interface ListShipmentsQuery {
  /**
   * Only shipments with this status.
   * @example "in_transit"
   */
  status?: KnownShipmentStatus | undefined;
  /**
   * Only shipments with this reference, including cancelled ones.
   * @example "PO-2026-4471"
   */
  reference?: Reference | undefined;
  /**
   * Only shipments created at or after this time. A date is the start of that day in UTC; a date-time has an offset.
   * @example "2026-03-01"
   */
  from_date?: string | Date | undefined;
  /**
   * Only shipments created before this time. A date includes that whole day in UTC; a date-time is exclusive. It must not
   * be before `from_date`.
   * @example "2026-03-31"
   */
  to_date?: string | Date | undefined;
  /**
   * Maximum number of results per page. 1 to 100. Default: 25.
   * @example 25
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the previous page. Send the same filters with it; only `limit` may change.
   * @example "T1PNoYwrAZyt1FgCepeBEsobvcr6wg"
   */
  cursor?: string | undefined;
}

/** Argument of `listShipments`. */
export interface ListShipmentsArguments extends CallOptions {
  /** The query parameters. */
  query?: ListShipmentsQuery | undefined;
}

/** Response of `listShipments`. */
export interface ListShipmentsResponse extends ApiResponse<200, ShipmentList> {}

/** Argument of `createShipment`. */
export interface CreateShipmentArguments extends CallOptions {
  /** The shipment to create. */
  body: ShipmentRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `createShipment`. */
export interface CreateShipmentResponse extends ApiResponse<201, Shipment>, Replayable {}

/** Argument of `getShipment`. */
export interface GetShipmentArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `id`.
     * @example "ship_01kjpx8p02fabr24pa3eywnyp2"
     */
    shipment_id: ShipmentId;
  };
  /**
   * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
   * (RFC 9110, section 13.1.2).
   * Absent or null reads unconditionally.
   * @example "\"k1vZ3cY0mQk8Qe3v9yJ2Xw\""
   */
  ifNoneMatch?: string | null | undefined;
}

/** Response of `getShipment`. */
export interface GetShipmentResponse extends ApiResponse<200, Shipment>, Tagged {}

/** Argument of `cancelShipment`. */
export interface CancelShipmentArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `id`.
     * @example "ship_01kjpx8p02fabr24pa3eywnyp2"
     */
    shipment_id: ShipmentId;
  };
  /** A request to cancel a shipment. */
  body: CancelRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `cancelShipment`. */
export interface CancelShipmentResponse extends ApiResponse<200, Shipment>, Replayable {}

/** Argument of `getTracking`. */
export interface GetTrackingArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `tracking_number`.
     * @example "FRT-2026-000142"
     */
    tracking_number: TrackingNumber;
  };
  /**
   * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
   * (RFC 9110, section 13.1.2).
   * Absent or null reads unconditionally.
   * @example "\"k1vZ3cY0mQk8Qe3v9yJ2Xw\""
   */
  ifNoneMatch?: string | null | undefined;
}

/** Response of `getTracking`. */
export interface GetTrackingResponse extends ApiResponse<200, TrackingStatus>, Tagged {}

/** Argument of `recordTrackingEvent`. */
export interface RecordTrackingEventArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `tracking_number`.
     * @example "FRT-2026-000142"
     */
    tracking_number: TrackingNumber;
  };
  /** An event that changes the shipment's status. */
  body: TrackingEventRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `recordTrackingEvent`. */
export interface RecordTrackingEventResponse extends ApiResponse<201, TrackingStatus>, Replayable {}

/** Query parameters of `listPositions`. */
export interface ListPositionsQuery {
  /**
   * Maximum number of results per page. 1 to 100. Default: 25.
   * @example 25
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the previous page. Send the same filters with it; only `limit` may change.
   * @example "T1PNoYwrAZyt1FgCepeBEsobvcr6wg"
   */
  cursor?: string | undefined;
}

/** Argument of `listPositions`. */
export interface ListPositionsArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `tracking_number`.
     * @example "FRT-2026-000142"
     */
    tracking_number: TrackingNumber;
  };
  /** The query parameters. */
  query?: ListPositionsQuery | undefined;
}

/** Response of `listPositions`. */
export interface ListPositionsResponse extends ApiResponse<200, PositionList> {}

/** Argument of `recordPositions`. */
export interface RecordPositionsArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `tracking_number`.
     * @example "FRT-2026-000142"
     */
    tracking_number: TrackingNumber;
  };
  /**
   * Positions of a shipment, in any order. Among equal timestamps the later element wins. Sending the same positions again
   * has no effect.
   */
  body: PositionsRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `recordPositions`. */
export interface RecordPositionsResponse extends ApiResponse<200, TrackingStatus>, Replayable {}

/** Argument of `getProofOfDelivery`. */
export interface GetProofOfDeliveryArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `tracking_number`.
     * @example "FRT-2026-000142"
     */
    tracking_number: TrackingNumber;
  };
  /**
   * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
   * (RFC 9110, section 13.1.2).
   * Absent or null reads unconditionally.
   * @example "\"k1vZ3cY0mQk8Qe3v9yJ2Xw\""
   */
  ifNoneMatch?: string | null | undefined;
}

/** Response of `getProofOfDelivery`. */
export interface GetProofOfDeliveryResponse extends ApiResponse<200, ProofOfDelivery>, Tagged {}

/** Argument of `submitProofOfDelivery`. */
export interface SubmitProofOfDeliveryArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `tracking_number`.
     * @example "FRT-2026-000142"
     */
    tracking_number: TrackingNumber;
  };
  /** The proof of delivery that completes a shipment. */
  body: ProofOfDeliveryRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `submitProofOfDelivery`. */
export interface SubmitProofOfDeliveryResponse extends ApiResponse<201, ProofOfDelivery>, Replayable {}

/** Argument of `createProofUpload`. */
export interface CreateProofUploadArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The shipment's `tracking_number`.
     * @example "FRT-2026-000142"
     */
    tracking_number: TrackingNumber;
  };
  /** The file to upload. */
  body: ProofUploadRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `createProofUpload`. */
export interface CreateProofUploadResponse extends ApiResponse<201, ProofUpload>, Replayable {}

/** Query parameters of `listEvents`. */
export interface ListEventsQuery {
  /**
   * The `next_after` of the previous response, or the `id` of an event of the list. Only later events are returned. Without it, the list
   * starts with the oldest event that is retained.
   * @example "evt_01kjpx8p02e00800000000010h"
   */
  after?: EventId | undefined;
  /**
   * Only events of these types, separated by commas. By default all types are returned.
   * @example "tracking.status_reached,proof_of_delivery.submitted"
   */
  types?: string | undefined;
  /**
   * Maximum number of results per page. 1 to 100. Default: 25.
   * @example 25
   */
  limit?: number | undefined;
  /**
   * Seconds to wait for an event if there is none yet. After that, the response is an empty list. 0 to 30. Default: 0.
   * @example 30
   */
  wait?: number | undefined;
}

/** Argument of `listEvents`. */
export interface ListEventsArguments extends CallOptions {
  /** The query parameters. */
  query?: ListEventsQuery | undefined;
}

/** Response of `listEvents`. */
export interface ListEventsResponse extends ApiResponse<200, EventList> {}

/** Argument of `listWebhookEndpoints`. */
export interface ListWebhookEndpointsArguments extends CallOptions {
}

/** Response of `listWebhookEndpoints`. */
export interface ListWebhookEndpointsResponse extends ApiResponse<200, WebhookEndpointList> {}

/** Argument of `createWebhookEndpoint`. */
export interface CreateWebhookEndpointArguments extends CallOptions {
  /** A request to create a webhook endpoint. */
  body: WebhookEndpointRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `createWebhookEndpoint`. */
export interface CreateWebhookEndpointResponse extends ApiResponse<201, WebhookEndpointWithSecret>, Replayable {}

/** Argument of `getWebhookEndpoint`. */
export interface GetWebhookEndpointArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
  };
  /**
   * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
   * (RFC 9110, section 13.1.2).
   * Absent or null reads unconditionally.
   * @example "\"k1vZ3cY0mQk8Qe3v9yJ2Xw\""
   */
  ifNoneMatch?: string | null | undefined;
}

/** Response of `getWebhookEndpoint`. */
export interface GetWebhookEndpointResponse extends ApiResponse<200, WebhookEndpoint>, Tagged {}

/** Argument of `updateWebhookEndpoint`. */
export interface UpdateWebhookEndpointArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
  };
  /** Changes of a webhook endpoint. Absent fields stay the same. */
  body: WebhookEndpointChanges;
}

/** Response of `updateWebhookEndpoint`. */
export interface UpdateWebhookEndpointResponse extends ApiResponse<200, WebhookEndpoint> {}

/** Argument of `deleteWebhookEndpoint`. */
export interface DeleteWebhookEndpointArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
  };
}

/** Response of `deleteWebhookEndpoint`. */
export interface DeleteWebhookEndpointResponse extends ApiResponse<204, undefined> {}

/** Argument of `rotateWebhookSecret`. */
export interface RotateWebhookSecretArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
  };
  /** A request for a new secret. */
  body: WebhookSecretRotation;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `rotateWebhookSecret`. */
export interface RotateWebhookSecretResponse extends ApiResponse<200, WebhookEndpointWithSecret>, Replayable {}

/** Argument of `replayWebhookEvents`. */
export interface ReplayWebhookEventsArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
  };
  /** The time range of the events to send again. */
  body: WebhookReplayRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `replayWebhookEvents`. */
export interface ReplayWebhookEventsResponse extends ApiResponse<202, WebhookReplay>, Replayable {}

/** Argument of `sendTestWebhook`. */
export interface SendTestWebhookArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
  };
  /** An object without fields. */
  body: EmptyRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `sendTestWebhook`. */
export interface SendTestWebhookResponse extends ApiResponse<202, WebhookDelivery>, Replayable {}

/** Query parameters of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesQuery {
  /**
   * Maximum number of results per page. 1 to 100. Default: 25.
   * @example 25
   */
  limit?: number | undefined;
  /**
   * The `next_cursor` of the previous page. Send the same filters with it; only `limit` may change.
   * @example "T1PNoYwrAZyt1FgCepeBEsobvcr6wg"
   */
  cursor?: string | undefined;
}

/** Argument of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
  };
  /** The query parameters. */
  query?: ListWebhookDeliveriesQuery | undefined;
}

/** Response of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesResponse extends ApiResponse<200, WebhookDeliveryList> {}

/** Argument of `resendWebhookDelivery`. */
export interface ResendWebhookDeliveryArguments extends CallOptions {
  /** The path parameters. */
  path: {
    /**
     * The endpoint's `id`.
     * @example "whe_01kjpx8p02e0n8wk1xmhc3p7vd"
     */
    webhook_endpoint_id: WebhookEndpointId;
    /**
     * The delivery's `id`.
     * @example "whd_01kjpx8p1pe3br6jq5y2v9s4tg"
     */
    delivery_id: WebhookDeliveryId;
  };
  /** An object without fields. */
  body: EmptyRequest;
  /**
   * A unique value, such as a UUID, that makes it safe to repeat this request. For 24 hours, the same request with the same
   * key returns the stored response and has no further effect.
   * Default: a random UUID. Null sends none, and the request is not retried.
   * @example "0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34"
   */
  idempotencyKey?: string | null | undefined;
}

/** Response of `resendWebhookDelivery`. */
export interface ResendWebhookDeliveryResponse extends ApiResponse<202, WebhookDelivery>, Replayable {}

/** Argument of `putProofFile`. */
export type PutProofFileArguments = SignedCall<{
    /**
     * The signed token in an upload URL.
     * @example "QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ"
     */
    upload_token: FileToken;
  }> & {
  /** The bytes. The `type` of the Blob is sent as their media type. */
  body: Blob;
};

/** Response of `putProofFile`. */
export interface PutProofFileResponse extends ApiResponse<204, undefined> {}

/** Argument of `getProofFile`. */
export type GetProofFileArguments = SignedCall<{
    /**
     * The signed token in a file URL.
     * @example "AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY"
     */
    file_token: FileToken;
  }> & {
};

/** Response of `getProofFile`. */
export interface GetProofFileResponse extends ApiResponse<200, Blob> {}

/** One method per operation of the contract, named by its operation id, except for streams of events. */
export interface Operations {
  /**
   * List shipments.
   *
   * Returns the account's shipments, newest first. A shipment that matches the filters throughout the pagination appears
   * exactly once, even if shipments are created or changed meanwhile.
   *
   * `GET /shipments`, scope `shipments:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `cursor_mismatch`, `unauthenticated`, `insufficient_scope`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.listShipments();
   */
  listShipments(call?: ListShipmentsArguments): Promise<ListShipmentsResponse>;

  /**
   * Create a shipment.
   *
   * Creates a shipment. Its status is `scheduled`. The service assigns the `id` and the `tracking_number`.
   *
   * `POST /shipments`, scope `shipments:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `reference_taken`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.createShipment({ body: {
   *   type: "freight",
   *   origin: {
   *     address: "1420 Harbor Avenue SW",
   *     city: "Seattle",
   *     state: "WA",
   *     zip: "98126",
   *     contact_name: "Mara Lindqvist",
   *     contact_phone: "+1 206 555 0142"
   *   },
   *   destination: {
   *     address: "77 Foundry Street",
   *     city: "Spokane",
   *     state: "WA",
   *     zip: "99201",
   *     contact_name: "Owen Castillo",
   *     contact_phone: "+1 509 555 0119"
   *   },
   *   pickup_window: {
   *     start: "2026-03-03T16:00:00.000Z",
   *     end: "2026-03-03T20:00:00.000Z"
   *   },
   *   reference: "PO-2026-4471",
   *   notes: "Two pallets of roofing tiles. Dock 4, ring the bell."
   * } });
   */
  createShipment(call: CreateShipmentArguments): Promise<CreateShipmentResponse>;

  /**
   * Read a shipment.
   *
   * Returns the shipment with this `id`.
   *
   * `GET /shipments/{shipment_id}`, scope `shipments:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getShipment({ path: { shipment_id: "ship_01kjpx8p02fabr24pa3eywnyp2" } });
   */
  getShipment(call: GetShipmentArguments & Unconditional): Promise<GetShipmentResponse>;
  /**
   * Read a shipment.
   *
   * Returns the shipment with this `id`.
   *
   * `GET /shipments/{shipment_id}`, scope `shipments:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getShipment({ path: { shipment_id: "ship_01kjpx8p02fabr24pa3eywnyp2" } });
   */
  getShipment(call: GetShipmentArguments): Promise<GetShipmentResponse | NotModified>;

  /**
   * Cancel a shipment.
   *
   * Cancels a shipment that is `scheduled` or `dispatched`. Its `reference` can then be used again.
   *
   * `POST /shipments/{shipment_id}/cancel`, scope `shipments:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `invalid_transition`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.cancelShipment({ path: { shipment_id: "ship_01kjpx8p02fabr24pa3eywnyp2" }, body: {
   *   reason: "The consignee moved; a new order follows."
   * } });
   */
  cancelShipment(call: CancelShipmentArguments): Promise<CancelShipmentResponse>;

  /**
   * Read tracking status.
   *
   * Returns the shipment's status, estimated arrival, current location and timeline.
   *
   * `GET /tracking/{tracking_number}`, scope `tracking:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getTracking({ path: { tracking_number: "FRT-2026-000142" } });
   */
  getTracking(call: GetTrackingArguments & Unconditional): Promise<GetTrackingResponse>;
  /**
   * Read tracking status.
   *
   * Returns the shipment's status, estimated arrival, current location and timeline.
   *
   * `GET /tracking/{tracking_number}`, scope `tracking:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getTracking({ path: { tracking_number: "FRT-2026-000142" } });
   */
  getTracking(call: GetTrackingArguments): Promise<GetTrackingResponse | NotModified>;

  /**
   * Record a tracking event.
   *
   * Changes the shipment's status to the next one. If several requests record the same event at once, one succeeds and the
   * others return `invalid_transition`. The event's location becomes the current location, unless a newer position is
   * known.
   *
   * `POST /tracking/{tracking_number}/events`, scope `tracking:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `invalid_transition`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.recordTrackingEvent({ path: { tracking_number: "FRT-2026-000142" }, body: {
   *   status: "dispatched",
   *   timestamp: "2026-03-03T14:30:00.000Z",
   *   eta: "2026-03-04T14:00:00.000Z"
   * } });
   */
  recordTrackingEvent(call: RecordTrackingEventArguments): Promise<RecordTrackingEventResponse>;

  /**
   * List positions.
   *
   * Returns the shipment's route, oldest position first. Positions are retained for 90 days, unless the operator configures
   * another time, and are removed within a day after that.
   *
   * `GET /tracking/{tracking_number}/positions`, scope `tracking:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `cursor_mismatch`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.listPositions({ path: { tracking_number: "FRT-2026-000142" } });
   */
  listPositions(call: ListPositionsArguments): Promise<ListPositionsResponse>;

  /**
   * Record positions.
   *
   * Adds positions to the route of a shipment that is dispatched or later. The position with the greatest timestamp is the
   * current location; late positions are stored and do not change it. Among equal timestamps the report received last
   * wins, for the current location and for the route. After delivery, positions do not change the current location.
   * If one position is older than the retention time, the whole request is rejected.
   *
   * `POST /tracking/{tracking_number}/positions`, scope `tracking:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `positions_not_accepted`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.recordPositions({ path: { tracking_number: "FRT-2026-000142" }, body: {
   *   positions: [
   *     {
   *       lat: 47.5448,
   *       lng: -122.1502,
   *       updated_at: "2026-03-03T17:12:00.000Z"
   *     },
   *     {
   *       lat: 47.5301,
   *       lng: -122.0326,
   *       address: "I-90 at Issaquah",
   *       updated_at: "2026-03-03T17:20:00.000Z"
   *     }
   *   ],
   *   eta: "2026-03-04T14:00:00.000Z"
   * } });
   */
  recordPositions(call: RecordPositionsArguments): Promise<RecordPositionsResponse>;

  /**
   * Read the proof of delivery.
   *
   * Returns the proof of delivery, with signed URLs of the signature and the photos.
   *
   * `GET /tracking/{tracking_number}/pod`, scope `tracking:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `not_delivered`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getProofOfDelivery({ path: { tracking_number: "FRT-2026-000142" } });
   */
  getProofOfDelivery(call: GetProofOfDeliveryArguments & Unconditional): Promise<GetProofOfDeliveryResponse>;
  /**
   * Read the proof of delivery.
   *
   * Returns the proof of delivery, with signed URLs of the signature and the photos.
   *
   * `GET /tracking/{tracking_number}/pod`, scope `tracking:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `not_delivered`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getProofOfDelivery({ path: { tracking_number: "FRT-2026-000142" } });
   */
  getProofOfDelivery(call: GetProofOfDeliveryArguments): Promise<GetProofOfDeliveryResponse | NotModified>;

  /**
   * Submit the proof of delivery.
   *
   * Stores the proof of delivery and sets the status to `delivered`. Upload the files first.
   *
   * `POST /tracking/{tracking_number}/pod`, scope `tracking:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unknown_upload`, `unauthenticated`, `insufficient_scope`, `not_found`, `invalid_transition`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.submitProofOfDelivery({ path: { tracking_number: "FRT-2026-000142" }, body: {
   *   delivered_at: "2026-03-04T14:02:00.000Z",
   *   signed_by: "Owen Castillo",
   *   signature: "upl_01kjwjfxt6fsytr0x9a1xe4sfc",
   *   photos: [
   *     "upl_01kjwjfzj0f2pbwwt3y0b8j32h"
   *   ],
   *   location: {
   *     lat: 47.6588,
   *     lng: -117.426
   *   }
   * } });
   */
  submitProofOfDelivery(call: SubmitProofOfDeliveryArguments): Promise<SubmitProofOfDeliveryResponse>;

  /**
   * Create an upload.
   *
   * Creates an upload for a signature or a photo and returns the URL for its bytes. Use the upload in the proof of
   * delivery of this shipment.
   *
   * A delivered or cancelled shipment accepts no uploads. A shipment has at most 20 unfinished uploads: created less than
   * 24 hours ago and not part of a proof of delivery. The total size of an account's files is limited too. Both limits
   * return 429, which is not stored under the `Idempotency-Key`.
   *
   * `POST /tracking/{tracking_number}/pod/uploads`, scope `tracking:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `uploads_not_accepted`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `upload_limit_reached`, `storage_quota_exceeded`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.createProofUpload({ path: { tracking_number: "FRT-2026-000142" }, body: {
   *   kind: "signature",
   *   content_type: "image/png",
   *   size: 18342,
   *   sha256: "5f7c1e0b8a6d94e2f30c57a1b2d8e46990fd3c7be15a28640c9e7d31f8b2a405"
   * } });
   */
  createProofUpload(call: CreateProofUploadArguments): Promise<CreateProofUploadResponse>;

  /**
   * List events.
   *
   * Returns the changes of the account's shipments in one order, which never changes. The events of a shipment are in the
   * order of its changes. The list has no end: send `next_after` as `after` of the next request, and no event is missed
   * and none is returned twice. With `wait`, the response is sent as soon as there is an event. An event is listed when
   * its change is stored. Events are retained for 30 days, and are removed within a day after that.
   *
   * `GET /events`, scope `events:read`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `events_expired`, `rate_limited`, `too_many_streams`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.listEvents();
   */
  listEvents(call?: ListEventsArguments): Promise<ListEventsResponse>;

  /**
   * List webhook endpoints.
   *
   * Returns all webhook endpoints of the account, oldest first.
   *
   * `GET /webhook_endpoints`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.listWebhookEndpoints();
   */
  listWebhookEndpoints(call?: ListWebhookEndpointsArguments): Promise<ListWebhookEndpointsResponse>;

  /**
   * Create a webhook endpoint.
   *
   * Creates an endpoint. Events from now on are sent to its URL, signed with the `secret` of the response. An account
   * has at most 16 endpoints. A URL of a private network is refused, also if its host name has such an IP address.
   *
   * `POST /webhook_endpoints`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `webhook_limit_reached`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.createWebhookEndpoint({ body: {
   *   url: "https://shop.example.com/hooks/waybill",
   *   description: "Order status in the shop",
   *   types: [
   *     "tracking.status_reached",
   *     "proof_of_delivery.submitted"
   *   ]
   * } });
   */
  createWebhookEndpoint(call: CreateWebhookEndpointArguments): Promise<CreateWebhookEndpointResponse>;

  /**
   * Read a webhook endpoint.
   *
   * Returns the endpoint, without its secret.
   *
   * `GET /webhook_endpoints/{webhook_endpoint_id}`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getWebhookEndpoint({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" } });
   */
  getWebhookEndpoint(call: GetWebhookEndpointArguments & Unconditional): Promise<GetWebhookEndpointResponse>;
  /**
   * Read a webhook endpoint.
   *
   * Returns the endpoint, without its secret.
   *
   * `GET /webhook_endpoints/{webhook_endpoint_id}`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getWebhookEndpoint({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" } });
   */
  getWebhookEndpoint(call: GetWebhookEndpointArguments): Promise<GetWebhookEndpointResponse | NotModified>;

  /**
   * Change a webhook endpoint.
   *
   * Changes the fields of the request. A disabled endpoint gets no events; when it is enabled again, it gets those of
   * the last 30 days.
   *
   * `PATCH /webhook_endpoints/{webhook_endpoint_id}`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.updateWebhookEndpoint({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" }, body: {
   *   description: "Order status and maps"
   * } });
   */
  updateWebhookEndpoint(call: UpdateWebhookEndpointArguments): Promise<UpdateWebhookEndpointResponse>;

  /**
   * Delete a webhook endpoint.
   *
   * Deletes the endpoint and its deliveries. No more events are sent to it.
   *
   * `DELETE /webhook_endpoints/{webhook_endpoint_id}`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * await client.deleteWebhookEndpoint({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" } });
   */
  deleteWebhookEndpoint(call: DeleteWebhookEndpointArguments): Promise<DeleteWebhookEndpointResponse>;

  /**
   * Replace the secret.
   *
   * Creates a new secret, which only this response has. For 24 hours, events are signed with the previous secret, too.
   * The signature of the new one is the first. A secret before the previous one is no longer used.
   *
   * `POST /webhook_endpoints/{webhook_endpoint_id}/rotate_secret`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.rotateWebhookSecret({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" }, body: {
   *   previous_valid_hours: 24
   * } });
   */
  rotateWebhookSecret(call: RotateWebhookSecretArguments): Promise<RotateWebhookSecretResponse>;

  /**
   * Send the events of a time range again.
   *
   * Sends all events of a time range again that have the types of the endpoint, for example after an outage. They have
   * the same event ids. An unfinished replay is extended: it also sends what was between the two ranges.
   *
   * `POST /webhook_endpoints/{webhook_endpoint_id}/replay`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.replayWebhookEvents({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" }, body: {
   *   from: "2026-03-02T09:00:00Z",
   *   to: "2026-03-02T11:00:00Z"
   * } });
   */
  replayWebhookEvents(call: ReplayWebhookEventsArguments): Promise<ReplayWebhookEventsResponse>;

  /**
   * Send a test event.
   *
   * Sends an event of the type `webhook_endpoint.test` to this endpoint only, whatever its types are.
   *
   * `POST /webhook_endpoints/{webhook_endpoint_id}/test`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.sendTestWebhook({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" }, body: {} });
   */
  sendTestWebhook(call: SendTestWebhookArguments): Promise<SendTestWebhookResponse>;

  /**
   * List deliveries.
   *
   * Returns the deliveries of an endpoint, newest first, each with its event and its last attempt. Deliveries are
   * retained for 30 days. A delivery that is queued or attempted meanwhile does not change the order.
   *
   * `GET /webhook_endpoints/{webhook_endpoint_id}/deliveries`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `cursor_mismatch`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.listWebhookDeliveries({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd" } });
   */
  listWebhookDeliveries(call: ListWebhookDeliveriesArguments): Promise<ListWebhookDeliveriesResponse>;

  /**
   * Send an event again.
   *
   * Sends the event of a delivery again, with the same event id. The result is a new delivery.
   *
   * `POST /webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend`, scope `webhooks:write`.
   *
   * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.resendWebhookDelivery({ path: { webhook_endpoint_id: "whe_01kjpx8p02e0n8wk1xmhc3p7vd", delivery_id: "whd_01kjpx8p1pe3br6jq5y2v9s4tg" }, body: {} });
   */
  resendWebhookDelivery(call: ResendWebhookDeliveryArguments): Promise<ResendWebhookDeliveryResponse>;

  /**
   * Upload a file.
   *
   * Stores the bytes of an upload after checking their size, type, dimensions and SHA-256. An image is 1 to 16384 pixels
   * wide and high, and the first 1024 KiB must contain its dimensions. A stored file never changes: sending the same bytes
   * again has no effect, and other bytes return 409.
   *
   * If the request is rejected before all bytes have arrived, the response has `Connection: close`.
   *
   * `PUT /uploads/{upload_token}`, with a signed URL instead of an API key.
   *
   * @throws {WaybillError} with the code `file_mismatch`, `invalid_request`, `not_found`, `file_conflict`, `link_expired`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * await client.putProofFile({ path: { upload_token: "QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ" }, body: new Blob([bytes], { type: 'image/png' }) });
   */
  putProofFile(call: PutProofFileArguments): Promise<PutProofFileResponse>;

  /**
   * Download a file.
   *
   * Returns the bytes of a signature or photo. The proof of delivery has its URL, which is valid for about an hour.
   *
   * `GET /files/{file_token}`, with a signed URL instead of an API key.
   *
   * @throws {WaybillError} with the code `invalid_request`, `not_found`, `link_expired`, `rate_limited`, `internal_error` or `unavailable`
   * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
   * @throws {UnexpectedResponseError} when the response does not come from the service
   * @throws {AbortError} when `signal` aborts
   * @example
   * const { data } = await client.getProofFile({ path: { file_token: "AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY" } });
   */
  getProofFile(call: GetProofFileArguments): Promise<GetProofFileResponse>;
}

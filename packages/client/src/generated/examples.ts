// Made from the contract by `pnpm generate`. Do not edit.

/** Operation → status → media type, required headers, and the names of the example bodies: the first is the default. */
export const responses = {
  listShipments: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["ShipmentListPage","ShipmentListEnd","ShipmentListWithTracking","ShipmentListEmpty"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_query","cursor_mismatch"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  createShipment: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Location"],"examples":["ShipmentScheduled","ShipmentWithItems","ShipmentAbroad"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["reference_taken","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  getShipment: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":["ShipmentScheduled","ShipmentDispatched","ShipmentPickedUp","ShipmentInTransit","ShipmentDelivered","ShipmentReturned","ShipmentLost","ShipmentCancelled"]},
    304: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  updateShipment: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag"],"examples":["ShipmentUpdated"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["change_not_allowed","reference_taken"]},
    412: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["precondition_failed"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  cancelShipment: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["ShipmentCancelled"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_transition","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  listAccesses: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["AccessList"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  createAccess: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["AccessCreated","AccessLinkCreated"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["access_limit_reached","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  deleteAccess: {
    204: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  getTracking: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":["TrackingScheduled","TrackingDispatched","TrackingPickedUp","TrackingInTransit","TrackingDelivered","TrackingCancelled","TrackingReturned","TrackingLost"]},
    304: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  updateTracking: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["TrackingDetails"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["change_not_allowed"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  recordTrackingEvent: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["TrackingDispatched","TrackingPickedUp","TrackingInTransit","TrackingReturned","TrackingLost"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_transition","status_recorded","tracking_event_limit_reached","signature_required","handover_code_required","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  voidTrackingEvent: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["TrackingVoided"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["void_not_allowed","reference_taken","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  listPositions: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["PositionListPage","PositionListEmpty"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_query","cursor_mismatch"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  recordPositions: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["PositionsAccepted","PositionAccepted","PositionsPartlyAccepted"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["positions_not_accepted","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  raiseException: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["ExceptionOpen"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request","unknown_upload"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["exception_not_accepted","exception_limit_reached","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  getException: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":["ExceptionWithPhotos"]},
    304: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  resolveException: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["ExceptionResolved"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["exception_resolved","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  voidException: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["ExceptionVoided"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["exception_void_not_allowed","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  getProofOfDelivery: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":["ProofOfDelivery"]},
    304: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found","proof_not_available"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  submitProofOfDelivery: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["ProofOfDelivery","UnattendedDelivery"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request","unknown_upload"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_transition","proof_submitted","tracking_event_limit_reached","signature_required","handover_code_required","handover_code_wrong","handover_code_locked","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  listProofUploads: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["ProofUploadList"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  createProofUpload: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["ProofUpload"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["uploads_not_accepted","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited","upload_limit_reached","storage_quota_exceeded"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  deleteProofUpload: {
    204: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  listDocuments: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["DocumentList"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  addDocument: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["Document"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request","unknown_upload"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["document_limit_reached","invalid_transition","signature_required","handover_code_required","tracking_event_limit_reached","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  deleteDocument: {
    204: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  listEvents: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["EventListPage","EventListEmpty"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_query"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    410: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["events_expired"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited","too_many_streams"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  streamEvents: {
    200: {"type":"text/event-stream","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_query"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    410: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["events_expired"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited","too_many_streams"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  listWebhookEndpoints: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["WebhookEndpointList"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  createWebhookEndpoint: {
    201: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Location"],"examples":["WebhookEndpointCreated"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["webhook_limit_reached","idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  getWebhookEndpoint: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":["WebhookEndpointEnabled","WebhookEndpointDisabled"]},
    304: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag","Cache-Control","Vary"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  updateWebhookEndpoint: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","ETag"],"examples":["WebhookEndpointUpdated"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    412: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["precondition_failed"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  deleteWebhookEndpoint: {
    204: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    412: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["precondition_failed"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  rotateWebhookSecret: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["WebhookSecretRotated"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited","secret_limit_reached"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  replayWebhookEvents: {
    202: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["WebhookReplay"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited","delivery_limit_reached"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  sendTestWebhook: {
    202: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["WebhookTestQueued"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited","delivery_limit_reached"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  listWebhookDeliveries: {
    200: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control"],"examples":["WebhookDeliveryListPage","WebhookDeliveryListEmpty"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_query","cursor_mismatch"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  resendWebhookDelivery: {
    202: {"type":"application/json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["WebhookDeliveryQueued"]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["invalid_request","malformed_request"]},
    401: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","WWW-Authenticate"],"examples":["unauthenticated"]},
    403: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["insufficient_scope"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["idempotency_in_progress"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    422: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["idempotency_key_reused"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited","delivery_limit_reached"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  putProofFile: {
    204: {"type":null,"headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["file_mismatch","unknown_parameter"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    409: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["file_conflict"]},
    410: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["link_expired"]},
    413: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["payload_too_large"]},
    415: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unsupported_media_type"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
  getProofFile: {
    200: {"type":"image/png","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Cache-Control","Content-Disposition","Content-Security-Policy","X-Content-Type-Options"],"examples":[]},
    400: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["unknown_parameter"]},
    404: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["not_found"]},
    410: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit"],"examples":["link_expired"]},
    429: {"type":"application/problem+json","headers":["X-Request-Id","RateLimit-Policy","RateLimit","Retry-After"],"examples":["rate_limited"]},
    500: {"type":"application/problem+json","headers":["X-Request-Id"],"examples":["internal_error"]},
    503: {"type":"application/problem+json","headers":["X-Request-Id","Retry-After"],"examples":["unavailable"]},
  },
} as const;

/** The example headers by name. */
export const headers: Record<string, string> = {
  "X-Request-Id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
  "RateLimit-Policy": "\"key\";q=6000;w=60",
  "RateLimit": "\"key\";r=5998;t=41",
  "Cache-Control": "private, no-cache",
  "WWW-Authenticate": "Bearer",
  "Retry-After": "2",
  "Location": "/v1/shipments/ship_01kjpx8p02fabr24pa3eywnyp2",
  "ETag": "\"k1vZ3cY0mQk8Qe3v9yJ2Xw\"",
  "Vary": "Authorization, Origin, Accept-Encoding",
  "Content-Disposition": "inline; filename=\"upl_01kjwjfxt6fsytr0x9a1xe4sfc.png\"",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff"
};

/** The example bodies by name. */
export const bodies: Record<string, unknown> = {
  "ShipmentListPage": {
    "data": [
      {
        "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
        "status": "in_transit",
        "tracking_number": "FRT-2026-000142",
        "type": "freight",
        "origin": {
          "address": "1420 Harbor Avenue SW",
          "city": "Seattle",
          "state": "WA",
          "zip": "98126",
          "contact_name": "Mara Lindqvist",
          "contact_phone": "+1 206 555 0142"
        },
        "destination": {
          "address": "77 Foundry Street",
          "city": "Spokane",
          "state": "WA",
          "zip": "99201",
          "contact_name": "Owen Castillo",
          "contact_phone": "+1 509 555 0119"
        },
        "pickup_window": {
          "start": "2026-03-03T16:00:00.000Z",
          "end": "2026-03-03T20:00:00.000Z"
        },
        "reference": "PO-2026-4471",
        "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
        "created_at": "2026-03-02T09:15:00.482Z",
        "updated_at": "2026-03-03T17:20:15.006Z"
      }
    ],
    "has_more": true,
    "next_cursor": "T1PNoYwrAZyt1FgCepeBEsobvcr6wg"
  },
  "ShipmentListEnd": {
    "data": [
      {
        "id": "ship_01kjn4b4gsfrhtg5g075cmmcw9",
        "status": "delivered",
        "tracking_number": "FRT-2026-000141",
        "type": "freight",
        "origin": {
          "address": "9 Quarry Road",
          "city": "Tacoma",
          "state": "WA",
          "zip": "98402"
        },
        "destination": {
          "address": "310 Mill Lane",
          "city": "Portland",
          "state": "OR",
          "zip": "97209"
        },
        "pickup_window": {
          "start": "2026-03-02T16:00:00.000Z",
          "end": "2026-03-02T20:00:00.000Z"
        },
        "created_at": "2026-03-01T16:40:12.057Z",
        "updated_at": "2026-03-03T11:12:50.300Z"
      }
    ],
    "has_more": false,
    "next_cursor": null
  },
  "ShipmentListWithTracking": {
    "data": [
      {
        "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
        "status": "in_transit",
        "tracking_number": "FRT-2026-000142",
        "type": "freight",
        "origin": {
          "address": "1420 Harbor Avenue SW",
          "city": "Seattle",
          "state": "WA",
          "zip": "98126",
          "contact_name": "Mara Lindqvist",
          "contact_phone": "+1 206 555 0142"
        },
        "destination": {
          "address": "77 Foundry Street",
          "city": "Spokane",
          "state": "WA",
          "zip": "99201",
          "contact_name": "Owen Castillo",
          "contact_phone": "+1 509 555 0119"
        },
        "pickup_window": {
          "start": "2026-03-03T16:00:00.000Z",
          "end": "2026-03-03T20:00:00.000Z"
        },
        "reference": "PO-2026-4471",
        "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
        "created_at": "2026-03-02T09:15:00.482Z",
        "updated_at": "2026-03-03T17:20:15.006Z",
        "tracking": {
          "tracking_number": "FRT-2026-000142",
          "status": "in_transit",
          "eta": "2026-03-04T14:00:00.000Z",
          "current_location": {
            "lat": 47.5301,
            "lng": -122.0326,
            "address": "I-90 at Issaquah",
            "updated_at": "2026-03-03T17:20:00.000Z"
          },
          "timeline": [
            {
              "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
              "status": "scheduled",
              "timestamp": "2026-03-02T09:15:00.482Z",
              "description": "Shipment created",
              "recorded_at": "2026-03-02T09:15:00.482Z"
            },
            {
              "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
              "status": "dispatched",
              "timestamp": "2026-03-03T14:30:00.000Z",
              "description": "Driver assigned",
              "recorded_at": "2026-03-03T14:30:07.112Z"
            },
            {
              "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
              "status": "picked_up",
              "timestamp": "2026-03-03T17:05:00.000Z",
              "description": "Picked up from the origin",
              "recorded_at": "2026-03-03T17:05:41.930Z"
            },
            {
              "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
              "status": "in_transit",
              "timestamp": "2026-03-03T17:20:00.000Z",
              "description": "Left Seattle on I-90 eastbound",
              "recorded_at": "2026-03-03T17:20:15.006Z"
            }
          ]
        }
      }
    ],
    "has_more": false,
    "next_cursor": null
  },
  "ShipmentListEmpty": {
    "data": [],
    "has_more": false,
    "next_cursor": null
  },
  "invalid_query": {
    "type": "tag:waybill-freight.github.io,2026:invalid_request",
    "title": "Invalid request",
    "status": 400,
    "detail": "query /limit must be at most 100.",
    "instance": "/v1/shipments",
    "code": "invalid_request",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "errors": [
      {
        "in": "query",
        "pointer": "/limit",
        "code": "out_of_range",
        "detail": "must be at most 100"
      }
    ]
  },
  "cursor_mismatch": {
    "type": "tag:waybill-freight.github.io,2026:cursor_mismatch",
    "title": "Cursor mismatch",
    "status": 400,
    "detail": "The cursor was created with other filters.",
    "instance": "/v1/shipments",
    "code": "cursor_mismatch",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "unauthenticated": {
    "type": "tag:waybill-freight.github.io,2026:unauthenticated",
    "title": "Not authenticated",
    "status": 401,
    "detail": "The request has no API key. Send the header `Authorization: Bearer wbk_…`.",
    "instance": "/v1/shipments",
    "code": "unauthenticated",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "insufficient_scope": {
    "type": "tag:waybill-freight.github.io,2026:insufficient_scope",
    "title": "Missing scope",
    "status": 403,
    "detail": "The key lacks the scope shipments:write.",
    "instance": "/v1/shipments",
    "code": "insufficient_scope",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "rate_limited": {
    "type": "tag:waybill-freight.github.io,2026:rate_limited",
    "title": "Too many requests",
    "status": 429,
    "detail": "The limit of 6000 requests in 60 seconds is used up.",
    "instance": "/v1/shipments",
    "code": "rate_limited",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "internal_error": {
    "type": "tag:waybill-freight.github.io,2026:internal_error",
    "title": "Internal error",
    "status": 500,
    "detail": "An internal error occurred. It has been logged.",
    "instance": "/v1/shipments",
    "code": "internal_error",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "unavailable": {
    "type": "tag:waybill-freight.github.io,2026:unavailable",
    "title": "Temporarily unavailable",
    "status": 503,
    "detail": "The service is temporarily unavailable.",
    "instance": "/v1/shipments",
    "code": "unavailable",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "ShipmentScheduled": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "scheduled",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T09:15:00.482Z"
  },
  "ShipmentWithItems": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "scheduled",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "company": "Quarry Supply",
      "address": "9 Quarry Road",
      "address_2": "Gate B",
      "city": "Tacoma",
      "state": "WA",
      "zip": "98402",
      "country": "US"
    },
    "destination": {
      "address": "2200 Cambie Street",
      "city": "Vancouver",
      "state": "BC",
      "zip": "V5Z 2V1",
      "country": "CA"
    },
    "pickup_window": {
      "start": "2026-03-02T16:00:00.000Z",
      "end": "2026-03-02T20:00:00.000Z"
    },
    "delivery_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-04T01:00:00.000Z"
    },
    "references": [
      {
        "type": "purchase_order",
        "value": "4500179570"
      },
      {
        "type": "bill_of_lading",
        "value": "BOL-88231"
      }
    ],
    "items": [
      {
        "description": "Roofing tiles",
        "pieces": 2,
        "packaging": "pallet",
        "weight": {
          "value": 3620,
          "unit": "lb"
        },
        "length": 48,
        "width": 40,
        "height": 53.5,
        "dimension_unit": "in",
        "freight_class": "60"
      },
      {
        "description": "Primer",
        "pieces": 12,
        "packaging": "drum",
        "weight": {
          "value": 264,
          "unit": "kg"
        },
        "hazmat": {
          "id": "UN1263",
          "class": "3",
          "packing_group": "II",
          "proper_shipping_name": "Paint related material",
          "emergency_phone": "+1 253 555 0100"
        }
      }
    ],
    "totals": {
      "pieces": 14,
      "weight": {
        "value": 4202.02,
        "unit": "lb"
      },
      "weight_kg": 1906.004,
      "weight_lb": 4202.02
    },
    "declared_value": {
      "amount": "18500.00",
      "currency": "USD"
    },
    "temperature": {
      "min": 40,
      "max": 85,
      "unit": "F"
    },
    "carrier": {
      "name": "Cascade Freight Lines",
      "scac": "CSCD"
    },
    "service_level": "Expedited",
    "equipment": {
      "type": "reefer"
    },
    "signature_required": true,
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T09:15:00.482Z"
  },
  "ShipmentAbroad": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "scheduled",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "9 Quarry Road",
      "city": "Tacoma",
      "state": "WA",
      "zip": "98402"
    },
    "destination": {
      "company": "Harbour Imports",
      "address": "211 Canton Road",
      "city": "Hong Kong",
      "country": "HK"
    },
    "pickup_window": {
      "start": "2026-03-02T16:00:00.000Z",
      "end": "2026-03-02T20:00:00.000Z"
    },
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T09:15:00.482Z"
  },
  "invalid_request": {
    "type": "tag:waybill-freight.github.io,2026:invalid_request",
    "title": "Invalid request",
    "status": 400,
    "detail": "2 fields are invalid.",
    "instance": "/v1/shipments",
    "code": "invalid_request",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "errors": [
      {
        "in": "body",
        "pointer": "/origin/city",
        "code": "required",
        "detail": "is required"
      },
      {
        "in": "body",
        "pointer": "/pickup_window/end",
        "code": "out_of_order",
        "detail": "must be after start"
      }
    ]
  },
  "malformed_request": {
    "type": "tag:waybill-freight.github.io,2026:malformed_request",
    "title": "Malformed request",
    "status": 400,
    "detail": "The body is not valid JSON.",
    "instance": "/v1/shipments",
    "code": "malformed_request",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "reference_taken": {
    "type": "tag:waybill-freight.github.io,2026:reference_taken",
    "title": "Reference taken",
    "status": 409,
    "detail": "Another shipment has the reference PO-2026-4471.",
    "instance": "/v1/shipments",
    "code": "reference_taken",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "shipment_id": "ship_01kjpx8p02fabr24pa3eywnyp2"
  },
  "idempotency_in_progress": {
    "type": "tag:waybill-freight.github.io,2026:idempotency_in_progress",
    "title": "Idempotent request in progress",
    "status": 409,
    "detail": "The first request with this key is still running.",
    "instance": "/v1/shipments",
    "code": "idempotency_in_progress",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "payload_too_large": {
    "type": "tag:waybill-freight.github.io,2026:payload_too_large",
    "title": "Payload too large",
    "status": 413,
    "detail": "Request body is too large.",
    "instance": "/v1/shipments",
    "code": "payload_too_large",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "unsupported_media_type": {
    "type": "tag:waybill-freight.github.io,2026:unsupported_media_type",
    "title": "Unsupported media type",
    "status": 415,
    "detail": "Send application/json.",
    "instance": "/v1/shipments",
    "code": "unsupported_media_type",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "idempotency_key_reused": {
    "type": "tag:waybill-freight.github.io,2026:idempotency_key_reused",
    "title": "Idempotency key reused",
    "status": 422,
    "detail": "This key was used for another request.",
    "instance": "/v1/shipments",
    "code": "idempotency_key_reused",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "ShipmentDispatched": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "dispatched",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-03T14:30:07.112Z"
  },
  "ShipmentPickedUp": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "picked_up",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-03T17:05:41.930Z"
  },
  "ShipmentInTransit": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "in_transit",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-03T17:20:15.006Z"
  },
  "ShipmentDelivered": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "delivered",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-04T14:03:02.551Z"
  },
  "ShipmentReturned": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "returned",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-05T16:30:09.120Z"
  },
  "ShipmentLost": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "lost",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-12T09:04:51.730Z"
  },
  "ShipmentCancelled": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "cancelled",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Owen Castillo",
      "contact_phone": "+1 509 555 0119"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
    "cancellation_reason": "The consignee moved; a new order follows.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T10:01:33.870Z"
  },
  "unknown_parameter": {
    "type": "tag:waybill-freight.github.io,2026:invalid_request",
    "title": "Invalid request",
    "status": 400,
    "detail": "query /expand is unknown.",
    "instance": "/v1/shipments/ship_01kjpx8p02fabr24pa3eywnyp2",
    "code": "invalid_request",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "errors": [
      {
        "in": "query",
        "pointer": "/expand",
        "code": "unknown_field",
        "detail": "is unknown"
      }
    ]
  },
  "not_found": {
    "type": "tag:waybill-freight.github.io,2026:not_found",
    "title": "Not found",
    "status": 404,
    "detail": "There is no shipment `ship_01kjpx8p02fabr24pa3eywnyp2`.",
    "instance": "/v1/shipments/ship_01kjpx8p02fabr24pa3eywnyp2",
    "code": "not_found",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "ShipmentUpdated": {
    "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
    "status": "scheduled",
    "tracking_number": "FRT-2026-000142",
    "type": "freight",
    "origin": {
      "address": "1420 Harbor Avenue SW",
      "city": "Seattle",
      "state": "WA",
      "zip": "98126",
      "contact_name": "Mara Lindqvist",
      "contact_phone": "+1 206 555 0142"
    },
    "destination": {
      "address": "77 Foundry Street",
      "city": "Spokane",
      "state": "WA",
      "zip": "99201",
      "contact_name": "Ines Okafor",
      "contact_phone": "+1 509 555 0163"
    },
    "pickup_window": {
      "start": "2026-03-03T16:00:00.000Z",
      "end": "2026-03-03T20:00:00.000Z"
    },
    "reference": "PO-2026-4471",
    "references": [
      {
        "type": "appointment",
        "value": "A-20931"
      }
    ],
    "notes": "Two pallets of roofing tiles. Dock 2, call before you arrive.",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T11:40:19.204Z"
  },
  "change_not_allowed": {
    "type": "tag:waybill-freight.github.io,2026:change_not_allowed",
    "title": "Change not allowed",
    "status": 409,
    "detail": "A shipment that is picked_up allows no change of /pickup_window.",
    "instance": "/v1/shipments/ship_01kjpx8p02fabr24pa3eywnyp2",
    "code": "change_not_allowed",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "errors": [
      {
        "in": "body",
        "pointer": "/pickup_window",
        "code": "not_allowed",
        "detail": "can be changed only before picked_up"
      }
    ],
    "current_status": "picked_up",
    "changeable": [
      "/destination/address",
      "/destination/city",
      "/destination/state",
      "/destination/zip",
      "/destination/country",
      "/delivery_window",
      "/temperature",
      "/carrier",
      "/service_level",
      "/signature_required",
      "/origin/contact_name",
      "/origin/contact_phone",
      "/destination/contact_name",
      "/destination/contact_phone",
      "/reference",
      "/references",
      "/notes",
      "/handover_code",
      "/equipment",
      "/driver"
    ]
  },
  "precondition_failed": {
    "type": "tag:waybill-freight.github.io,2026:precondition_failed",
    "title": "Precondition failed",
    "status": 412,
    "detail": "No ETag in If-Match is the current one.",
    "instance": "/v1/webhook_endpoints/whe_01kjpx8p02e0n8wk1xmhc3p7vd",
    "code": "precondition_failed",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "invalid_transition": {
    "type": "tag:waybill-freight.github.io,2026:invalid_transition",
    "title": "Invalid transition",
    "status": 409,
    "detail": "A shipment that is delivered cannot become lost.",
    "instance": "/v1/tracking/FRT-2026-000142/events",
    "code": "invalid_transition",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "current_status": "delivered",
    "allowed": [
      "dispatched"
    ]
  },
  "AccessList": {
    "data": [
      {
        "id": "acc_01kjpxj5gtf2r8v5k0m3w7y1zb",
        "name": "Cascade Freight, truck 12",
        "scopes": [
          "shipments:read",
          "tracking:read",
          "tracking:write"
        ],
        "detail": "proof",
        "documents": false,
        "created_at": "2026-03-02T09:20:11.290Z",
        "expires_at": "2026-04-01T09:20:11.290Z"
      },
      {
        "id": "acc_01kjpxk0q9e4v9n2c6t8s0x3hd",
        "scopes": [
          "tracking:read"
        ],
        "detail": "status",
        "documents": false,
        "created_at": "2026-03-02T09:20:39.145Z",
        "expires_at": "2026-04-01T09:20:39.145Z"
      },
      {
        "id": "acc_01kjpxkbwrf6w8x3y1z4a7c0f5",
        "name": "Truck 12",
        "kind": "drive",
        "scopes": [
          "shipments:read",
          "tracking:read",
          "tracking:write"
        ],
        "detail": "proof",
        "documents": true,
        "created_at": "2026-03-02T09:20:50.584Z",
        "expires_at": "2026-04-01T09:20:50.584Z"
      }
    ]
  },
  "AccessCreated": {
    "token": "wba_01kjpxj5gtf2r8v5k0m3w7y1zb_4kQ0c9XW2nBv7TsLr5JmZ8yHdE1pGfUaQx3RtVbN",
    "id": "acc_01kjpxj5gtf2r8v5k0m3w7y1zb",
    "name": "Cascade Freight, truck 12",
    "scopes": [
      "shipments:read",
      "tracking:read",
      "tracking:write"
    ],
    "detail": "proof",
    "documents": false,
    "created_at": "2026-03-02T09:20:11.290Z",
    "expires_at": "2026-04-01T09:20:11.290Z"
  },
  "AccessLinkCreated": {
    "token": "wba_01kjpxkbwrf6w8x3y1z4a7c0f5_7Hc2mQ9sTzKp4WvXyB1nLr6JdE3gFuAa8Rk0VtNo",
    "url": "http://localhost:3000/d/#wba_01kjpxkbwrf6w8x3y1z4a7c0f5_7Hc2mQ9sTzKp4WvXyB1nLr6JdE3gFuAa8Rk0VtNo/ship_01kjpx8p02fabr24pa3eywnyp2",
    "id": "acc_01kjpxkbwrf6w8x3y1z4a7c0f5",
    "name": "Truck 12",
    "kind": "drive",
    "scopes": [
      "shipments:read",
      "tracking:read",
      "tracking:write"
    ],
    "detail": "proof",
    "documents": true,
    "created_at": "2026-03-02T09:20:50.584Z",
    "expires_at": "2026-04-01T09:20:50.584Z"
  },
  "access_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:access_limit_reached",
    "title": "Too many accesses",
    "status": 409,
    "detail": "The shipment has 20 accesses.",
    "instance": "/v1/shipments/ship_01kjpx8p02fabr24pa3eywnyp2/access",
    "code": "access_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "TrackingScheduled": {
    "tracking_number": "FRT-2026-000142",
    "status": "scheduled",
    "eta": null,
    "current_location": null,
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      }
    ]
  },
  "TrackingDispatched": {
    "tracking_number": "FRT-2026-000142",
    "status": "dispatched",
    "eta": "2026-03-04T14:00:00.000Z",
    "current_location": null,
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
        "status": "dispatched",
        "timestamp": "2026-03-03T14:30:00.000Z",
        "description": "Driver assigned",
        "recorded_at": "2026-03-03T14:30:07.112Z"
      }
    ]
  },
  "TrackingPickedUp": {
    "tracking_number": "FRT-2026-000142",
    "status": "picked_up",
    "eta": "2026-03-04T14:00:00.000Z",
    "current_location": {
      "lat": 47.5794,
      "lng": -122.3862,
      "address": "1420 Harbor Avenue SW, Seattle",
      "updated_at": "2026-03-03T17:05:00.000Z"
    },
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
        "status": "dispatched",
        "timestamp": "2026-03-03T14:30:00.000Z",
        "description": "Driver assigned",
        "recorded_at": "2026-03-03T14:30:07.112Z"
      },
      {
        "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
        "status": "picked_up",
        "timestamp": "2026-03-03T17:05:00.000Z",
        "description": "Picked up from the origin",
        "recorded_at": "2026-03-03T17:05:41.930Z"
      }
    ]
  },
  "TrackingInTransit": {
    "tracking_number": "FRT-2026-000142",
    "status": "in_transit",
    "eta": "2026-03-04T14:00:00.000Z",
    "current_location": {
      "lat": 47.5301,
      "lng": -122.0326,
      "address": "I-90 at Issaquah",
      "updated_at": "2026-03-03T17:20:00.000Z"
    },
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
        "status": "dispatched",
        "timestamp": "2026-03-03T14:30:00.000Z",
        "description": "Driver assigned",
        "recorded_at": "2026-03-03T14:30:07.112Z"
      },
      {
        "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
        "status": "picked_up",
        "timestamp": "2026-03-03T17:05:00.000Z",
        "description": "Picked up from the origin",
        "recorded_at": "2026-03-03T17:05:41.930Z"
      },
      {
        "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
        "status": "in_transit",
        "timestamp": "2026-03-03T17:20:00.000Z",
        "description": "Left Seattle on I-90 eastbound",
        "recorded_at": "2026-03-03T17:20:15.006Z"
      }
    ]
  },
  "TrackingDelivered": {
    "tracking_number": "FRT-2026-000142",
    "status": "delivered",
    "eta": "2026-03-04T14:00:00.000Z",
    "current_location": {
      "lat": 47.5301,
      "lng": -122.0326,
      "address": "I-90 at Issaquah",
      "updated_at": "2026-03-03T17:20:00.000Z"
    },
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
        "status": "dispatched",
        "timestamp": "2026-03-03T14:30:00.000Z",
        "description": "Driver assigned",
        "recorded_at": "2026-03-03T14:30:07.112Z"
      },
      {
        "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
        "status": "picked_up",
        "timestamp": "2026-03-03T17:05:00.000Z",
        "description": "Picked up from the origin",
        "recorded_at": "2026-03-03T17:05:41.930Z"
      },
      {
        "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
        "status": "in_transit",
        "timestamp": "2026-03-03T17:20:00.000Z",
        "description": "Left Seattle on I-90 eastbound",
        "recorded_at": "2026-03-03T17:20:15.006Z"
      },
      {
        "id": "tev_01kjwjhh0qf7tx2z4a6b8c0d2e",
        "status": "delivered",
        "timestamp": "2026-03-04T14:02:00.000Z",
        "description": "Delivered",
        "recorded_at": "2026-03-04T14:03:02.551Z"
      }
    ]
  },
  "TrackingCancelled": {
    "tracking_number": "FRT-2026-000142",
    "status": "cancelled",
    "eta": null,
    "current_location": null,
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjpzxxxee2c4d6e8f0g1h3j5",
        "status": "cancelled",
        "timestamp": "2026-03-02T10:01:33.870Z",
        "description": "Shipment cancelled",
        "recorded_at": "2026-03-02T10:01:33.870Z"
      }
    ]
  },
  "TrackingReturned": {
    "tracking_number": "FRT-2026-000142",
    "status": "returned",
    "eta": "2026-03-04T14:00:00.000Z",
    "current_location": {
      "lat": 47.5301,
      "lng": -122.0326,
      "address": "I-90 at Issaquah",
      "updated_at": "2026-03-03T17:20:00.000Z"
    },
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
        "status": "dispatched",
        "timestamp": "2026-03-03T14:30:00.000Z",
        "description": "Driver assigned",
        "recorded_at": "2026-03-03T14:30:07.112Z"
      },
      {
        "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
        "status": "picked_up",
        "timestamp": "2026-03-03T17:05:00.000Z",
        "description": "Picked up from the origin",
        "recorded_at": "2026-03-03T17:05:41.930Z"
      },
      {
        "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
        "status": "in_transit",
        "timestamp": "2026-03-03T17:20:00.000Z",
        "description": "Left Seattle on I-90 eastbound",
        "recorded_at": "2026-03-03T17:20:15.006Z"
      },
      {
        "id": "tev_01kjzdbkq0e5s8t1w4x7y0z3a6",
        "status": "returned",
        "timestamp": "2026-03-05T16:30:00.000Z",
        "description": "Returned to the shipper",
        "recorded_at": "2026-03-05T16:30:09.120Z"
      }
    ]
  },
  "TrackingLost": {
    "tracking_number": "FRT-2026-000142",
    "status": "lost",
    "eta": "2026-03-04T14:00:00.000Z",
    "current_location": {
      "lat": 47.5301,
      "lng": -122.0326,
      "address": "I-90 at Issaquah",
      "updated_at": "2026-03-03T17:20:00.000Z"
    },
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
        "status": "dispatched",
        "timestamp": "2026-03-03T14:30:00.000Z",
        "description": "Driver assigned",
        "recorded_at": "2026-03-03T14:30:07.112Z"
      },
      {
        "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
        "status": "picked_up",
        "timestamp": "2026-03-03T17:05:00.000Z",
        "description": "Picked up from the origin",
        "recorded_at": "2026-03-03T17:05:41.930Z"
      },
      {
        "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
        "status": "in_transit",
        "timestamp": "2026-03-03T17:20:00.000Z",
        "description": "Left Seattle on I-90 eastbound",
        "recorded_at": "2026-03-03T17:20:15.006Z"
      },
      {
        "id": "tev_01kkgmn9gje9r3t6v9w2y5z8b1",
        "status": "lost",
        "timestamp": "2026-03-12T09:00:00.000Z",
        "description": "Not found at any terminal",
        "recorded_at": "2026-03-12T09:04:51.730Z"
      }
    ]
  },
  "TrackingDetails": {
    "tracking_number": "FRT-2026-000142",
    "status": "dispatched",
    "equipment": {
      "type": "dry_van",
      "trailer_number": "CSCD 53117",
      "seal_number": "4478120"
    },
    "driver": {
      "name": "Dana Whitfield",
      "phone": "+1 253 555 0171"
    },
    "pro": "471-182003"
  },
  "status_recorded": {
    "type": "tag:waybill-freight.github.io,2026:status_recorded",
    "title": "Status recorded already",
    "status": 409,
    "detail": "The shipment is recorded as picked_up already.",
    "instance": "/v1/tracking/FRT-2026-000142/events",
    "code": "status_recorded",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "current_status": "in_transit",
    "entry": {
      "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
      "status": "picked_up",
      "timestamp": "2026-03-03T17:05:00.000Z",
      "description": "Picked up from the origin",
      "recorded_at": "2026-03-03T17:05:41.930Z"
    }
  },
  "tracking_event_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:tracking_event_limit_reached",
    "title": "Too many tracking events",
    "status": 409,
    "detail": "The timeline has 50 entries.",
    "instance": "/v1/tracking/FRT-2026-000142/events",
    "code": "tracking_event_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "signature_required": {
    "type": "tag:waybill-freight.github.io,2026:signature_required",
    "title": "Signature required",
    "status": 409,
    "detail": "The shipper requires a signature.",
    "instance": "/v1/tracking/FRT-2026-000142/pod",
    "code": "signature_required",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "handover_code_required": {
    "type": "tag:waybill-freight.github.io,2026:handover_code_required",
    "title": "Handover code required",
    "status": 409,
    "detail": "The shipment requires the handover code of the consignee.",
    "instance": "/v1/tracking/FRT-2026-000142/pod",
    "code": "handover_code_required",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "TrackingVoided": {
    "tracking_number": "FRT-2026-000142",
    "status": "in_transit",
    "eta": "2026-03-04T14:00:00.000Z",
    "current_location": {
      "lat": 47.5301,
      "lng": -122.0326,
      "address": "I-90 at Issaquah",
      "updated_at": "2026-03-03T17:20:00.000Z"
    },
    "timeline": [
      {
        "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
        "status": "scheduled",
        "timestamp": "2026-03-02T09:15:00.482Z",
        "description": "Shipment created",
        "recorded_at": "2026-03-02T09:15:00.482Z"
      },
      {
        "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
        "status": "dispatched",
        "timestamp": "2026-03-03T14:30:00.000Z",
        "description": "Driver assigned",
        "recorded_at": "2026-03-03T14:30:07.112Z"
      },
      {
        "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
        "status": "picked_up",
        "timestamp": "2026-03-03T17:05:00.000Z",
        "description": "Picked up from the origin",
        "recorded_at": "2026-03-03T17:05:41.930Z"
      },
      {
        "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
        "status": "in_transit",
        "timestamp": "2026-03-03T17:20:00.000Z",
        "description": "Left Seattle on I-90 eastbound",
        "recorded_at": "2026-03-03T17:20:15.006Z"
      },
      {
        "id": "tev_01kjwjhh0qf7tx2z4a6b8c0d2e",
        "status": "delivered",
        "timestamp": "2026-03-04T14:02:00.000Z",
        "description": "Delivered",
        "recorded_at": "2026-03-04T14:03:02.551Z",
        "voided_at": "2026-03-04T14:20:11.602Z",
        "void_reason": "Another shipment was delivered"
      }
    ]
  },
  "void_not_allowed": {
    "type": "tag:waybill-freight.github.io,2026:void_not_allowed",
    "title": "Voiding not allowed",
    "status": 409,
    "detail": "The entry was voided before.",
    "instance": "/v1/tracking/FRT-2026-000142/events/tev_01kjtak8hae8ksr7y1b2c3d4e5/void",
    "code": "void_not_allowed",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "entry": {
      "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
      "status": "picked_up",
      "timestamp": "2026-03-03T17:05:00.000Z",
      "description": "Picked up from the origin",
      "recorded_at": "2026-03-03T17:05:41.930Z",
      "voided_at": "2026-03-03T17:11:40.035Z",
      "void_reason": "Wrong shipment"
    }
  },
  "PositionListPage": {
    "data": [
      {
        "lat": 47.5794,
        "lng": -122.3862,
        "address": "1420 Harbor Avenue SW, Seattle",
        "updated_at": "2026-03-03T17:05:00.000Z"
      },
      {
        "lat": 47.5448,
        "lng": -122.1502,
        "address": null,
        "updated_at": "2026-03-03T17:12:00.000Z"
      },
      {
        "lat": 47.5301,
        "lng": -122.0326,
        "address": "I-90 at Issaquah",
        "updated_at": "2026-03-03T17:20:00.000Z"
      }
    ],
    "has_more": true,
    "next_cursor": "lMZl_ydLAAABnLS2ugA"
  },
  "PositionListEmpty": {
    "data": [],
    "has_more": false,
    "next_cursor": null
  },
  "PositionsAccepted": {
    "accepted": 2
  },
  "PositionAccepted": {
    "accepted": 1
  },
  "PositionsPartlyAccepted": {
    "accepted": 1,
    "refused": [
      {
        "in": "body",
        "pointer": "/positions/1",
        "code": "zero_coordinates",
        "detail": "must not be at latitude 0 and longitude 0, which devices report without a fix"
      }
    ]
  },
  "positions_not_accepted": {
    "type": "tag:waybill-freight.github.io,2026:positions_not_accepted",
    "title": "Positions not accepted",
    "status": 409,
    "detail": "A shipment that is scheduled accepts no positions.",
    "instance": "/v1/tracking/FRT-2026-000142/positions",
    "code": "positions_not_accepted",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "current_status": "scheduled"
  },
  "ExceptionOpen": {
    "id": "exc_01kjwpzbhgf9arrpg0tvmm5q3d",
    "code": "refused",
    "severity": "high",
    "responsible_party": "consignee",
    "next_steps": [
      "reschedule",
      "return"
    ],
    "shipment_status": "in_transit",
    "occurred_at": "2026-03-04T15:20:00.000Z",
    "description": "Two crates are wet. The receiver does not sign.",
    "location": {
      "lat": 47.6626,
      "lng": -117.4207,
      "address": "77 Foundry Street, Spokane"
    },
    "photo_count": 1
  },
  "unknown_upload": {
    "type": "tag:waybill-freight.github.io,2026:unknown_upload",
    "title": "Unknown upload",
    "status": 400,
    "detail": "body /photos/0 is not a verified, unused photo of this shipment.",
    "instance": "/v1/tracking/FRT-2026-000142/pod",
    "code": "unknown_upload",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "errors": [
      {
        "in": "body",
        "pointer": "/photos/0",
        "code": "unknown_upload",
        "detail": "is not a verified, unused photo of this shipment"
      }
    ]
  },
  "exception_not_accepted": {
    "type": "tag:waybill-freight.github.io,2026:exception_not_accepted",
    "title": "Exception not accepted",
    "status": 409,
    "detail": "A shipment that is scheduled accepts no exception facility_delay.",
    "instance": "/v1/tracking/FRT-2026-000142/exceptions",
    "code": "exception_not_accepted",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "current_status": "scheduled"
  },
  "exception_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:exception_limit_reached",
    "title": "Too many exceptions",
    "status": 409,
    "detail": "The shipment has 50 exceptions.",
    "instance": "/v1/tracking/FRT-2026-000142/exceptions",
    "code": "exception_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "ExceptionWithPhotos": {
    "id": "exc_01kjwpzbhgf9arrpg0tvmm5q3d",
    "code": "refused",
    "severity": "high",
    "responsible_party": "consignee",
    "next_steps": [
      "reschedule",
      "return"
    ],
    "shipment_status": "in_transit",
    "occurred_at": "2026-03-04T15:20:00.000Z",
    "description": "Two crates are wet. The receiver does not sign.",
    "location": {
      "lat": 47.6626,
      "lng": -117.4207,
      "address": "77 Foundry Street, Spokane"
    },
    "photo_count": 1,
    "photos": [
      "http://localhost:3000/v1/files/AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY"
    ]
  },
  "ExceptionResolved": {
    "id": "exc_01kjwpzbhgf9arrpg0tvmm5q3d",
    "code": "refused",
    "severity": "high",
    "responsible_party": "consignee",
    "next_steps": [
      "reschedule",
      "return"
    ],
    "shipment_status": "in_transit",
    "occurred_at": "2026-03-04T15:20:00.000Z",
    "description": "Two crates are wet. The receiver does not sign.",
    "location": {
      "lat": 47.6626,
      "lng": -117.4207,
      "address": "77 Foundry Street, Spokane"
    },
    "photo_count": 1,
    "resolved_at": "2026-03-05T09:05:00.000Z",
    "resolution": "Repacked and accepted at the second attempt"
  },
  "exception_resolved": {
    "type": "tag:waybill-freight.github.io,2026:exception_resolved",
    "title": "Exception resolved",
    "status": 409,
    "detail": "The exception was resolved before.",
    "instance": "/v1/tracking/FRT-2026-000142/exceptions/exc_01kjwpzbhgf9arrpg0tvmm5q3d/resolve",
    "code": "exception_resolved",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "ExceptionVoided": {
    "id": "exc_01kjwpzbhgf9arrpg0tvmm5q3d",
    "code": "refused",
    "severity": "high",
    "responsible_party": "consignee",
    "next_steps": [
      "reschedule",
      "return"
    ],
    "shipment_status": "in_transit",
    "occurred_at": "2026-03-04T15:20:00.000Z",
    "description": "Two crates are wet. The receiver does not sign.",
    "location": {
      "lat": 47.6626,
      "lng": -117.4207,
      "address": "77 Foundry Street, Spokane"
    },
    "photo_count": 1,
    "voided_at": "2026-03-04T15:25:00.000Z",
    "void_reason": "Wrong shipment"
  },
  "exception_void_not_allowed": {
    "type": "tag:waybill-freight.github.io,2026:exception_void_not_allowed",
    "title": "Voiding of the exception not allowed",
    "status": 409,
    "detail": "The exception was voided before.",
    "instance": "/v1/tracking/FRT-2026-000142/exceptions/exc_01kjwpzbhgf9arrpg0tvmm5q3d/void",
    "code": "exception_void_not_allowed",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "current_status": "in_transit"
  },
  "ProofOfDelivery": {
    "tracking_number": "FRT-2026-000142",
    "status": "delivered",
    "delivered_at": "2026-03-04T14:02:00.000Z",
    "signed_by": "Owen Castillo",
    "signature_url": "http://localhost:3000/v1/files/AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY",
    "photos": [
      "http://localhost:3000/v1/files/2lUDKpXaLAQxes37VQKS6EpQNfn7qcWRpCwaAluN_XlczRQveS_noTGZ-3npOsq2UG0e_-Y"
    ],
    "location": {
      "lat": 47.6588,
      "lng": -117.426
    }
  },
  "proof_not_available": {
    "type": "tag:waybill-freight.github.io,2026:proof_not_available",
    "title": "Proof not available",
    "status": 404,
    "detail": "The shipment has no proof of delivery yet. Its status is in_transit.",
    "instance": "/v1/tracking/FRT-2026-000142/pod",
    "code": "proof_not_available",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "current_status": "in_transit"
  },
  "UnattendedDelivery": {
    "tracking_number": "FRT-2026-000142",
    "status": "delivered",
    "delivered_at": "2026-03-04T14:02:00.000Z",
    "unattended": true,
    "photos": [
      "http://localhost:3000/v1/files/2lUDKpXaLAQxes37VQKS6EpQNfn7qcWRpCwaAluN_XlczRQveS_noTGZ-3npOsq2UG0e_-Y"
    ],
    "location": {
      "lat": 47.6588,
      "lng": -117.426
    }
  },
  "proof_submitted": {
    "type": "tag:waybill-freight.github.io,2026:proof_submitted",
    "title": "Proof submitted already",
    "status": 409,
    "detail": "The shipment has a proof already.",
    "instance": "/v1/tracking/FRT-2026-000142/pod",
    "code": "proof_submitted",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "handover_code_wrong": {
    "type": "tag:waybill-freight.github.io,2026:handover_code_wrong",
    "title": "Handover code wrong",
    "status": 409,
    "detail": "The handover code is wrong. 4 more can be sent.",
    "instance": "/v1/tracking/FRT-2026-000142/pod",
    "code": "handover_code_wrong",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "handover_code_locked": {
    "type": "tag:waybill-freight.github.io,2026:handover_code_locked",
    "title": "Handover code locked",
    "status": 409,
    "detail": "5 wrong handover codes were sent. The shipper must set another one.",
    "instance": "/v1/tracking/FRT-2026-000142/pod",
    "code": "handover_code_locked",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "ProofUploadList": {
    "data": [
      {
        "upload_id": "upl_01kjwjfxt6fsytr0x9a1xe4sfc",
        "kind": "signature",
        "content_type": "image/png",
        "size": 18342,
        "created_at": "2026-03-04T14:02:10.118Z",
        "ends_at": "2026-03-04T15:02:10.118Z"
      },
      {
        "upload_id": "upl_01kjwjfzj0f2pbwwt3y0b8j32h",
        "kind": "photo",
        "content_type": "image/jpeg",
        "size": 2483190,
        "access_id": "acc_01kjpxkbwrf6w8x3y1z4a7c0f5",
        "created_at": "2026-03-04T14:02:11.904Z",
        "received_at": "2026-03-04T14:02:14.530Z",
        "ends_at": "2026-03-05T14:02:11.904Z"
      }
    ]
  },
  "ProofUpload": {
    "upload_id": "upl_01kjwjfxt6fsytr0x9a1xe4sfc",
    "upload_url": "http://localhost:3000/v1/uploads/QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ",
    "method": "PUT",
    "headers": {
      "Content-Type": "image/png"
    },
    "expires_at": "2026-03-04T14:17:10.000Z"
  },
  "uploads_not_accepted": {
    "type": "tag:waybill-freight.github.io,2026:uploads_not_accepted",
    "title": "Uploads not accepted",
    "status": 409,
    "detail": "A shipment that is cancelled accepts only documents.",
    "instance": "/v1/tracking/FRT-2026-000142/pod/uploads",
    "code": "uploads_not_accepted",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "current_status": "cancelled"
  },
  "upload_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:upload_limit_reached",
    "title": "Too many unfinished uploads",
    "status": 429,
    "detail": "The shipment has 20 files of this caller that are not part of a proof or an exception.",
    "instance": "/v1/tracking/FRT-2026-000142/pod/uploads",
    "code": "upload_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "storage_quota_exceeded": {
    "type": "tag:waybill-freight.github.io,2026:storage_quota_exceeded",
    "title": "Storage quota exceeded",
    "status": 429,
    "detail": "The files of an account are limited to 10737418240 bytes in total.",
    "instance": "/v1/tracking/FRT-2026-000142/pod/uploads",
    "code": "storage_quota_exceeded",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "DocumentList": {
    "data": [
      {
        "id": "doc_01kjwpc4a0fay8t7hf795nrvby",
        "type": "bill_of_lading",
        "description": "Signed by the shipper, two pages",
        "content_type": "application/pdf",
        "size": 214006,
        "added_at": "2026-03-04T15:10:00.000Z",
        "url": "http://localhost:3000/v1/files/AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY"
      }
    ]
  },
  "Document": {
    "id": "doc_01kjwpc4a0fay8t7hf795nrvby",
    "type": "bill_of_lading",
    "description": "Signed by the shipper, two pages",
    "content_type": "application/pdf",
    "size": 214006,
    "added_at": "2026-03-04T15:10:00.000Z",
    "url": "http://localhost:3000/v1/files/AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY"
  },
  "document_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:document_limit_reached",
    "title": "Too many documents",
    "status": 409,
    "detail": "The shipment has 20 documents.",
    "instance": "/v1/tracking/FRT-2026-000142/documents",
    "code": "document_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "EventListPage": {
    "data": [
      {
        "id": "evt_01kjpx8p02e00800000000010h",
        "type": "shipment.created",
        "created_at": "2026-03-02T09:15:00.482Z",
        "data": {
          "shipment": {
            "id": "ship_01kjpx8p02fabr24pa3eywnyp2",
            "status": "scheduled",
            "tracking_number": "FRT-2026-000142",
            "type": "freight",
            "origin": {
              "address": "1420 Harbor Avenue SW",
              "city": "Seattle",
              "state": "WA",
              "zip": "98126",
              "contact_name": "Mara Lindqvist",
              "contact_phone": "+1 206 555 0142"
            },
            "destination": {
              "address": "77 Foundry Street",
              "city": "Spokane",
              "state": "WA",
              "zip": "99201",
              "contact_name": "Owen Castillo",
              "contact_phone": "+1 509 555 0119"
            },
            "pickup_window": {
              "start": "2026-03-03T16:00:00.000Z",
              "end": "2026-03-03T20:00:00.000Z"
            },
            "reference": "PO-2026-4471",
            "notes": "Two pallets of roofing tiles. Dock 4, ring the bell.",
            "created_at": "2026-03-02T09:15:00.482Z",
            "updated_at": "2026-03-02T09:15:00.482Z"
          }
        }
      },
      {
        "id": "evt_01kjtbdx4ye008000000000153",
        "type": "tracking.status_reached",
        "created_at": "2026-03-03T17:20:15.006Z",
        "data": {
          "tracking": {
            "tracking_number": "FRT-2026-000142",
            "status": "in_transit",
            "eta": "2026-03-04T14:00:00.000Z",
            "current_location": {
              "lat": 47.5301,
              "lng": -122.0326,
              "address": "I-90 at Issaquah",
              "updated_at": "2026-03-03T17:20:00.000Z"
            },
            "timeline": [
              {
                "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
                "status": "scheduled",
                "timestamp": "2026-03-02T09:15:00.482Z",
                "description": "Shipment created",
                "recorded_at": "2026-03-02T09:15:00.482Z"
              },
              {
                "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
                "status": "dispatched",
                "timestamp": "2026-03-03T14:30:00.000Z",
                "description": "Driver assigned",
                "recorded_at": "2026-03-03T14:30:07.112Z"
              },
              {
                "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
                "status": "picked_up",
                "timestamp": "2026-03-03T17:05:00.000Z",
                "description": "Picked up from the origin",
                "recorded_at": "2026-03-03T17:05:41.930Z"
              },
              {
                "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
                "status": "in_transit",
                "timestamp": "2026-03-03T17:20:00.000Z",
                "description": "Left Seattle on I-90 eastbound",
                "recorded_at": "2026-03-03T17:20:15.006Z"
              }
            ]
          }
        }
      }
    ],
    "has_more": false,
    "next_after": "evt_01kjtbdx4ye008000000000153"
  },
  "EventListEmpty": {
    "data": [],
    "has_more": false,
    "next_after": "evt_01kjpx8p02e00800000000010h"
  },
  "events_expired": {
    "type": "tag:waybill-freight.github.io,2026:events_expired",
    "title": "Events expired",
    "status": 410,
    "detail": "The list does not contain this event any more.",
    "instance": "/v1/events",
    "code": "events_expired",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "too_many_streams": {
    "type": "tag:waybill-freight.github.io,2026:too_many_streams",
    "title": "Too many streams",
    "status": 429,
    "detail": "The key has 20 streams and waiting requests.",
    "instance": "/v1/events/stream",
    "code": "too_many_streams",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "WebhookEndpointList": {
    "data": [
      {
        "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
        "url": "https://shop.example.com/hooks/waybill",
        "description": "Order status in the shop",
        "types": [
          "tracking.status_reached",
          "proof_of_delivery.submitted"
        ],
        "status": "enabled",
        "created_at": "2026-03-02T09:15:00.482Z",
        "updated_at": "2026-03-02T09:15:00.482Z"
      }
    ]
  },
  "WebhookEndpointCreated": {
    "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
    "url": "https://shop.example.com/hooks/waybill",
    "description": "Order status in the shop",
    "types": [
      "tracking.status_reached",
      "proof_of_delivery.submitted"
    ],
    "status": "enabled",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T09:15:00.482Z",
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwKXn0DY1pF9Y="
  },
  "webhook_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:webhook_limit_reached",
    "title": "Too many webhook endpoints",
    "status": 409,
    "detail": "The account has 16 webhook endpoints.",
    "instance": "/v1/webhook_endpoints",
    "code": "webhook_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "WebhookEndpointEnabled": {
    "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
    "url": "https://shop.example.com/hooks/waybill",
    "description": "Order status in the shop",
    "types": [
      "tracking.status_reached",
      "proof_of_delivery.submitted"
    ],
    "status": "enabled",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T09:15:00.482Z"
  },
  "WebhookEndpointDisabled": {
    "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
    "url": "https://shop.example.com/hooks/waybill",
    "description": "Order status in the shop",
    "types": [
      "tracking.status_reached",
      "proof_of_delivery.submitted"
    ],
    "status": "disabled",
    "disabled_reason": "failing",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-11T04:20:10.117Z"
  },
  "WebhookEndpointUpdated": {
    "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
    "url": "https://shop.example.com/hooks/waybill",
    "description": "Order status and maps",
    "types": [
      "tracking.status_reached",
      "proof_of_delivery.submitted"
    ],
    "status": "enabled",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T11:02:44.910Z"
  },
  "WebhookSecretRotated": {
    "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
    "url": "https://shop.example.com/hooks/waybill",
    "description": "Order status in the shop",
    "types": [
      "tracking.status_reached",
      "proof_of_delivery.submitted"
    ],
    "status": "enabled",
    "created_at": "2026-03-02T09:15:00.482Z",
    "updated_at": "2026-03-02T09:15:00.482Z",
    "secret": "whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oDZg2dQ4x0h3nE="
  },
  "secret_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:secret_limit_reached",
    "title": "Too many secrets",
    "status": 429,
    "detail": "5 secrets of the endpoint sign its events.",
    "instance": "/v1/webhook_endpoints/whe_01kjpx8p02f1er50c2fbb7r0hn/rotate_secret",
    "code": "secret_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "WebhookReplay": {
    "from": "2026-03-02T09:00:00.000Z",
    "to": "2026-03-02T11:00:00.000Z"
  },
  "delivery_limit_reached": {
    "type": "tag:waybill-freight.github.io,2026:delivery_limit_reached",
    "title": "Too many pending deliveries",
    "status": 429,
    "detail": "The endpoint has 100 pending deliveries that requests have queued.",
    "instance": "/v1/webhook_endpoints/whe_01kjpx8p02e0n8wk1xmhc3p7vd/test",
    "code": "delivery_limit_reached",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "WebhookTestQueued": {
    "id": "whd_01kjpx8p1pe3br6jq5y2v9s4tg",
    "status": "pending",
    "attempts": 0,
    "next_attempt_at": "2026-03-02T09:15:00.482Z",
    "created_at": "2026-03-02T09:15:00.482Z",
    "event": {
      "id": "evt_01kjpx8p02e00800000000010j",
      "type": "webhook_endpoint.test",
      "created_at": "2026-03-02T09:15:00.482Z",
      "data": {
        "webhook_endpoint": {
          "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
          "url": "https://shop.example.com/hooks/waybill",
          "description": "Order status in the shop",
          "types": [
            "tracking.status_reached",
            "proof_of_delivery.submitted"
          ],
          "status": "enabled",
          "created_at": "2026-03-02T09:15:00.482Z",
          "updated_at": "2026-03-02T09:15:00.482Z"
        }
      }
    }
  },
  "WebhookDeliveryListPage": {
    "data": [
      {
        "id": "whd_01kjtbdx5zefa8vqn0r4d6m2xc",
        "status": "pending",
        "attempts": 2,
        "next_attempt_at": "2026-03-03T17:21:02.871Z",
        "created_at": "2026-03-03T17:20:15.040Z",
        "last_attempt": {
          "url": "https://shop.example.com/hooks/waybill",
          "timestamp": "2026-03-03T17:20:21.318Z",
          "duration_ms": 10000,
          "error": "No complete response within 10 s."
        },
        "event": {
          "id": "evt_01kjtbdx4ye008000000000153",
          "type": "tracking.status_reached",
          "created_at": "2026-03-03T17:20:15.006Z",
          "data": {
            "tracking": {
              "tracking_number": "FRT-2026-000142",
              "status": "in_transit",
              "eta": "2026-03-04T14:00:00.000Z",
              "current_location": {
                "lat": 47.5301,
                "lng": -122.0326,
                "address": "I-90 at Issaquah",
                "updated_at": "2026-03-03T17:20:00.000Z"
              },
              "timeline": [
                {
                  "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
                  "status": "scheduled",
                  "timestamp": "2026-03-02T09:15:00.482Z",
                  "description": "Shipment created",
                  "recorded_at": "2026-03-02T09:15:00.482Z"
                },
                {
                  "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
                  "status": "dispatched",
                  "timestamp": "2026-03-03T14:30:00.000Z",
                  "description": "Driver assigned",
                  "recorded_at": "2026-03-03T14:30:07.112Z"
                },
                {
                  "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
                  "status": "picked_up",
                  "timestamp": "2026-03-03T17:05:00.000Z",
                  "description": "Picked up from the origin",
                  "recorded_at": "2026-03-03T17:05:41.930Z"
                },
                {
                  "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
                  "status": "in_transit",
                  "timestamp": "2026-03-03T17:20:00.000Z",
                  "description": "Left Seattle on I-90 eastbound",
                  "recorded_at": "2026-03-03T17:20:15.006Z"
                }
              ]
            }
          }
        }
      },
      {
        "id": "whd_01kjpx8p1pe3br6jq5y2v9s4tg",
        "status": "delivered",
        "attempts": 1,
        "created_at": "2026-03-02T09:15:00.482Z",
        "last_attempt": {
          "url": "https://shop.example.com/hooks/waybill",
          "timestamp": "2026-03-02T09:15:00.501Z",
          "duration_ms": 87,
          "response": {
            "status": 204,
            "body": ""
          }
        },
        "event": {
          "id": "evt_01kjpx8p02e00800000000010j",
          "type": "webhook_endpoint.test",
          "created_at": "2026-03-02T09:15:00.482Z",
          "data": {
            "webhook_endpoint": {
              "id": "whe_01kjpx8p02e0n8wk1xmhc3p7vd",
              "url": "https://shop.example.com/hooks/waybill",
              "description": "Order status in the shop",
              "types": [
                "tracking.status_reached",
                "proof_of_delivery.submitted"
              ],
              "status": "enabled",
              "created_at": "2026-03-02T09:15:00.482Z",
              "updated_at": "2026-03-02T09:15:00.482Z"
            }
          }
        }
      }
    ],
    "has_more": false,
    "next_cursor": null
  },
  "WebhookDeliveryListEmpty": {
    "data": [],
    "has_more": false,
    "next_cursor": null
  },
  "WebhookDeliveryQueued": {
    "id": "whd_01kjtbmn7tef6rv9r2s4c8k0dz",
    "status": "pending",
    "attempts": 0,
    "next_attempt_at": "2026-03-03T18:00:00.250Z",
    "created_at": "2026-03-03T18:00:00.250Z",
    "event": {
      "id": "evt_01kjtbdx4ye008000000000153",
      "type": "tracking.status_reached",
      "created_at": "2026-03-03T17:20:15.006Z",
      "data": {
        "tracking": {
          "tracking_number": "FRT-2026-000142",
          "status": "in_transit",
          "eta": "2026-03-04T14:00:00.000Z",
          "current_location": {
            "lat": 47.5301,
            "lng": -122.0326,
            "address": "I-90 at Issaquah",
            "updated_at": "2026-03-03T17:20:00.000Z"
          },
          "timeline": [
            {
              "id": "tev_01kjpx8p02fabr24pa3eywnyp2",
              "status": "scheduled",
              "timestamp": "2026-03-02T09:15:00.482Z",
              "description": "Shipment created",
              "recorded_at": "2026-03-02T09:15:00.482Z"
            },
            {
              "id": "tev_01kjt1pcg8e1hvn0p2q4r6s8ta",
              "status": "dispatched",
              "timestamp": "2026-03-03T14:30:00.000Z",
              "description": "Driver assigned",
              "recorded_at": "2026-03-03T14:30:07.112Z"
            },
            {
              "id": "tev_01kjtak8hae8ksr7y1b2c3d4e5",
              "status": "picked_up",
              "timestamp": "2026-03-03T17:05:00.000Z",
              "description": "Picked up from the origin",
              "recorded_at": "2026-03-03T17:05:41.930Z"
            },
            {
              "id": "tev_01kjtbdx4ye3wza9b8c7d6e5f4",
              "status": "in_transit",
              "timestamp": "2026-03-03T17:20:00.000Z",
              "description": "Left Seattle on I-90 eastbound",
              "recorded_at": "2026-03-03T17:20:15.006Z"
            }
          ]
        }
      }
    }
  },
  "file_mismatch": {
    "type": "tag:waybill-freight.github.io,2026:file_mismatch",
    "title": "File mismatch",
    "status": 400,
    "detail": "body has another SHA-256 than declared.",
    "instance": "/v1/uploads/QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ",
    "code": "file_mismatch",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2",
    "errors": [
      {
        "in": "body",
        "pointer": "",
        "code": "mismatch",
        "detail": "has another SHA-256 than declared"
      }
    ]
  },
  "file_conflict": {
    "type": "tag:waybill-freight.github.io,2026:file_conflict",
    "title": "File conflict",
    "status": 409,
    "detail": "Other bytes are already stored for this upload.",
    "instance": "/v1/uploads/QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ",
    "code": "file_conflict",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  },
  "link_expired": {
    "type": "tag:waybill-freight.github.io,2026:link_expired",
    "title": "Link expired",
    "status": 410,
    "detail": "The link has expired.",
    "instance": "/v1/files/AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY",
    "code": "link_expired",
    "request_id": "019cadd4-5802-7aae-8113-651dc3e6fac2"
  }
};

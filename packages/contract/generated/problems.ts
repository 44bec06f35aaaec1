// Made from spec/ by `pnpm generate`. Do not edit.
import type { components } from './types.ts';

type ProblemCode = components['schemas']['ProblemCode'];

/** A row of the error catalogue. */
export interface ProblemKind {
  status: number;
  title: string;
  description: string;
  /** Additional members of the problem. */
  members?: string[];
}

/** Code → the names of the additional members that its problems always have. */
export interface ProblemMembers {
  invalid_request: 'errors';
  unknown_upload: 'errors';
  file_mismatch: 'errors';
  proof_not_available: 'current_status';
  invalid_transition: 'current_status' | 'allowed';
  status_recorded: 'current_status' | 'entry';
  void_not_allowed: 'entry';
  change_not_allowed: 'errors' | 'current_status' | 'changeable';
  positions_not_accepted: 'current_status';
  uploads_not_accepted: 'current_status';
  exception_not_accepted: 'current_status';
  exception_void_not_allowed: 'current_status';
  reference_taken: 'shipment_id';
}

export const problems: Record<ProblemCode, ProblemKind> = {
  "invalid_request": {
    "status": 400,
    "title": "Invalid request",
    "members": [
      "errors"
    ],
    "description": "The request is invalid and had no effect. `errors` lists the invalid fields. Fix them and send the request again.\n"
  },
  "malformed_request": {
    "status": 400,
    "title": "Malformed request",
    "description": "The request cannot be parsed and had no effect. For example, its body is not JSON in UTF-8, is nested too deeply or\nhas too many values. `detail` states the reason.\n"
  },
  "cursor_mismatch": {
    "status": 400,
    "title": "Cursor mismatch",
    "description": "The cursor is not valid, or it belongs to other filters. Use the same filters for all pages of a list, or start\nagain without a cursor.\n"
  },
  "unknown_upload": {
    "status": 400,
    "title": "Unknown upload",
    "members": [
      "errors"
    ],
    "description": "An upload id is not an upload of this shipment and kind, its file is not uploaded yet, or it is already a document, or part\nof a proof of delivery or of an exception. `errors` lists the ids. Upload the file and send the request again.\n"
  },
  "file_mismatch": {
    "status": 400,
    "title": "File mismatch",
    "members": [
      "errors"
    ],
    "description": "The bytes do not match the size, type or SHA-256 of the upload, are not a whole file or exceed a limit. `errors`\nlists the differences, and says which limit and what was found. Nothing was stored. Send the correct file to the\nsame URL, or create a new upload.\n"
  },
  "unauthenticated": {
    "status": 401,
    "title": "Not authenticated",
    "description": "The API key or the access token is missing, malformed, unknown, expired or revoked. Send it as\n`Authorization: Bearer wbk_…`.\n"
  },
  "insufficient_scope": {
    "status": 403,
    "title": "Missing scope",
    "description": "The API key or the access token does not have the scope that the operation requires, or gives a scope that it does\nnot have. Use a key that has it. An access token is also limited to some operations, and by its `detail`.\n"
  },
  "not_found": {
    "status": 404,
    "title": "Not found",
    "description": "The resource does not exist, or it belongs to another account. If the path is unknown, check that it begins with\nthe major version.\n"
  },
  "method_not_allowed": {
    "status": 405,
    "title": "Method not allowed",
    "description": "The path does not support this method. `Allow` lists the supported methods."
  },
  "request_timeout": {
    "status": 408,
    "title": "Request timeout",
    "description": "The request did not arrive in time. Check the connection and send it again."
  },
  "proof_not_available": {
    "status": 404,
    "title": "Proof not available",
    "members": [
      "current_status"
    ],
    "description": "The shipment has no proof of delivery yet: it is not delivered, or its proof follows later. `current_status` is its\nstatus.\n"
  },
  "invalid_transition": {
    "status": 409,
    "title": "Invalid transition",
    "members": [
      "current_status",
      "allowed"
    ],
    "description": "The status contradicts what is recorded: a shipment ends only once, reaches nothing later than its end, is cancelled only before\npickup, returned only after it, and lost only with a driver. `current_status` is its status, `allowed` lists what can be recorded. If an entry of\nthe timeline is wrong, void it first.\n"
  },
  "status_recorded": {
    "status": 409,
    "title": "Status recorded already",
    "members": [
      "current_status",
      "entry"
    ],
    "description": "The shipment has this status in its timeline already, as `entry`. If its time is wrong, void it and record the status\nagain.\n"
  },
  "proof_submitted": {
    "status": 409,
    "title": "Proof submitted already",
    "description": "The shipment has a proof. If it is wrong, void the entry of the timeline, and submit another one."
  },
  "void_not_allowed": {
    "status": 409,
    "title": "Voiding not allowed",
    "members": [
      "entry"
    ],
    "description": "The entry cannot be voided: it is that of the creation, or it was voided before. An access voids only what it has\nrecorded itself until the shipment has ended, then for ten minutes after the recording. Ask the shipper or the carrier.\n"
  },
  "tracking_event_limit_reached": {
    "status": 409,
    "title": "Too many tracking events",
    "description": "The timeline of a shipment has at most 50 entries, with those that were voided."
  },
  "change_not_allowed": {
    "status": 409,
    "title": "Change not allowed",
    "members": [
      "errors",
      "current_status",
      "changeable"
    ],
    "description": "The shipment's current status does not allow the change of a field. `current_status` is its status, `errors` lists\nthe fields that cannot be changed any more, and `changeable` those that can. Nothing was changed. Send only these,\nor tell the carrier.\n"
  },
  "signature_required": {
    "status": 409,
    "title": "Signature required",
    "description": "The shipper requires a signature: the shipment has `signature_required`. Submit the proof of delivery with `signed_by`\nand `signature`, or raise an exception such as `nobody_there`.\n"
  },
  "handover_code_required": {
    "status": 409,
    "title": "Handover code required",
    "description": "The shipment has `handover_code_required`. Ask the consignee for the code, and submit the proof of delivery with\n`handover_code` and another `Idempotency-Key`.\n"
  },
  "handover_code_wrong": {
    "status": 409,
    "title": "Handover code wrong",
    "description": "The `handover_code` is not that of the shipment. The attempt was counted, and nothing else was changed. Ask the\nconsignee again, and send the code with another `Idempotency-Key`. After five wrong codes the shipment is locked.\n"
  },
  "handover_code_locked": {
    "status": 409,
    "title": "Handover code locked",
    "description": "Five wrong codes were sent. No more are compared, until the shipper sets another `handover_code` or removes it.\n"
  },
  "positions_not_accepted": {
    "status": 409,
    "title": "Positions not accepted",
    "members": [
      "current_status"
    ],
    "description": "The shipment is scheduled or cancelled, or all positions are later than its end. It accepts positions once a driver is\nassigned. `current_status` is its status.\n"
  },
  "uploads_not_accepted": {
    "status": 409,
    "title": "Uploads not accepted",
    "members": [
      "current_status"
    ],
    "description": "The shipment is cancelled or lost and accepts only documents. `current_status` is its status.\n"
  },
  "exception_not_accepted": {
    "status": 409,
    "title": "Exception not accepted",
    "members": [
      "current_status"
    ],
    "description": "An exception with this code cannot be raised in the current status of the shipment. `current_status` is its status.\nExceptions begin when a driver is assigned; of a delivered shipment only damaged, missing and surplus freight is reported.\n"
  },
  "exception_limit_reached": {
    "status": 409,
    "title": "Too many exceptions",
    "description": "A shipment has at most 50 exceptions. Describe what happens in tracking events, or ask the shipper."
  },
  "exception_resolved": {
    "status": 409,
    "title": "Exception resolved",
    "description": "The exception was resolved or voided before. Raise another one if it happens again."
  },
  "exception_void_not_allowed": {
    "status": 409,
    "title": "Voiding of the exception not allowed",
    "members": [
      "current_status"
    ],
    "description": "The exception cannot be voided: it was voided before, or its shipment has ended since it was raised. `current_status` is the\nstatus of the shipment. An access voids only what it has raised itself; ask the shipper or the carrier.\n"
  },
  "reference_taken": {
    "status": 409,
    "title": "Reference taken",
    "members": [
      "shipment_id"
    ],
    "description": "Another shipment of the account that has not ended has this `reference`. `shipment_id` is its id. Use that shipment or\nanother reference. `references` may be the same.\n"
  },
  "webhook_limit_reached": {
    "status": 409,
    "title": "Too many webhook endpoints",
    "description": "An account has at most 16 webhook endpoints. Change or delete one, and create the new one with another\n`Idempotency-Key`.\n"
  },
  "access_limit_reached": {
    "status": 409,
    "title": "Too many accesses",
    "description": "A shipment has at most 20 accesses that have not expired. Revoke one, and create the new one with another\n`Idempotency-Key`.\n"
  },
  "document_limit_reached": {
    "status": 409,
    "title": "Too many documents",
    "description": "A shipment has at most 20 documents. Remove one, and add the new one with another `Idempotency-Key`.\n"
  },
  "idempotency_in_progress": {
    "status": 409,
    "title": "Idempotent request in progress",
    "description": "The first request with this `Idempotency-Key` is still running. Wait for `Retry-After` and send the same request\nagain to get its response.\n"
  },
  "file_conflict": {
    "status": 409,
    "title": "File conflict",
    "description": "Other bytes are already stored for this upload. Create a new upload for a new file."
  },
  "link_expired": {
    "status": 410,
    "title": "Link expired",
    "description": "The signed URL has expired. Read the proof of delivery or the documents again for new file URLs, or create a new upload.\n"
  },
  "events_expired": {
    "status": 410,
    "title": "Events expired",
    "description": "The list does not contain the event of `after` any more, so the next ones may be missing, too. Events are retained\nfor 30 days, and the operator of the service may have restored a backup. Read the shipments again, then list events\nwithout `after`.\n"
  },
  "precondition_failed": {
    "status": 412,
    "title": "Precondition failed",
    "description": "The resource has changed since the ETag in `If-Match`. Nothing was changed. Read it again, and repeat the request with\nits new ETag.\n"
  },
  "payload_too_large": {
    "status": 413,
    "title": "Payload too large",
    "description": "A JSON body may have 1 MiB, a file 20 MiB and not more than its upload's `size`."
  },
  "unsupported_media_type": {
    "status": 415,
    "title": "Unsupported media type",
    "description": "Send JSON as `application/json`, and a file with the `content_type` of its upload. Send both without a\n`Content-Encoding`: the service does not decompress bodies.\n"
  },
  "expectation_failed": {
    "status": 417,
    "title": "Expectation failed",
    "description": "The request has an `Expect` header other than `100-continue`. Send it without that header."
  },
  "idempotency_key_reused": {
    "status": 422,
    "title": "Idempotency key reused",
    "description": "This `Idempotency-Key` was used for a different request. Use a new key for each request, and the same key only to\nrepeat it.\n"
  },
  "rate_limited": {
    "status": 429,
    "title": "Too many requests",
    "description": "The rate limit is used up, which `RateLimit` reports, or 1,000 requests of the account wait for earlier ones. Wait\nfor `Retry-After`, and send requests less often or fewer at a time.\n"
  },
  "upload_limit_reached": {
    "status": 429,
    "title": "Too many unfinished uploads",
    "description": "A shipment has at most 20 unfinished uploads of each access, and 20 of API keys: those that have not ended and are not\npart of a proof of delivery or an exception, and no documents. Use or remove those, or wait for `Retry-After`, when the first of them ends.\nWith those that were removed, it is 40 in an hour.\n"
  },
  "storage_quota_exceeded": {
    "status": 429,
    "title": "Storage quota exceeded",
    "description": "This file would exceed the storage limit of the account. Uploads that are not part of a proof or an exception, and no\ndocuments, are removed 25 hours after their creation. Try again later, or ask the operator of the service for more storage.\n"
  },
  "delivery_limit_reached": {
    "status": 429,
    "title": "Too many pending deliveries",
    "description": "A webhook endpoint has at most 100 pending deliveries of `sendTestWebhook` and `resendWebhookDelivery` together, and at most\n20 unfinished replays. Make sure that it responds. Wait for `Retry-After`, when the next one is attempted.\n`replayWebhookEvents` sends many events again.\n"
  },
  "secret_limit_reached": {
    "status": 429,
    "title": "Too many secrets",
    "description": "Events of the endpoint are signed with 5 secrets already. Wait for `Retry-After`, when the first one ends, or send\n`previous_valid_hours: 0`, with which all others end at once.\n"
  },
  "too_many_streams": {
    "status": 429,
    "title": "Too many streams",
    "description": "The key has as many streams of `streamEvents` and requests of `listEvents` with `wait` as it may have at a time: 20,\nunless the operator of the service configures another number. Or its account has three quarters of all that the\nservice may have. Close one, or wait for `Retry-After`.\n"
  },
  "headers_too_large": {
    "status": 431,
    "title": "Headers too large",
    "description": "The request's headers have more than 16 KiB in total. Send fewer or shorter ones."
  },
  "internal_error": {
    "status": 500,
    "title": "Internal error",
    "description": "An error in the service, which is logged under `request_id`. Sending the request again may succeed."
  },
  "not_implemented": {
    "status": 501,
    "title": "Not implemented",
    "description": "No path supports the method, such as `PROPFIND`, or the body has a `Transfer-Encoding` other than `chunked`. Send\nJSON and files with a `Content-Length` or in chunks.\n"
  },
  "unavailable": {
    "status": 503,
    "title": "Temporarily unavailable",
    "description": "The service cannot reach its database, cannot store files or is overloaded. Wait for `Retry-After` and send the request again."
  }
};

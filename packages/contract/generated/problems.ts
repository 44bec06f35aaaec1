// Made from spec/ by `pnpm generate`. Do not edit.
import type { components } from './types.ts';

type ProblemCode = components['schemas']['ProblemCode'];
type FieldErrorCode = components['schemas']['FieldErrorCode'];

/** A row of the error catalogue. */
export interface ProblemKind {
  status: number;
  title: string;
  description: string;
}

export const problems: Record<ProblemCode, ProblemKind> = {
  "invalid_request": {
    "status": 400,
    "title": "Invalid request",
    "description": "Something in the request breaks the contract. `errors` names every field at fault. Mend them and send the\nrequest again; nothing was changed.\n"
  },
  "malformed_request": {
    "status": 400,
    "title": "Malformed request",
    "description": "The request cannot be read, for example because its body is not JSON in UTF-8, is nested too deep or has too many\nvalues. `detail` says which. Nothing was changed.\n"
  },
  "cursor_mismatch": {
    "status": 400,
    "title": "Cursor does not fit",
    "description": "The cursor is not one of ours, or it was made with other filters. Keep the filters while you walk through a\nlist, or start again without a cursor.\n"
  },
  "unknown_upload": {
    "status": 400,
    "title": "Unknown upload",
    "description": "An upload id is not an upload of this shipment and kind, its file has not arrived yet, or it is already part of\na proof. `errors` names which. Upload the file and submit the proof again.\n"
  },
  "file_mismatch": {
    "status": 400,
    "title": "File is not what was declared",
    "description": "The bytes differ from the declared size, type or SHA-256, or the image has dimensions that are not accepted.\n`errors` names which. Nothing was kept; send the right\nfile to the same URL, or declare the file anew.\n"
  },
  "unauthenticated": {
    "status": 401,
    "title": "Not authenticated",
    "description": "The API key is missing, malformed, unknown, expired or revoked. Send it as `Authorization: Bearer wbk_…`.\n"
  },
  "insufficient_scope": {
    "status": 403,
    "title": "Missing scope",
    "description": "The API key is good but lacks the scope that the operation needs. Use a key that has it."
  },
  "not_found": {
    "status": 404,
    "title": "Not found",
    "description": "There is no such thing, or it belongs to another account. For an address that does not exist, check the path and\nthat it begins with the major version.\n"
  },
  "method_not_allowed": {
    "status": 405,
    "title": "Method not allowed",
    "description": "The address exists, but not with this method. `Allow` lists the methods that do."
  },
  "request_timeout": {
    "status": 408,
    "title": "Request took too long to arrive",
    "description": "The request was not received in time. Check the connection and send it again."
  },
  "invalid_transition": {
    "status": 409,
    "title": "Invalid transition",
    "description": "The shipment cannot take this step from where it stands. `current_status` says where it stands, `allowed` what\nmay come next. Read the shipment again before deciding.\n"
  },
  "not_delivered": {
    "status": 409,
    "title": "Not delivered yet",
    "description": "The shipment has no proof of delivery because it is not delivered. `current_status` says where it stands."
  },
  "positions_not_accepted": {
    "status": 409,
    "title": "Not on its way",
    "description": "Positions are taken from the moment a driver is assigned, and not for a cancelled shipment. `current_status` says\nwhere the shipment stands.\n"
  },
  "uploads_not_accepted": {
    "status": 409,
    "title": "Files not accepted",
    "description": "The shipment is delivered or cancelled and takes no files any more. `current_status` says which.\n"
  },
  "reference_taken": {
    "status": 409,
    "title": "Reference taken",
    "description": "Another shipment of the account, one that is not cancelled, has this reference; `shipment_id` names it. Use it, or\nchoose another reference.\n"
  },
  "idempotency_in_progress": {
    "status": 409,
    "title": "Still in progress",
    "description": "The first request with this `Idempotency-Key` has not finished yet. Wait for `Retry-After` and send the same\nrequest again to get its answer.\n"
  },
  "file_conflict": {
    "status": 409,
    "title": "Another file was already uploaded",
    "description": "The upload already holds other bytes. Declare a new upload for a new file."
  },
  "link_expired": {
    "status": 410,
    "title": "Link expired",
    "description": "The signed URL was good once. Read the proof of delivery again for fresh file URLs, or declare the upload anew.\n"
  },
  "payload_too_large": {
    "status": 413,
    "title": "Payload too large",
    "description": "A JSON body may be 1 MiB, a file 10 MiB and no more than it was declared to be."
  },
  "unsupported_media_type": {
    "status": 415,
    "title": "Unsupported media type",
    "description": "Send JSON as `application/json`, and a file with the content type it was declared with."
  },
  "expectation_failed": {
    "status": 417,
    "title": "Expectation failed",
    "description": "The request has an `Expect` header other than `100-continue`. Send it without that header."
  },
  "idempotency_key_reused": {
    "status": 422,
    "title": "Idempotency key reused",
    "description": "This `Idempotency-Key` belongs to another request. Keys are for repeating one and the same request; use a new one\nfor each thing you want done.\n"
  },
  "rate_limited": {
    "status": 429,
    "title": "Too many requests",
    "description": "The limit of requests is used up. `RateLimit` says when it is full again; wait for `Retry-After` and slow down.\n"
  },
  "upload_limit_reached": {
    "status": 429,
    "title": "Too many unfinished uploads",
    "description": "A shipment has at most 20 unfinished uploads: declared less than 24 hours ago and not part of a proof of delivery.\nUse those, or wait for `Retry-After`, when the oldest expires.\n"
  },
  "storage_quota_exceeded": {
    "status": 429,
    "title": "Storage is full",
    "description": "With this file, the files of the account would have more bytes than the service allows. Files that are not part of a\nproof are removed 25 hours after their declaration. Try again later, or ask the operator of the service for more.\n"
  },
  "headers_too_large": {
    "status": 431,
    "title": "Headers too large",
    "description": "The request's headers are over 16 KiB together. Send fewer or shorter ones."
  },
  "internal_error": {
    "status": 500,
    "title": "Internal error",
    "description": "A fault of ours; it has been logged under `request_id`. Sending the request again may help."
  },
  "unavailable": {
    "status": 503,
    "title": "Temporarily unavailable",
    "description": "The service cannot reach its database, has no room for files or is overloaded. Wait for `Retry-After` and send it again."
  }
};

/** Schema keyword → the code of a field that breaks it. */
export const fieldErrorCodes: Record<string, FieldErrorCode> = {
  "required": "required",
  "additionalProperties": "unknown_field",
  "type": "wrong_type",
  "enum": "not_allowed",
  "const": "not_allowed",
  "format": "invalid_format",
  "pattern": "invalid_format",
  "anyOf": "invalid_format",
  "maxLength": "too_long",
  "maxItems": "too_long",
  "minLength": "too_short",
  "minItems": "too_short",
  "minimum": "out_of_range",
  "maximum": "out_of_range",
  "uniqueItems": "duplicate",
  "x-after": "out_of_order",
  "x-not-before": "out_of_order",
  "x-max-before-previous": "out_of_order",
  "x-max-ahead": "too_far_ahead",
  "x-max-age": "too_old"
};

// Made from spec/ by `pnpm generate`. Do not edit.
export interface paths {
    "/files/{file_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description The bytes of a signature or photo. Its URL comes from the proof of delivery and works for about an hour.
         */
        get: operations["getProofFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shipments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shipments
         * @description The account's shipments, newest first, page by page. A shipment that matches throughout a walk appears in it
         *     exactly once, whatever else happens meanwhile.
         */
        get: operations["listShipments"];
        put?: never;
        /**
         * Create a shipment
         * @description Books a shipment. It starts as `scheduled` and gets its identifier and its tracking number.
         */
        post: operations["createShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shipments/{shipment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a shipment
         * @description One shipment, by its identifier.
         */
        get: operations["getShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shipments/{shipment_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a shipment
         * @description Calls a shipment off. Possible until it is picked up; its reference is free again.
         */
        post: operations["cancelShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read tracking status
         * @description Where the shipment is, when it arrives, and every status it has reached.
         */
        get: operations["getTracking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a tracking event
         * @description Moves the shipment one step on. Of several callers that report the same step at once, one succeeds; the others
         *     get `invalid_transition`. An event's location becomes the current one unless a newer position is known.
         */
        post: operations["recordTrackingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/pod": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the proof of delivery
         * @description Who signed, where and when, with signed URLs of the signature and the photos.
         */
        get: operations["getProofOfDelivery"];
        put?: never;
        /**
         * Submit the proof of delivery
         * @description Completes the shipment: the only way to `delivered`. The files must have been uploaded before.
         */
        post: operations["submitProofOfDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/pod/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Declare a file
         * @description Declares a signature or a photo and answers where to send its bytes. The upload then belongs into the proof of
         *     delivery of this shipment.
         *
         *     A shipment that is delivered or cancelled takes no files. A shipment has at most 20 unfinished uploads: declared less
         *     than 24 hours ago and not part of a proof. The declared sizes of all files of an account together are limited too. A
         *     refusal for one of these limits is not stored under the `Idempotency-Key`.
         */
        post: operations["createProofUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List positions
         * @description The route so far, oldest position first, page by page. Positions are retained for 90 days, unless the operator of
         *     the service has chosen another time, and are removed within a day after it.
         */
        get: operations["listPositions"];
        put?: never;
        /**
         * Record positions
         * @description Adds positions to the route, from dispatch on. The position with the greatest timestamp is the current location:
         *     late positions are stored and never move it back. Of equal timestamps the report received last wins, for the
         *     current location and for the route. After delivery positions are stored but move nothing.
         *     If one position is older than positions are retained, the whole request is refused.
         */
        post: operations["recordPositions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{upload_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a file
         * @description Takes the bytes of a declared file and checks their size, type, dimensions and SHA-256. An image is 1 to 16384
         *     pixels wide and high, and its dimensions stand in its first 1024 KiB. A stored file never changes: sending the same
         *     bytes again is harmless, and other bytes are refused.
         *
         *     A request that is refused before all of it has arrived returns `Connection: close`.
         */
        put: operations["putProofFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A place to pick up from or deliver to, and whom to ask for there. */
        Address: {
            /**
             * Format: text
             * @description Street line.
             */
            address: string;
            /**
             * Format: text
             * @description City or town.
             */
            city: string;
            /**
             * Format: text
             * @description Whom to ask for.
             */
            contact_name?: string;
            /**
             * Format: text
             * @description Where to call.
             */
            contact_phone?: string;
            /**
             * Format: text
             * @description Region code.
             */
            state: string;
            /**
             * Format: text
             * @description Postal code.
             */
            zip: string;
        };
        /** @description Why a shipment is called off. */
        CancelRequest: {
            /**
             * Format: text
             * @description The reason, in words.
             */
            reason: string;
        };
        /** @description A point on the earth (WGS 84). */
        Coordinates: {
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /** @description A position that was reported. */
        CurrentLocation: {
            /** @description The place in words; null when none were given. */
            address: string | null;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
            /**
             * Format: date-time
             * @description When the shipment was there.
             */
            updated_at: string;
        };
        /** @description Where the event happened. It is a position of the route at the event's timestamp. */
        EventLocation: {
            /**
             * Format: text
             * @description The place in words.
             */
            address?: string;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /**
         * @description A status that an event can report. Delivery is reported by submitting its proof.
         * @enum {string}
         */
        EventStatus: "dispatched" | "picked_up" | "in_transit";
        /** @description One field at fault. */
        FieldError: {
            code: components["schemas"]["FieldErrorCode"];
            /** @description What is wrong, in words. */
            detail: string;
            /**
             * @description The part of the request that holds the field.
             * @enum {string}
             */
            in: "query" | "headers" | "body" | (string & {});
            /** @description JSON pointer (RFC 6901) to the field within that part; empty for the part itself. */
            pointer: string;
        };
        /**
         * @description What is wrong with a field.
         * @enum {string}
         */
        FieldErrorCode: "required" | "unknown_field" | "wrong_type" | "not_allowed" | "invalid_format" | "too_long" | "too_short" | "out_of_range" | "duplicate" | "out_of_order" | "too_far_ahead" | "too_old" | "mismatch" | "unknown_upload" | (string & {});
        /**
         * @description What the file shows.
         * @enum {string}
         */
        FileKind: "signature" | "photo";
        /**
         * @description What may be done with which file and until when, signed by the service.
         * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
         */
        FileToken: string;
        /**
         * @description The file's media type.
         * @enum {string}
         */
        ImageType: "image/png" | "image/jpeg" | "image/webp";
        /** @description Latitude in decimal degrees. */
        Latitude: number;
        /** @description Longitude in decimal degrees. */
        Longitude: number;
        /** @description The time range for pickup. It may lie in the past. */
        PickupWindow: {
            /**
             * Format: date-time
             * @description Latest pickup, after `start`.
             */
            end: string;
            /**
             * Format: date-time
             * @description Earliest pickup.
             */
            start: string;
        };
        /** @description One page of a route, oldest position first. */
        PositionList: {
            /** @description The positions of this page. */
            data: components["schemas"]["CurrentLocation"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Send it as `cursor` for the next page; null at the end. */
            next_cursor: string | null;
        };
        /** @description Where the shipment was, and when. */
        PositionReport: {
            /**
             * Format: text
             * @description The place in words.
             */
            address?: string;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
            /**
             * Format: date-time
             * @description When the shipment was there: at most 5 minutes ahead of now, and not longer ago than positions are retained, which
             *     is 90 days unless the operator of the service has chosen another time.
             */
            updated_at: string;
        };
        /**
         * @description Positions of a shipment, in any order. Of equal timestamps the later element wins. Sending the same positions again
         *     changes nothing.
         */
        PositionsRequest: {
            /**
             * Format: date-time
             * @description Estimated arrival. It counts only if the newest position that is known is among these.
             */
            eta?: string;
            /** @description At least one position. */
            positions: components["schemas"]["PositionReport"][];
        };
        /** @description An error (RFC 9457). */
        Problem: {
            /** @description The statuses that may come next. */
            allowed?: components["schemas"]["ShipmentStatus"][];
            code: components["schemas"]["ProblemCode"];
            current_status?: components["schemas"]["ShipmentStatus"];
            /** @description This very problem, in words. */
            detail: string;
            /** @description The fields at fault, of the first part of the request that has any. */
            errors?: components["schemas"]["FieldError"][];
            /**
             * Format: uri-reference
             * @description The path of the request.
             */
            instance: string;
            /** @description The request's identifier, as in `X-Request-Id`. */
            request_id: string;
            shipment_id?: components["schemas"]["ShipmentId"];
            /** @description The HTTP status. */
            status: number;
            /** @description The kind of problem, in words. */
            title: string;
            /**
             * Format: uri-reference
             * @description Identifies the kind of problem and leads to its page in the docs.
             */
            type: string;
        };
        /**
         * @description What went wrong, for programs to decide by.
         * @enum {string}
         */
        ProblemCode: "invalid_request" | "malformed_request" | "cursor_mismatch" | "unknown_upload" | "file_mismatch" | "unauthenticated" | "insufficient_scope" | "not_found" | "method_not_allowed" | "request_timeout" | "invalid_transition" | "not_delivered" | "positions_not_accepted" | "uploads_not_accepted" | "reference_taken" | "idempotency_in_progress" | "file_conflict" | "link_expired" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "idempotency_key_reused" | "rate_limited" | "upload_limit_reached" | "storage_quota_exceeded" | "headers_too_large" | "internal_error" | "unavailable" | (string & {});
        /** @description Evidence that a shipment was delivered. */
        ProofOfDelivery: {
            /**
             * Format: date-time
             * @description When it was handed over.
             */
            delivered_at: string;
            location: components["schemas"]["Coordinates"];
            /** @description URLs of the delivery photos; they work like `signature_url`. */
            photos: string[];
            /**
             * Format: uri
             * @description The signature image. The URL works for about an hour; read the proof again for a fresh one.
             */
            signature_url: string;
            /**
             * Format: text
             * @description Name of the person who signed.
             */
            signed_by: string;
            tracking_number: components["schemas"]["TrackingNumber"];
        };
        /** @description The evidence that completes a shipment. */
        ProofOfDeliveryRequest: {
            /**
             * Format: date-time
             * @description When it was handed over: at most 5 minutes ahead of now, and at most 5 minutes before the previous event.
             */
            delivered_at: string;
            location: components["schemas"]["Coordinates"];
            /** @description Uploads of kind `photo`. */
            photos?: components["schemas"]["UploadId"][];
            signature: components["schemas"]["UploadId"];
            /**
             * Format: text
             * @description Name of the person who signed.
             */
            signed_by: string;
        };
        /** @description Where and how to send the file's bytes. */
        ProofUpload: {
            /**
             * Format: date-time
             * @description When the URL stops working, 15 minutes after it was made.
             */
            expires_at: string;
            /** @description The headers to send with the bytes. */
            headers: {
                [key: string]: string;
            };
            /**
             * @description The HTTP method to use.
             * @constant
             */
            method: "PUT";
            upload_id: components["schemas"]["UploadId"];
            /**
             * Format: uri
             * @description Send the bytes here. The URL is its own permission; no key is needed.
             */
            upload_url: string;
        };
        /** @description A file that is about to be uploaded. */
        ProofUploadRequest: {
            content_type: components["schemas"]["ImageType"];
            kind: components["schemas"]["FileKind"];
            /** @description SHA-256 of the bytes, in lower-case hexadecimal. */
            sha256: string;
            /** @description Size in bytes, at most 10 MiB. */
            size: number;
        };
        /**
         * Format: text
         * @description The shipper's own reference, unique among the account's shipments that are not cancelled.
         */
        Reference: string;
        /**
         * Format: date-time
         * @description A timestamp (RFC 3339) with an offset. Years are 1000 to 2999; there are no leap seconds.
         */
        RequestTimestamp: string;
        /** @description A booked shipment. Optional fields that were not given are left out. */
        Shipment: {
            /**
             * Format: text
             * @description Why the shipment was cancelled.
             */
            cancellation_reason?: string;
            /**
             * Format: date-time
             * @description When the shipment was created.
             */
            created_at: string;
            destination: components["schemas"]["Address"];
            id: components["schemas"]["ShipmentId"];
            /**
             * Format: text
             * @description Handling instructions in free text.
             */
            notes?: string;
            origin: components["schemas"]["Address"];
            pickup_window: components["schemas"]["PickupWindow"];
            reference?: components["schemas"]["Reference"];
            status: components["schemas"]["ShipmentStatus"];
            tracking_number: components["schemas"]["TrackingNumber"];
            type: components["schemas"]["ShipmentType"];
            /**
             * Format: date-time
             * @description When its status last changed.
             */
            updated_at: string;
        };
        /**
         * @description A shipment's identifier.
         * @example ship_01kjpx8p02fabr24pa3eywnyp2
         */
        ShipmentId: string;
        /** @description One page of shipments, newest first. */
        ShipmentList: {
            /** @description The shipments of this page. */
            data: components["schemas"]["Shipment"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description Send it as `cursor` for the next page; null at the end. */
            next_cursor: string | null;
        };
        /** @description A shipment to be booked. */
        ShipmentRequest: {
            destination: components["schemas"]["Address"];
            /**
             * Format: text
             * @description Handling instructions in free text.
             */
            notes?: string;
            origin: components["schemas"]["Address"];
            pickup_window: components["schemas"]["PickupWindow"];
            reference?: components["schemas"]["Reference"];
            type: components["schemas"]["ShipmentType"];
        };
        /**
         * @description Where a shipment stands in its life. It moves one step at a time and never back.
         * @enum {string}
         */
        ShipmentStatus: "scheduled" | "dispatched" | "picked_up" | "in_transit" | "delivered" | "cancelled" | (string & {});
        /**
         * @description The kind of shipment.
         * @enum {string}
         */
        ShipmentType: "freight" | (string & {});
        /** @description A status that was reached. */
        TimelineEntry: {
            /**
             * Format: text
             * @description What happened, in words.
             */
            description: string;
            status: components["schemas"]["ShipmentStatus"];
            /**
             * Format: date-time
             * @description When it was reached.
             */
            timestamp: string;
        };
        /** @description The next step of a shipment, as seen by its carrier. */
        TrackingEventRequest: {
            /**
             * Format: text
             * @description What happened, in words. Without it the timeline uses the status's default words.
             */
            description?: string;
            /**
             * Format: date-time
             * @description Estimated arrival as of this event. It is ignored when a newer position of the shipment is already known.
             */
            eta?: string;
            location?: components["schemas"]["EventLocation"];
            status: components["schemas"]["EventStatus"];
            /**
             * Format: date-time
             * @description When it happened: at most 5 minutes ahead of now, and at most 5 minutes before the previous event. With a
             *     `location`, it must not be longer ago than positions are retained.
             */
            timestamp: string;
        };
        /**
         * @description A prefix, the UTC year of creation and a sequence number. Numbers are never used twice; gaps are normal.
         * @example FRT-2026-000142
         */
        TrackingNumber: string;
        /** @description Where a shipment is, when it arrives, and how it got there. */
        TrackingStatus: {
            /** @description The latest reported position; null until one is known. */
            current_location: components["schemas"]["CurrentLocation"] | null;
            /**
             * Format: date-time
             * @description Estimated arrival; null until it is known.
             */
            eta: string | null;
            status: components["schemas"]["ShipmentStatus"];
            /** @description Every status reached, oldest first. */
            timeline: components["schemas"]["TimelineEntry"][];
            tracking_number: components["schemas"]["TrackingNumber"];
        };
        /**
         * @description An upload's identifier.
         * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
         */
        UploadId: string;
    };
    responses: {
        /** @description A query parameter is unknown, or `If-None-Match` is not a list of ETags. */
        BadConditionalRead: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The bytes are not what was declared. */
        BadFile: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A query parameter breaks the contract, or the cursor does not fit. */
        BadListRequest: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request breaks the contract, or it names an upload that cannot be used. */
        BadProof: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A query parameter is unknown. */
        BadQuery: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request breaks the contract or cannot be read. */
        BadRequest: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The upload already holds other bytes. */
        FileConflict: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key lacks the scope. */
        Forbidden: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key was used for another request. */
        IdempotencyKeyReused: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A fault of the service. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The shipment cannot take this step from where it stands, or the first request with this key is still running. */
        InvalidTransition: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /**
                 * @description Seconds to wait; only with `idempotency_in_progress`.
                 * @example 1
                 */
                "Retry-After"?: number;
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The signed URL is too old. */
        LinkExpired: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The shipment is not delivered yet. */
        NotDelivered: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing in the key's account. */
        NotFound: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such thing in the key's account. */
        NotFoundForWrite: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description One of the ETags in `If-None-Match` is still current. */
        NotModified: {
            headers: {
                "Cache-Control": components["headers"]["Cache-Control"];
                ETag: components["headers"]["ETag"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The body is too large. */
        PayloadTooLarge: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The shipment is not on its way, or the first request with this key is still running. */
        PositionsNotAccepted: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /**
                 * @description Seconds to wait; only with `idempotency_in_progress`.
                 * @example 1
                 */
                "Retry-After"?: number;
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Another shipment has this reference, or the first request with this key is still running. */
        ReferenceTaken: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /**
                 * @description Seconds to wait; only with `idempotency_in_progress`.
                 * @example 1
                 */
                "Retry-After"?: number;
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot answer right now. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The limit of requests is used up for now. */
        TooManyRequests: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The limit of requests, of unfinished uploads or of stored bytes is reached for now. */
        TooManyUploads: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing or not good. */
        Unauthorized: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The content type is not one that the operation takes. */
        UnsupportedMediaType: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The shipment is delivered or cancelled, or the first request with this key is still running. */
        UploadsNotAccepted: {
            headers: {
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /**
                 * @description Seconds to wait; only with `idempotency_in_progress`.
                 * @example 1
                 */
                "Retry-After"?: number;
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The `next_cursor` of the page before. It holds for the filters it was made with; only `limit` may change.
         * @example T1PNoYwrAZyt1FgCepeBEsobvcr6wg
         */
        cursor: string;
        /**
         * @description The signed token of a file URL.
         * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
         */
        file_token: components["schemas"]["FileToken"];
        /**
         * @description Only shipments created at or after this. A date means the start of that day in UTC; a date-time carries an offset.
         * @example 2026-03-01
         */
        from_date: string | components["schemas"]["RequestTimestamp"];
        /**
         * @description A text of your own that makes this request safe to repeat: within 24 hours the same key and request have one effect
         *     and one answer, however often they are sent. Use a new random one, such as a UUID, for each thing you want done.
         * @example 0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34
         */
        "Idempotency-Key": string;
        /**
         * @description ETags that you already have, separated by commas, or `*`. If one is still current the answer is 304, without a body
         *     (RFC 9110, section 13.1.2).
         * @example "k1vZ3cY0mQk8Qe3v9yJ2Xw"
         */
        "If-None-Match": string;
        /**
         * @description How many results a page has at the most.
         * @example 25
         */
        limit: number;
        /**
         * @description Only the shipments with this reference, cancelled ones included.
         * @example PO-2026-4471
         */
        reference: components["schemas"]["Reference"];
        /**
         * @description The shipment's `id`.
         * @example ship_01kjpx8p02fabr24pa3eywnyp2
         */
        shipment_id: components["schemas"]["ShipmentId"];
        /**
         * @description Only shipments that have this status now.
         * @example in_transit
         */
        status: components["schemas"]["ShipmentStatus"];
        /**
         * @description Only shipments created up to this. A date includes that whole day in UTC; a date-time is exclusive. Not before
         *     `from_date`.
         * @example 2026-03-31
         */
        to_date: string | components["schemas"]["RequestTimestamp"];
        /**
         * @description The shipment's `tracking_number`.
         * @example FRT-2026-000142
         */
        tracking_number: components["schemas"]["TrackingNumber"];
        /**
         * @description The signed token of an upload URL.
         * @example QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ
         */
        upload_token: components["schemas"]["FileToken"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description What changes may be kept but must be checked before it is used; a file never changes and may be kept until its URL
         *     expires. Neither is for shared caches.
         * @example private, no-cache
         */
        "Cache-Control": string;
        /**
         * @description Browsers show the file, and save it under this name.
         * @example inline; filename="upl_01kjwjfxt6fsytr0x9a1xe4sfc.png"
         */
        "Content-Disposition": string;
        /**
         * @description A browser that opens the file runs and loads nothing from it.
         * @example default-src 'none'; sandbox
         */
        "Content-Security-Policy": "default-src 'none'; sandbox";
        /**
         * @description Stands for this representation. Send it back as `If-None-Match` to learn cheaply whether anything changed.
         * @example "k1vZ3cY0mQk8Qe3v9yJ2Xw"
         */
        ETag: string;
        /**
         * @description `true` on the stored answer of an earlier request with the same `Idempotency-Key`; absent on a first answer.
         * @example true
         */
        "Idempotent-Replayed": "true";
        /**
         * @description Where the new shipment can be read.
         * @example /v1/shipments/ship_01kjpx8p02fabr24pa3eywnyp2
         */
        Location: string;
        /**
         * @description What is left of the limit: `r` requests for the next `t` seconds (draft-ietf-httpapi-ratelimit-headers-10).
         * @example "key";r=5998;t=41
         */
        RateLimit: string;
        /**
         * @description The limit that applies, as a structured field (draft-ietf-httpapi-ratelimit-headers-10): `q` requests in `w` seconds.
         * @example "key";q=6000;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Seconds to wait before the request is sent again.
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description An answer is for the key that asked, and for no other.
         * @example Authorization
         */
        Vary: "Authorization";
        /**
         * @description How to authenticate (RFC 9110, section 11.6.1).
         * @example Bearer
         */
        "WWW-Authenticate": "Bearer";
        /**
         * @description The content type was checked; browsers must not guess another.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description Identifies this request in the service's logs. A request's own `X-Request-Id` is kept if it matches the pattern.
         * @example 019cadd4-5802-7aae-8113-651dc3e6fac2
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getProofFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The signed token of a file URL.
                 * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
                 */
                file_token: components["parameters"]["file_token"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                };
            };
            400: components["responses"]["BadQuery"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["LinkExpired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listShipments: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the page before. It holds for the filters it was made with; only `limit` may change.
                 * @example T1PNoYwrAZyt1FgCepeBEsobvcr6wg
                 */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description Only shipments created at or after this. A date means the start of that day in UTC; a date-time carries an offset.
                 * @example 2026-03-01
                 */
                from_date?: components["parameters"]["from_date"];
                /**
                 * @description How many results a page has at the most.
                 * @example 25
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description Only the shipments with this reference, cancelled ones included.
                 * @example PO-2026-4471
                 */
                reference?: components["parameters"]["reference"];
                /**
                 * @description Only shipments that have this status now.
                 * @example in_transit
                 */
                status?: components["parameters"]["status"];
                /**
                 * @description Only shipments created up to this. A date includes that whole day in UTC; a date-time is exclusive. Not before
                 *     `from_date`.
                 * @example 2026-03-31
                 */
                to_date?: components["parameters"]["to_date"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of shipments. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentList"];
                };
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text of your own that makes this request safe to repeat: within 24 hours the same key and request have one effect
                 *     and one answer, however often they are sent. Use a new random one, such as a UUID, for each thing you want done.
                 * @example 0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShipmentRequest"];
            };
        };
        responses: {
            /** @description The shipment is booked. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ReferenceTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags that you already have, separated by commas, or `*`. If one is still current the answer is 304, without a body
                 *     (RFC 9110, section 13.1.2).
                 * @example "k1vZ3cY0mQk8Qe3v9yJ2Xw"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["shipment_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shipment. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadConditionalRead"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text of your own that makes this request safe to repeat: within 24 hours the same key and request have one effect
                 *     and one answer, however often they are sent. Use a new random one, such as a UUID, for each thing you want done.
                 * @example 0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["shipment_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description The shipment is cancelled. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["InvalidTransition"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTracking: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags that you already have, separated by commas, or `*`. If one is still current the answer is 304, without a body
                 *     (RFC 9110, section 13.1.2).
                 * @example "k1vZ3cY0mQk8Qe3v9yJ2Xw"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["tracking_number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracking status. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingStatus"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadConditionalRead"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordTrackingEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text of your own that makes this request safe to repeat: within 24 hours the same key and request have one effect
                 *     and one answer, however often they are sent. Use a new random one, such as a UUID, for each thing you want done.
                 * @example 0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["tracking_number"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackingEventRequest"];
            };
        };
        responses: {
            /** @description The event is recorded; this is the tracking status after it. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["InvalidTransition"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProofOfDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags that you already have, separated by commas, or `*`. If one is still current the answer is 304, without a body
                 *     (RFC 9110, section 13.1.2).
                 * @example "k1vZ3cY0mQk8Qe3v9yJ2Xw"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["tracking_number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof of delivery. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofOfDelivery"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadConditionalRead"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NotDelivered"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitProofOfDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text of your own that makes this request safe to repeat: within 24 hours the same key and request have one effect
                 *     and one answer, however often they are sent. Use a new random one, such as a UUID, for each thing you want done.
                 * @example 0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["tracking_number"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofOfDeliveryRequest"];
            };
        };
        responses: {
            /** @description The shipment is delivered; this is its proof. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofOfDelivery"];
                };
            };
            400: components["responses"]["BadProof"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["InvalidTransition"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProofUpload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text of your own that makes this request safe to repeat: within 24 hours the same key and request have one effect
                 *     and one answer, however often they are sent. Use a new random one, such as a UUID, for each thing you want done.
                 * @example 0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["tracking_number"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofUploadRequest"];
            };
        };
        responses: {
            /** @description Send the bytes as described. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofUpload"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["UploadsNotAccepted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyUploads"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPositions: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the page before. It holds for the filters it was made with; only `limit` may change.
                 * @example T1PNoYwrAZyt1FgCepeBEsobvcr6wg
                 */
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description How many results a page has at the most.
                 * @example 25
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["tracking_number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of positions. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PositionList"];
                };
            };
            400: components["responses"]["BadListRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recordPositions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text of your own that makes this request safe to repeat: within 24 hours the same key and request have one effect
                 *     and one answer, however often they are sent. Use a new random one, such as a UUID, for each thing you want done.
                 * @example 0d6f2a4e-7c1b-4a53-9d0e-2b8c1f6a9e34
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["tracking_number"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PositionsRequest"];
            };
        };
        responses: {
            /** @description The positions are kept; this is the tracking status now. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["PositionsNotAccepted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putProofFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The signed token of an upload URL.
                 * @example QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ
                 */
                upload_token: components["parameters"]["upload_token"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": unknown;
                "image/png": unknown;
                "image/webp": unknown;
            };
        };
        responses: {
            /** @description The file is stored. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadFile"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FileConflict"];
            410: components["responses"]["LinkExpired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}

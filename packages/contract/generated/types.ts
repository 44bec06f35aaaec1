// Made from spec/ by `pnpm generate`. Do not edit.
export interface paths {
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns the changes of the account's shipments in one order, which never changes. The events of a shipment are in the
         *     order of its changes. The list has no end: send `next_after` as `after` of the next request, and no event is missed
         *     and none is returned twice. With `wait`, the response is sent as soon as there is an event. An event is listed when
         *     its change is stored. Events are retained for 30 days, and are removed within a day after that.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events
         * @description Sends the events of `listEvents` as they are stored, over one response: Server-Sent Events (HTML Standard).
         *     First come the events after `Last-Event-ID` or `after` that are already stored, then new ones.
         *
         *     Each event has its `id`, its type as `event` and the JSON of `Event` as `data`. An `id` without `data` is the position
         *     in the list: it passes events that `types` leaves out. At least every 15 seconds the stream sends an event, an `id` or
         *     a comment. Without any of these for 45 seconds, the connection is lost.
         *
         *     The service ends a stream after 5 minutes, unless its operator configures another time, when it stops, when it cannot
         *     read events, and within a second after the key or the access token is revoked or expires. It closes the connection of a client that takes
         *     nothing for 30 seconds, and earlier when many clients take nothing. In all cases, wait for the
         *     milliseconds of `retry` and send the request again with the last `id` as `Last-Event-ID`: no event is missed. The
         *     EventSource of browsers does so by itself, but cannot send an API key.
         *
         *     An access token gets the later events of its shipment only, whatever `Last-Event-ID` and `after` are: read the tracking
         *     status whenever the stream has begun. The stream has no `id`, and no event that the access may not read.
         *
         *     A key has at most 20 streams and requests of `listEvents` with `wait` at a time, unless the operator configures
         *     another number.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{file_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Returns the bytes of a file as they were uploaded, with their metadata. The proof of delivery, the exception or the document has its
         *     URL, which is valid for about an hour. Browsers save a PDF or a TIFF, and show an image.
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
         * @description Returns the account's shipments, newest first. A shipment that matches the filters throughout the pagination appears
         *     exactly once, even if shipments are created or changed meanwhile. To follow every change, list the events instead.
         *
         *     Send only one of these filters: `updated_since`, `pickup_before`, `pickup_from` and `pickup_to`, `delivery_from` and
         *     `delivery_to`, `has_exception`, `carrier_scac`, `destination_city`. With one of the times, the list is in the order of this
         *     time, the earliest first, and `from_date` and `to_date` cannot be sent. `status`, `reference` and `tracking_number` go with
         *     all of them, except with `pickup_before`.
         */
        get: operations["listShipments"];
        put?: never;
        /**
         * Create a shipment
         * @description Creates a shipment. Its status is `scheduled`. The service assigns the `id` and the `tracking_number`.
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
         * @description Returns the shipment with this `id`. No other response has its `handover_code`.
         */
        get: operations["getShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a shipment
         * @description Changes the fields of the request (RFC 7396). What is picked up, where and when, can be changed before the shipment is
         *     `picked_up`, everything else before it ends, also the destination: the problem `change_not_allowed` has the fields that can
         *     still be changed. A shipment that has ended cannot be changed. If one field cannot be changed, none is. A field that is sent with the value that it has is not changed; if no field is, the shipment stays as
         *     it is, and there is no event.
         */
        patch: operations["updateShipment"];
        trace?: never;
    };
    "/shipments/{shipment_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accesses to a shipment
         * @description Returns the accesses to the shipment that have not expired, oldest first, without their tokens.
         */
        get: operations["listAccesses"];
        put?: never;
        /**
         * Give access to a shipment
         * @description Creates an access and returns its `token` once. Whoever sends the token as a bearer token can use this shipment within
         *     `scopes`, until the access expires or is revoked. All other shipments are unknown to it. A shipment has at most 20
         *     accesses that have not expired. An access cannot create others.
         *
         *     With a `kind`, the response also has the `url` of a page of the service, to send to a consignee or a driver.
         */
        post: operations["createAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shipments/{shipment_id}/access/{access_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an access
         * @description Revokes the access. Within a second its token is unknown, and its open streams end. URLs of files that it has received
         *     stay valid for about an hour.
         */
        delete: operations["deleteAccess"];
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
         * @description Cancels a shipment that is `scheduled` or `dispatched`. Its `reference` can then be used again.
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
         * @description Returns the shipment's status, estimated arrival, current location and timeline.
         */
        get: operations["getTracking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change equipment and driver
         * @description Changes what the carrier says of the transport (RFC 7396), before the shipment has ended. The other fields of the shipment
         *     belong to the shipper, who changes them with `updateShipment`. A field that is sent with the value
         *     that it has is not changed; if no field is, there is no event. Without a detail that shows a field, an access can set it,
         *     but does not see it in the response.
         */
        patch: operations["updateTracking"];
        trace?: never;
    };
    "/tracking/{tracking_number}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents
         * @description Returns the documents of the shipment with signed URLs of their files, in the order in which they were added. An access token
         *     needs `documents: true`.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Add a document
         * @description Adds an uploaded file to the shipment, in every status, also after its end. Create the upload with `createProofUpload` and
         *     the kind `document`, and send the bytes first. A shipment has at most 20 documents. `deleteDocument` removes a wrong one.
         *
         *     A proof of delivery on paper completes the delivery: with `delivered_at`, the status becomes `delivered`, as by
         *     `recordTrackingEvent`. That is not possible if the shipper requires a signature or a handover code. The paper is a document and no
         *     proof of delivery of its own: `getProofOfDelivery` returns 404 until one is submitted.
         */
        post: operations["addDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a document
         * @description Removes a document from the shipment. The URL of its file returns 404 at once, and the service removes the bytes about an hour
         *     later.
         */
        delete: operations["deleteDocument"];
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
         * @description Records that the shipment has reached a status. Record what you know, when you know it: statuses may be skipped, and earlier
         *     ones recorded late. The status of the shipment is the furthest one. If several requests record the same status at once, one
         *     succeeds and the others return `status_recorded`. `delivered` needs no proof, unless the shipment has `signature_required` or
         *     `handover_code_required`: then submit the proof of delivery. `returned` and `lost` resolve the exceptions that led to them.
         *     The event's location becomes the current location, unless a newer position is known.
         */
        post: operations["recordTrackingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/events/{event_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a tracking event
         * @description Takes back a wrong entry of the timeline, also an end such as `delivered` or `cancelled`. The entry stays in the timeline as
         *     voided, and the status of the shipment is the furthest one of the others. A proof of that end is retained, but no longer
         *     returned. What came with the entry is history: its estimated arrival and its location do not count any more, and when no driver is
         *     assigned without it, nothing that was reported until now does. An access may void what it has recorded
         *     itself until the shipment has ended, then for ten minutes after the recording.
         */
        post: operations["voidTrackingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Raise an exception
         * @description Records that something goes wrong, such as a delay or a failed delivery. The status stays; the shipment goes on with
         *     tracking events. The exception's location becomes the current location, unless a newer position is known.
         */
        post: operations["raiseException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/exceptions/{exception_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an exception
         * @description Returns an exception with signed URLs of its photos. `getTracking` returns all exceptions of a shipment.
         */
        get: operations["getException"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/exceptions/{exception_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an exception
         * @description Ends an open exception. `returned` ends those of failed attempts, and `lost` the exception `lost`; only this request ends
         *     others: a delivered shipment may still have open exceptions.
         */
        post: operations["resolveException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/exceptions/{exception_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an exception
         * @description Withdraws an exception that was raised by mistake, open or resolved. It no longer counts: tracking statuses do not have it, and
         *     its estimated arrival and its location are no longer current ones. An access may void what it has raised itself. An exception
         *     that was raised before the end of its shipment cannot be voided after it.
         */
        post: operations["voidException"];
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
         * @description Returns the proof of delivery, or of the return to the shipper, with signed URLs of the photos and, unless it was unattended,
         *     of the signature. The proof may follow days after the delivery.
         */
        get: operations["getProofOfDelivery"];
        put?: never;
        /**
         * Submit the proof of delivery
         * @description Stores the proof of delivery, and records `delivered` unless it is recorded already. With `status: returned` it is the
         *     proof of the return to the shipper. Upload the files first. A delivery without a signature is `unattended` and has at
         *     least one photo; the shipper can forbid it with `signature_required`. A shipment with `handover_code_required` needs the
         *     code of the consignee, too.
         *
         *     Send the pieces that were counted in `items`. If some are short or over, the response has `suggested_exceptions`.
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
        /**
         * List unfinished uploads
         * @description Returns the uploads of the shipment that have not ended and are not part of a proof or an exception, and no documents, oldest
         *     first and at most 100. An API key gets those of all accesses and keys, an access token only its own.
         */
        get: operations["listProofUploads"];
        put?: never;
        /**
         * Create an upload
         * @description Creates an upload for a file and returns the URL for its bytes. Use the upload in the proof of delivery or, if it is a photo,
         *     in an exception of this shipment, or, if it is a document, in `addDocument`.
         *
         *     A signature or a photo is a PNG, JPEG or WebP image of at most 10 MiB, a document also a PDF or a TIFF, of at most 20 MiB; others
         *     return 400.
         *
         *     A shipment that is cancelled or lost accepts only documents.
         *     An upload ends an hour after its creation, or 24 hours after it if its bytes have arrived, unless it is a document or part of a
         *     proof or an exception. Before its bytes arrive, it also ends when the access that created it is revoked. Each access has at most 20
         *     uploads of a shipment that have not ended, and so have API keys together: `deleteProofUpload` removes those that nobody
         *     needs. Each creates at most 40 in an hour, those that are removed included. The total size of an account's files is
         *     limited too. These limits return 429, which is not stored under the `Idempotency-Key`.
         */
        post: operations["createProofUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/pod/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an unfinished upload
         * @description Ends an upload that `listProofUploads` returns, so that another one can be created. An access token removes only its own.
         *     An upload that has ended, or that is a document or part of a proof or an exception, returns 404. The service removes the bytes about an
         *     hour later.
         */
        delete: operations["deleteProofUpload"];
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
         * @description Returns the shipment's route, oldest position first. Positions are retained for 90 days, unless the operator configures
         *     another time, and are removed within a day after that.
         */
        get: operations["listPositions"];
        put?: never;
        /**
         * Record positions
         * @description Adds positions to the route of a shipment that is dispatched or later. The position with the greatest timestamp is the
         *     current location; late positions are stored and do not change it. Among equal timestamps the report received last
         *     wins, for the current location and for the route. After its end, positions do not change the current location, and
         *     those that are later than the end are not stored: if all are later, the response is `positions_not_accepted`.
         *     A position that cannot be true is refused, and the others are stored: one with a timestamp ahead of now or older than
         *     the retention time, and one at latitude 0 and longitude 0, which devices without a fix report. `refused` names these
         *     positions; send them no more. If all are refused, the response is `invalid_request`. A position that violates the schema
         *     makes the whole request invalid. The response does not depend on stored positions; events report what has changed.
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
         * @description Stores the bytes of an upload after checking their size, type and SHA-256, and that they are a whole file within these limits.
         *     A refusal says which of them is exceeded, and by what. The service checks no file for viruses. A stored file never changes:
         *     sending the same bytes again has no effect, and other bytes return 409.
         *
         *     - An image is 1 to 16,384 pixels wide and high, and has at most 67,108,864 pixels, as 8192 × 8192. Of a TIFF, the first page is
         *       such an image.
         *     - A JPEG or PNG has at most 1,000 segments or chunks of less than 1,024 bytes. Larger ones, such as those of metadata, have no limit.
         *     - The header of a PDF, `%PDF-`, is in its first 1,024 bytes, with no `<` before it. `%%EOF` is in its last 1,024 bytes. NUL
         *       and white space after them do not count.
         *
         *     The bytes are returned as they are stored, with their metadata, also to those who read the shipment by an access. Photos
         *     of a phone often contain where they were made (EXIF): remove what others must not see before you upload them.
         *
         *     If the request is rejected before all bytes have arrived, the response has `Connection: close`.
         */
        put: operations["putProofFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Returns all webhook endpoints of the account, oldest first.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Creates an endpoint. Events from now on are sent to its URL, signed with the `secret` of the response. An account
         *     has at most 16 endpoints. A URL of a private network is refused, also if its host name has such an IP address.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{webhook_endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Returns the endpoint, without its secret.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes the endpoint and its deliveries. No more events are sent to it.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the fields of the request (RFC 7396): absent ones stay the same, and null restores the default. Events after the response are sent by the changed endpoint only: none to the previous
         *     URL, none of a type that it has no more, and none if it is disabled. Events before it that are not yet queued are also
         *     selected by the new `types`; deliveries that are queued already are sent to the new URL whatever their type. A disabled
         *     endpoint gets no events; when it is enabled again, it gets those of the last 30 days.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhook_endpoints/{webhook_endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns the deliveries of an endpoint, newest first, each with its event and its last attempt. Deliveries are
         *     retained for 30 days. A delivery that is queued or attempted meanwhile does not change the order.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Sends the event of a delivery again, with the same event id. The result is a new delivery.
         *     An endpoint has at most 100 pending deliveries of this operation and of test events.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{webhook_endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a time range again
         * @description Sends all events of a time range again that have the types of the endpoint, for example after an outage. They have
         *     the same event ids. New events do not wait for a replay. Several ranges are sent one after the other; one that has not begun is
         *     not added again. An endpoint has at most 20 unfinished replays.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{webhook_endpoint_id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret
         * @description Creates a new secret, which only this response has. For 24 hours, events are signed with the previous secret, too, and with
         *     those before it until their own 24 hours have passed. The signature of the new one is the first. At most 5 secrets sign.
         *     With `previous_valid_hours: 0`, only the new one does. Events after the response are signed with the new secret.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{webhook_endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of the type `webhook_endpoint.test` to this endpoint only, whatever its types are. If the
         *     endpoint is disabled, the event is sent when it is enabled again. An endpoint has at most 100 pending deliveries of
         *     test events and of events that were sent again.
         */
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event
         * @description The service sends each event of the account to the URL of every enabled webhook endpoint. Verify the signature by the
         *     Standard Webhooks specification: it covers `webhook-id`, `webhook-timestamp` and the body. An event can arrive more than
         *     once, with the same `webhook-id`. A response with 410 disables the endpoint, and 429 and 503
         *     with `Retry-After` delay the next attempt.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description Permission for whoever has its token to use one shipment, such as a carrier, a driver or a tracking page. An expired
         *     access is not listed.
         */
        Access: {
            /**
             * Format: date-time
             * @description Time of the creation.
             */
            created_at: string;
            detail: components["schemas"]["AccessDetail"];
            /** @description Whether it shows the documents. */
            documents: boolean;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            id: components["schemas"]["AccessId"];
            kind?: components["schemas"]["AccessKind"];
            /** @description Who or what has the token. */
            name?: string;
            /** @description What it permits, for this shipment only. */
            scopes: components["schemas"]["AccessScope"][];
        };
        /**
         * @description How much of the tracking status an access shows. Each value also shows what the ones before it show.
         * @enum {string}
         */
        AccessDetail: "status" | "location" | "proof";
        /**
         * @description Identifier of an access.
         * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
         */
        AccessId: string;
        /**
         * @description The page that the link of an access opens. Absent for an access without a link.
         * @enum {string}
         */
        AccessKind: "track" | "drive";
        /** @description The accesses to a shipment that have not expired. */
        AccessList: {
            /** @description The accesses, oldest first. */
            data: components["schemas"]["Access"][];
        };
        /** @description The access to create. It has a `kind`, `scopes` or both. */
        AccessRequest: {
            /**
             * @description How much of the tracking status it shows. The default is `status`, with a `kind` it is `proof`.
             * @enum {string}
             */
            detail?: "status" | "location" | "proof";
            /**
             * @description Whether it shows the documents of the shipment, with `tracking:read`.
             * @default false
             */
            documents?: boolean;
            /**
             * Format: date-time
             * @description When it expires, in the future and at most 365 days ahead. The default is 30 days ahead.
             */
            expires_at?: string;
            /**
             * @description The page that its link opens. Without it, the access has no link.
             * @enum {string}
             */
            kind?: "track" | "drive";
            /** @description Who or what gets the token. */
            name?: string;
            /**
             * @description What it permits. The key of this request must have these scopes. Required without a `kind`, whose default it
             *     replaces. It must contain what the page needs.
             */
            scopes?: components["schemas"]["KnownAccessScope"][];
        };
        /**
         * @description A scope that an access can have.
         * @enum {string}
         */
        AccessScope: "shipments:read" | "tracking:read" | "tracking:write" | "events:read";
        /** @description An access with its token, which no other response has. */
        AccessWithToken: {
            /**
             * Format: date-time
             * @description Time of the creation.
             */
            created_at: string;
            detail: components["schemas"]["AccessDetail"];
            /** @description Whether it shows the documents. */
            documents: boolean;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expires_at: string;
            id: components["schemas"]["AccessId"];
            kind?: components["schemas"]["AccessKind"];
            /** @description Who or what has the token. */
            name?: string;
            /** @description What it permits, for this shipment only. */
            scopes: components["schemas"]["AccessScope"][];
            /** @description The bearer token. Whoever has it has the access. */
            token: string;
            /**
             * Format: uri
             * @description The link. It contains the token, so it is a secret, too. Absent for an access without a `kind`.
             */
            url?: string;
        };
        /** @description A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
        Address: {
            /** @description Street line. */
            address: string;
            /** @description Second line, such as a suite, a building or a dock. */
            address_2?: string;
            /** @description City or town. */
            city: string;
            /** @description Company or site. */
            company?: string;
            /** @description Contact name. */
            contact_name?: string;
            /** @description Contact phone number. */
            contact_phone?: string;
            /**
             * @description Country code (ISO 3166-1 alpha-2). Without it, the address is in the US.
             * @example CA
             */
            country?: string;
            /** @description State, province or other region. */
            state?: string;
            /** @description Postal code. */
            zip?: string;
        };
        /** @description Changes of an address or its contact. The address must then have what its country requires. */
        AddressChanges: {
            /** @description Street line. */
            address?: string;
            /** @description Second line, such as a suite, a building or a dock. */
            address_2?: string | null;
            /** @description City or town. */
            city?: string;
            /** @description Company or site. */
            company?: string | null;
            /** @description Contact name. */
            contact_name?: string | null;
            /** @description Contact phone number. */
            contact_phone?: string | null;
            /**
             * @description Country code (ISO 3166-1 alpha-2). Without it, the address is in the US.
             * @example CA
             */
            country?: string | null;
            /** @description State, province or other region. Required where the postal format of the country has it. */
            state?: string | null;
            /** @description Postal code. Required where the postal format of the country has it. Its form is not checked. */
            zip?: string | null;
        };
        /** @description A pickup or delivery address with an optional contact. Its country decides whether it needs `state` and `zip`. */
        AddressRequest: {
            /** @description Street line. */
            address: string;
            /** @description Second line, such as a suite, a building or a dock. */
            address_2?: string | null;
            /** @description City or town. */
            city: string;
            /** @description Company or site. */
            company?: string | null;
            /** @description Contact name. */
            contact_name?: string | null;
            /** @description Contact phone number. */
            contact_phone?: string | null;
            /**
             * @description Country code (ISO 3166-1 alpha-2). Without it, the address is in the US.
             * @example CA
             */
            country?: string | null;
            /** @description State, province or other region. Required where the postal format of the country has it. */
            state?: string | null;
            /** @description Postal code. Required where the postal format of the country has it. Its form is not checked. */
            zip?: string | null;
        };
        /** @description A request to cancel a shipment. */
        CancelRequest: {
            /** @description Reason for the cancellation. */
            reason: string;
        };
        /** @description The company that transports the shipment. */
        Carrier: {
            /** @description Name of the company. */
            name: string;
            /**
             * @description Standard Carrier Alpha Code.
             * @example CSCD
             */
            scac?: string;
        };
        /**
         * @description The company that transports the shipment. Without `scac`, that of the previous company stays. When it is another company, what
         *     the previous one has reported is history: its estimated arrival and its location do not count any more.
         */
        CarrierChanges: {
            /** @description Name of the company. */
            name: string;
            /**
             * @description Standard Carrier Alpha Code.
             * @example CSCD
             */
            scac?: string | null;
        } | null;
        /** @description The company that transports the shipment. */
        CarrierRequest: {
            /** @description Name of the company. */
            name: string;
            /**
             * @description Standard Carrier Alpha Code.
             * @example CSCD
             */
            scac?: string | null;
        } | null;
        /** @description A geographic location (WGS 84). */
        Coordinates: {
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /** @description A geographic location (WGS 84). Latitude 0 with longitude 0, which devices without a fix report, is refused. */
        CoordinatesRequest: {
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /** @description A reported position. */
        CurrentLocation: {
            /** @description Description of the location; null if none was given. */
            address: string | null;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
            /**
             * Format: date-time
             * @description Time of the position.
             */
            updated_at: string;
        };
        /** @description The value of the freight that the shipper declares. */
        DeclaredValue: {
            /**
             * @description The amount as a decimal number.
             * @example 25000.00
             */
            amount: string;
            /**
             * @description Currency code (ISO 4217).
             * @example USD
             */
            currency: string;
        };
        /** @description The value of the freight that the shipper declares. */
        DeclaredValueRequest: {
            /**
             * @description The amount as a decimal number.
             * @example 25000.00
             */
            amount: string;
            /**
             * @description Currency code (ISO 4217).
             * @example USD
             */
            currency: string;
        } | null;
        /** @description The counted pieces of an item of the shipment. Fewer than expected are short, more are over. */
        DeliveredItem: {
            index: components["schemas"]["ItemIndex"];
            pieces_delivered: components["schemas"]["DeliveredPieces"];
            /**
             * Format: int32
             * @description The `pieces` of the item when the proof was submitted.
             */
            pieces_expected: number;
        };
        /** @description The counted pieces of an item of the shipment. */
        DeliveredItemRequest: {
            index: components["schemas"]["ItemIndex"];
            pieces_delivered: components["schemas"]["DeliveredPieces"];
        };
        /**
         * Format: int32
         * @description Number of pieces that were delivered.
         */
        DeliveredPieces: number;
        /** @description Time range for delivery. It may be in the past. An appointment has the same `start` and `end`. */
        DeliveryWindowRequest: {
            /**
             * Format: date-time
             * @description Latest delivery, not before `start`.
             */
            end: string;
            /**
             * Format: date-time
             * @description Earliest delivery.
             */
            start: string;
        } | null;
        /** @description The address of the destination was changed. A `shipment.updated` precedes it. */
        DestinationChangedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["ShipmentEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "shipment.destination_changed";
        };
        /**
         * @description The unit of `length`, `width` and `height`.
         * @enum {string}
         */
        DimensionUnit: "cm" | "in";
        /** @description A file of a shipment, such as its bill of lading. */
        Document: {
            /**
             * Format: date-time
             * @description When it was added.
             */
            added_at: string;
            content_type: components["schemas"]["FileType"];
            /** @description What the document is. */
            description?: string;
            id: components["schemas"]["DocumentId"];
            size: components["schemas"]["FileSize"];
            type: components["schemas"]["DocumentType"];
        };
        /** @description A document of a shipment was added. `listDocuments` returns the URL of its file. */
        DocumentAddedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["DocumentEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "document.added";
        };
        /** @description A document of a shipment that was added or removed. */
        DocumentChange: {
            document: components["schemas"]["Document"];
            shipment_id: components["schemas"]["ShipmentId"];
            status: components["schemas"]["ShipmentStatus"];
            tracking_number: components["schemas"]["TrackingNumber"];
        };
        /** @description The document, with its shipment. */
        DocumentEventData: {
            document_change: components["schemas"]["DocumentChange"];
        };
        /**
         * @description Identifier of a document.
         * @example doc_01kjwpc4a0fay8t7hf795nrvby
         */
        DocumentId: string;
        /** @description The documents of a shipment. */
        DocumentList: {
            /** @description The documents, in the order in which they were added. */
            data: components["schemas"]["DocumentWithUrl"][];
        };
        /** @description A document of a shipment was removed. */
        DocumentRemovedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["DocumentEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "document.removed";
        };
        /** @description The document to add. */
        DocumentRequest: {
            /**
             * Format: date-time
             * @description Only with the type `proof_of_delivery`: the time of the delivery that the paper proves, at most 5 minutes ahead of now. It
             *     records `delivered`, unless that is recorded already.
             */
            delivered_at?: string;
            /** @description What the document is, for people. Useful with the type `other`. */
            description?: string;
            type: components["schemas"]["KnownDocumentType"];
            /**
             * @description Upload id of kind `document`.
             * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
             */
            upload_id: string;
        };
        /**
         * @description What a document is. Accept types that this list does not have.
         * @enum {string}
         */
        DocumentType: "bill_of_lading" | "proof_of_delivery" | "weight_ticket" | "invoice" | "photo" | "other";
        /** @description A document with the URL of its file. */
        DocumentWithUrl: {
            /**
             * Format: date-time
             * @description When it was added.
             */
            added_at: string;
            content_type: components["schemas"]["FileType"];
            /** @description What the document is. */
            description?: string;
            id: components["schemas"]["DocumentId"];
            size: components["schemas"]["FileSize"];
            type: components["schemas"]["DocumentType"];
            /**
             * Format: uri
             * @description URL of the file. It is valid for about an hour; list the documents again for a new one. Browsers save a PDF or a TIFF, and
             *     show an image.
             */
            url: string;
        };
        /** @description Who drives. The shipper or the carrier sets it. Only an access of the detail `proof` shows it. */
        Driver: {
            /** @description Name of the driver. */
            name?: string;
            /** @description Phone number of the driver. */
            phone?: string;
        };
        /** @description Who drives. Without `phone`, that of the previous driver stays. */
        DriverRequest: {
            /** @description Name of the driver. */
            name?: string | null;
            /** @description Phone number of the driver. */
            phone?: string | null;
        } | null;
        /** @description An object without fields. */
        EmptyRequest: Record<string, never>;
        /** @description What the freight is loaded on. The shipper or the carrier sets it. An access of the detail `status` does not show it. */
        Equipment: {
            /** @description Number of the seal. */
            seal_number?: string;
            /** @description Number of the trailer or the container. */
            trailer_number?: string;
            type?: components["schemas"]["EquipmentType"];
        };
        /** @description What the freight is loaded on. */
        EquipmentRequest: {
            /** @description Number of the seal. */
            seal_number?: string | null;
            /** @description Number of the trailer or the container. */
            trailer_number?: string | null;
            type?: components["schemas"]["KnownEquipmentType"];
        } | null;
        /**
         * @description Kind of vehicle or trailer.
         * @enum {string}
         */
        EquipmentType: "dry_van" | "reefer" | "flatbed" | "step_deck" | "lowboy" | "conestoga" | "container" | "tanker" | "box_truck" | "cargo_van" | "hotshot" | "power_only" | "other";
        /** @description A shipment has another estimated arrival. */
        EtaChangedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["TrackingChangeEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "tracking.eta_changed";
        };
        /** @description A change of a shipment or of a webhook endpoint. `type` determines `data`. */
        Event: components["schemas"]["ShipmentCreatedEvent"] | components["schemas"]["ShipmentUpdatedEvent"] | components["schemas"]["DestinationChangedEvent"] | components["schemas"]["ShipmentCancelledEvent"] | components["schemas"]["StatusReachedEvent"] | components["schemas"]["TrackingEventVoidedEvent"] | components["schemas"]["LocationChangedEvent"] | components["schemas"]["EtaChangedEvent"] | components["schemas"]["ExceptionRaisedEvent"] | components["schemas"]["ExceptionResolvedEvent"] | components["schemas"]["ExceptionVoidedEvent"] | components["schemas"]["ProofSubmittedEvent"] | components["schemas"]["DocumentAddedEvent"] | components["schemas"]["DocumentRemovedEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookTestEvent"];
        /** @description Identifier of an event. It contains the position of the event among those of the account. */
        EventId: string;
        /** @description Events in the order of the changes. */
        EventList: {
            /** @description The events after `after`, oldest first. */
            data: components["schemas"]["Event"][];
            /** @description Whether there may be more events now. Send the next request without `wait` to read them. */
            has_more: boolean;
            /** @description The `after` of the next request; null as long as the account has no event. */
            next_after: string | null;
        };
        /**
         * @description Where an event or an exception happened. It is added to the route with the time at which it happened, unless that is older than the
         *     retention time of positions or later than the end of the shipment. Latitude 0 with longitude 0, which devices
         *     without a fix report, is refused.
         */
        EventLocation: {
            /** @description Description of the location. */
            address?: string;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /**
         * @description A status that `recordTrackingEvent` can record.
         * @enum {string}
         */
        EventStatus: "dispatched" | "picked_up" | "in_transit" | "delivered" | "returned" | "lost";
        /** @description Server-Sent Events. The `data` of each is the JSON of an `Event`. */
        EventStream: string;
        /**
         * @description What has changed.
         * @enum {string}
         */
        EventType: "shipment.created" | "shipment.updated" | "shipment.destination_changed" | "shipment.cancelled" | "tracking.status_reached" | "tracking.event_voided" | "tracking.location_changed" | "tracking.eta_changed" | "tracking.exception_raised" | "tracking.exception_resolved" | "tracking.exception_voided" | "proof_of_delivery.submitted" | "document.added" | "document.removed" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
        /** @description An exception of a shipment that was raised, resolved or voided. */
        ExceptionChange: {
            exception: components["schemas"]["ShipmentException"];
            shipment_id: components["schemas"]["ShipmentId"];
            status: components["schemas"]["ShipmentStatus"];
            tracking_number: components["schemas"]["TrackingNumber"];
        };
        /**
         * @description What goes wrong with a shipment. Accept codes that this list does not have.
         * @enum {string}
         */
        ExceptionCode: "weather_delay" | "traffic_delay" | "breakdown" | "facility_delay" | "appointment_missed" | "nobody_there" | "refused" | "address_wrong" | "closed" | "damaged" | "short" | "over" | "customs_hold" | "lost";
        /** @description The exception after the change, with its shipment. */
        ExceptionEventData: {
            exception_change: components["schemas"]["ExceptionChange"];
        };
        /**
         * @description Identifier of an exception.
         * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
         */
        ExceptionId: string;
        /** @description Where it happened. */
        ExceptionLocation: {
            /** @description Description of the location. */
            address?: string;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
        };
        /**
         * @description Who has to act.
         * @enum {string}
         */
        ExceptionParty: "nobody" | "carrier" | "shipper" | "consignee";
        /**
         * @description Something goes wrong with a shipment. Also sent when an exception is open again, because the tracking event that resolved it
         *     was voided.
         */
        ExceptionRaisedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["ExceptionEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "tracking.exception_raised";
        };
        /** @description The exception to raise. */
        ExceptionRequest: {
            code: components["schemas"]["KnownExceptionCode"];
            /** @description Description of what happened. */
            description?: string;
            /**
             * Format: date-time
             * @description The new estimated arrival; null if there is none any more. It is ignored if a newer position of the shipment is known.
             */
            eta?: string | null;
            location?: components["schemas"]["EventLocation"];
            /**
             * Format: date-time
             * @description When it happened, at most 5 minutes ahead of now.
             */
            occurred_at: string;
            /** @description Upload ids of kind `photo`. */
            photos?: components["schemas"]["UploadId"][];
        };
        /** @description The end of an exception. */
        ExceptionResolution: {
            /** @description How the exception ended. */
            resolution?: string;
            /**
             * Format: date-time
             * @description When the exception ended, at most 5 minutes ahead of now and not before it happened.
             */
            resolved_at: string;
        };
        /** @description An exception of a shipment has ended. */
        ExceptionResolvedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["ExceptionEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "tracking.exception_resolved";
        };
        /**
         * @description How serious an exception is.
         * @enum {string}
         */
        ExceptionSeverity: "low" | "medium" | "high";
        /**
         * @description What may happen next.
         * @enum {string}
         */
        ExceptionStep: "wait" | "reschedule" | "correct_address" | "return" | "claim";
        /** @description A request to void an exception. */
        ExceptionVoid: {
            /** @description Why the exception is wrong. */
            reason: string;
        };
        /** @description An exception of a shipment was voided, because it was raised by mistake. */
        ExceptionVoidedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["ExceptionEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "tracking.exception_voided";
        };
        /** @description An invalid field. */
        FieldError: {
            code: components["schemas"]["FieldErrorCode"];
            /** @description Explanation of the error. */
            detail: string;
            in: components["schemas"]["FieldErrorIn"];
            /** @description JSON pointer (RFC 6901) to the field within that part; empty for the part itself. */
            pointer: string;
        };
        /**
         * @description The kind of error in a field.
         * @enum {string}
         */
        FieldErrorCode: "required" | "unknown_field" | "wrong_type" | "not_allowed" | "invalid_format" | "too_long" | "too_short" | "out_of_range" | "duplicate" | "out_of_order" | "too_far_ahead" | "too_old" | "zero_coordinates" | "mismatch" | "unknown_upload";
        /**
         * @description The part of the request that contains the field.
         * @enum {string}
         */
        FieldErrorIn: "query" | "headers" | "body";
        /**
         * Format: binary
         * @description The bytes of a file.
         */
        FileBytes: string;
        /**
         * @description Purpose of the file.
         * @enum {string}
         */
        FileKind: "signature" | "photo" | "document";
        /**
         * Format: int32
         * @description Size of the file in bytes.
         */
        FileSize: number;
        /**
         * @description Signed token that permits one operation on one file until it expires.
         * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
         */
        FileToken: string;
        /**
         * @description Media type of the file. Only documents are `application/pdf` or `image/tiff`.
         * @enum {string}
         */
        FileType: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "image/tiff";
        /**
         * @description Class of less-than-truckload freight (NMFC).
         * @enum {string}
         */
        FreightClass: "50" | "55" | "60" | "65" | "70" | "77.5" | "85" | "92.5" | "100" | "110" | "125" | "150" | "175" | "200" | "250" | "300" | "400" | "500";
        /**
         * @description Class of less-than-truckload freight (NMFC), as text or as a number. Responses have it as text.
         * @enum {string|number}
         */
        FreightClassRequest: "50" | "55" | "60" | "65" | "70" | "77.5" | "85" | "92.5" | "100" | "110" | "125" | "150" | "175" | "200" | "250" | "300" | "400" | "500" | 50 | 55 | 60 | 65 | 70 | 77.5 | 85 | 92.5 | 100 | 110 | 125 | 150 | 175 | 200 | 250 | 300 | 400 | 500;
        /** @description What the shipping papers say of hazardous goods. */
        Hazmat: {
            /** @description Hazard class or division, such as `3`, `2.1` or `1.4S`. */
            class?: string;
            /** @description Phone number for emergencies. */
            emergency_phone?: string;
            /**
             * @description UN number, NA number of goods that are hazardous in North America only, or ID number of goods that only air transport regulates.
             * @example UN1263
             */
            id: string;
            packing_group?: components["schemas"]["PackingGroup"];
            /** @description Proper shipping name. */
            proper_shipping_name?: string;
        };
        /** @description What the shipping papers say of hazardous goods. */
        HazmatRequest: {
            /** @description Hazard class or division, such as `3`, `2.1` or `1.4S`. */
            class?: string;
            /** @description Phone number for emergencies. */
            emergency_phone?: string;
            /**
             * @description UN number, NA number of goods that are hazardous in North America only, or ID number of goods that only air transport regulates.
             * @example UN1263
             */
            id: string;
            packing_group?: components["schemas"]["KnownPackingGroup"];
            /** @description Proper shipping name. */
            proper_shipping_name?: string;
        };
        /**
         * Format: int32
         * @description Position of the item in `items` of the shipment, from 0.
         */
        ItemIndex: number;
        /**
         * @description A scope that an access can have.
         * @enum {string}
         */
        KnownAccessScope: "shipments:read" | "tracking:read" | "tracking:write" | "events:read";
        /**
         * @description The unit of `length`, `width` and `height`.
         * @enum {string}
         */
        KnownDimensionUnit: "cm" | "in";
        /**
         * @description What a document is. Accept types that this list does not have.
         * @enum {string}
         */
        KnownDocumentType: "bill_of_lading" | "proof_of_delivery" | "weight_ticket" | "invoice" | "photo" | "other";
        /**
         * @description Kind of vehicle or trailer.
         * @enum {string}
         */
        KnownEquipmentType: "dry_van" | "reefer" | "flatbed" | "step_deck" | "lowboy" | "conestoga" | "container" | "tanker" | "box_truck" | "cargo_van" | "hotshot" | "power_only" | "other";
        /**
         * @description What has changed.
         * @enum {string}
         */
        KnownEventType: "shipment.created" | "shipment.updated" | "shipment.destination_changed" | "shipment.cancelled" | "tracking.status_reached" | "tracking.event_voided" | "tracking.location_changed" | "tracking.eta_changed" | "tracking.exception_raised" | "tracking.exception_resolved" | "tracking.exception_voided" | "proof_of_delivery.submitted" | "document.added" | "document.removed" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
        /**
         * @description What goes wrong with a shipment. Accept codes that this list does not have.
         * @enum {string}
         */
        KnownExceptionCode: "weather_delay" | "traffic_delay" | "breakdown" | "facility_delay" | "appointment_missed" | "nobody_there" | "refused" | "address_wrong" | "closed" | "damaged" | "short" | "over" | "customs_hold" | "lost";
        /**
         * @description Purpose of the file.
         * @enum {string}
         */
        KnownFileKind: "signature" | "photo" | "document";
        /**
         * @description Media type of the file. Only documents are `application/pdf` or `image/tiff`.
         * @enum {string}
         */
        KnownFileType: "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "image/tiff";
        /**
         * @description How pieces are packed. An `ibc` is an intermediate bulk container, a `gaylord` a box of the size of a pallet.
         * @enum {string}
         */
        KnownPackaging: "pallet" | "skid" | "crate" | "box" | "carton" | "case" | "drum" | "barrel" | "pail" | "can" | "bag" | "bale" | "roll" | "bundle" | "coil" | "reel" | "tote" | "gaylord" | "ibc" | "tank" | "cylinder" | "tube" | "rack" | "slip_sheet" | "container" | "piece" | "loose" | "other";
        /**
         * @description How dangerous the goods are, from `I`, great danger, to `III`, minor danger.
         * @enum {string}
         */
        KnownPackingGroup: "I" | "II" | "III";
        /**
         * @description What a reference is the number of.
         * @enum {string}
         */
        KnownReferenceType: "purchase_order" | "bill_of_lading" | "pro" | "order" | "customer" | "appointment" | "other";
        /**
         * @description Status of a shipment.
         * @enum {string}
         */
        KnownShipmentStatus: "scheduled" | "dispatched" | "picked_up" | "in_transit" | "delivered" | "cancelled" | "returned" | "lost";
        /**
         * @description The kind of shipment.
         * @enum {string}
         */
        KnownShipmentType: "freight";
        /**
         * @description Degrees Celsius or Fahrenheit.
         * @enum {string}
         */
        KnownTemperatureUnit: "C" | "F";
        /**
         * @description Whether events are sent.
         * @enum {string}
         */
        KnownWebhookEndpointStatus: "enabled" | "disabled";
        /**
         * @description Kilograms or avoirdupois pounds. A pound is 0.45359237 kg.
         * @enum {string}
         */
        KnownWeightUnit: "kg" | "lb";
        /** @description Latitude in decimal degrees. */
        Latitude: number;
        /** @description One line of text with a visible character. */
        Line: string;
        /** @description A shipment in a list. Optional fields without a value are absent. */
        ListedShipment: {
            /** @description Reason for the cancellation. */
            cancellation_reason?: string;
            carrier?: components["schemas"]["Carrier"];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            declared_value?: components["schemas"]["DeclaredValue"];
            /** @description Time range for delivery. */
            delivery_window?: {
                /**
                 * Format: date-time
                 * @description End of the time range.
                 */
                end: string;
                /**
                 * Format: date-time
                 * @description Beginning of the time range.
                 */
                start: string;
            };
            destination: components["schemas"]["Address"];
            driver?: components["schemas"]["Driver"];
            equipment?: components["schemas"]["Equipment"];
            /** @description True if the proof of delivery needs the handover code; otherwise absent. */
            handover_code_required?: boolean;
            id: components["schemas"]["ShipmentId"];
            /** @description What is shipped. */
            items?: components["schemas"]["ShipmentItem"][];
            /** @description Free text handling instructions. */
            notes?: string;
            origin: components["schemas"]["Address"];
            pickup_window: components["schemas"]["PickupWindow"];
            reference?: components["schemas"]["Reference"];
            /** @description The numbers by which others know the shipment. */
            references?: components["schemas"]["ShipmentReference"][];
            service_level?: components["schemas"]["ServiceLevel"];
            signature_required?: components["schemas"]["SignatureRequired"];
            status: components["schemas"]["ShipmentStatus"];
            temperature?: components["schemas"]["Temperature"];
            totals?: components["schemas"]["ShipmentTotals"];
            /** @description The tracking status, with `include=tracking`. */
            tracking?: {
                /**
                 * @description The latest reported position; null until one is known, and for an access of the detail `status`. A position that
                 *     would take more than 1,200 km/h to reach is only stored, until more positions in a row are near it than were near the current one:
                 *     at least three, at most ten. What devices report by error never counts then, such as a
                 *     latitude with a turned sign. What does not count as `eta` does not count here.
                 */
                current_location: components["schemas"]["CurrentLocation"] | null;
                /**
                 * Format: date-time
                 * @description Estimated arrival; null until it is known. One that came with a voided entry or exception does not count, nor one of an earlier
                 *     carrier or of a driver who is not assigned any more.
                 */
                eta: string | null;
                /**
                 * @description What goes or went wrong: open exceptions first, each part in the order in which they were raised, without voided ones.
                 *     It is absent if there is none.
                 */
                exceptions?: components["schemas"]["ShipmentException"][];
                status: components["schemas"]["ShipmentStatus"];
                /**
                 * @description Every recorded status, by the time at which it was reached, oldest first, and of equal times by the order of the statuses. The
                 *     creation is first, unless another status was reached before; a whole minute or second is not before a time in it. An API key also gets voided entries, which do
                 *     not count; an access does not.
                 */
                timeline: components["schemas"]["TimelineEntry"][];
                tracking_number: components["schemas"]["TrackingNumber"];
            };
            tracking_number: components["schemas"]["TrackingNumber"];
            type: components["schemas"]["ShipmentType"];
            /**
             * Format: date-time
             * @description Time of the last change of the status or of a field.
             */
            updated_at: string;
        };
        /** @description A shipment has a new current location. */
        LocationChangedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["TrackingChangeEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "tracking.location_changed";
        };
        /** @description Longitude in decimal degrees. */
        Longitude: number;
        /**
         * @description How pieces are packed. An `ibc` is an intermediate bulk container, a `gaylord` a box of the size of a pallet.
         * @enum {string}
         */
        Packaging: "pallet" | "skid" | "crate" | "box" | "carton" | "case" | "drum" | "barrel" | "pail" | "can" | "bag" | "bale" | "roll" | "bundle" | "coil" | "reel" | "tote" | "gaylord" | "ibc" | "tank" | "cylinder" | "tube" | "rack" | "slip_sheet" | "container" | "piece" | "loose" | "other";
        /**
         * @description How dangerous the goods are, from `I`, great danger, to `III`, minor danger.
         * @enum {string}
         */
        PackingGroup: "I" | "II" | "III";
        /** @description Time range for pickup. */
        PickupWindow: {
            /**
             * Format: date-time
             * @description End of the time range.
             */
            end: string;
            /**
             * Format: date-time
             * @description Beginning of the time range.
             */
            start: string;
        };
        /** @description Time range for pickup. It may be in the past. An appointment has the same `start` and `end`. */
        PickupWindowRequest: {
            /**
             * Format: date-time
             * @description End of the time range, not before `start`.
             */
            end: string;
            /**
             * Format: date-time
             * @description Beginning of the time range.
             */
            start: string;
        };
        /** @description One page of a route, oldest position first. */
        PositionList: {
            /** @description The positions of this page. */
            data: components["schemas"]["CurrentLocation"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null if there is none. */
            next_cursor: string | null;
        };
        /** @description A position of the shipment. One with `lat` and `lng` 0, which devices without a fix report, is refused alone. */
        PositionReport: {
            /** @description Description of the location. */
            address?: string;
            lat: components["schemas"]["Latitude"];
            lng: components["schemas"]["Longitude"];
            /**
             * Format: date-time
             * @description Time of the position: at most 5 minutes ahead of now and not older than the retention time, which is 90 days unless
             *     the operator configures another time. A position with another time is refused alone.
             */
            updated_at: string;
        };
        /** @description What was stored of a request with positions. */
        PositionsAccepted: {
            /**
             * Format: int32
             * @description The number of positions of the request that were accepted.
             */
            accepted: number;
            /**
             * @description The positions of the request that were refused, each with its first error, whose `pointer` begins with
             *     `/positions/<index>`. Do not send them again. Absent if there is none.
             */
            refused?: components["schemas"]["FieldError"][];
        };
        /**
         * @description Positions of a shipment, in any order. Among equal timestamps the later element wins. Sending the same positions again
         *     has no effect.
         */
        PositionsRequest: {
            /**
             * Format: date-time
             * @description Estimated arrival; null if there is none any more. It is ignored after the end of the shipment, and unless the newest known position is among `positions`.
             */
            eta?: string | null;
            /** @description The positions. */
            positions: components["schemas"]["PositionReport"][];
        };
        /** @description An error (RFC 9457). */
        Problem: {
            /** @description The statuses that can be recorded now. */
            allowed?: components["schemas"]["ShipmentStatus"][];
            /** @description The fields that can be changed in the current status, as JSON pointers. */
            changeable?: string[];
            code: components["schemas"]["ProblemCode"];
            current_status?: components["schemas"]["ShipmentStatus"];
            /** @description Explanation specific to this occurrence. */
            detail: string;
            /** @description The entry of the timeline that has the status. */
            entry?: {
                /** @description Description of the event. For an access of the detail `status` it is the default one. */
                description: string;
                id: components["schemas"]["TrackingEventId"];
                /**
                 * Format: date-time
                 * @description When the service received it.
                 */
                recorded_at: string;
                status: components["schemas"]["ShipmentStatus"];
                /**
                 * Format: date-time
                 * @description Time of the change.
                 */
                timestamp: string;
                /** @description Why the entry was voided. */
                void_reason?: string;
                /**
                 * Format: date-time
                 * @description When the entry was voided. An entry that counts does not have it.
                 */
                voided_at?: string;
            };
            /** @description The invalid fields in the first part of the request that has any. */
            errors?: components["schemas"]["FieldError"][];
            /**
             * Format: uri-reference
             * @description The path of the request.
             */
            instance: string;
            /** @description Identifier of the request, as in `X-Request-Id`. */
            request_id: string;
            shipment_id?: components["schemas"]["ShipmentId"];
            /**
             * Format: int32
             * @description HTTP status code.
             */
            status: number;
            /** @description Short summary of the kind of problem. */
            title: string;
            /**
             * Format: uri
             * @description Identifies the kind of problem: the same URI for every Waybill service. It ends in the `code`, whose page in the docs
             *     is `/docs/errors/<code>`.
             */
            type: string;
        };
        /**
         * @description Machine-readable code of the problem.
         * @enum {string}
         */
        ProblemCode: "invalid_request" | "malformed_request" | "cursor_mismatch" | "unknown_upload" | "file_mismatch" | "unauthenticated" | "insufficient_scope" | "not_found" | "method_not_allowed" | "request_timeout" | "proof_not_available" | "invalid_transition" | "status_recorded" | "proof_submitted" | "void_not_allowed" | "tracking_event_limit_reached" | "change_not_allowed" | "signature_required" | "handover_code_required" | "handover_code_wrong" | "handover_code_locked" | "positions_not_accepted" | "uploads_not_accepted" | "exception_not_accepted" | "exception_limit_reached" | "exception_resolved" | "exception_void_not_allowed" | "reference_taken" | "webhook_limit_reached" | "access_limit_reached" | "document_limit_reached" | "idempotency_in_progress" | "file_conflict" | "link_expired" | "events_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "idempotency_key_reused" | "rate_limited" | "upload_limit_reached" | "storage_quota_exceeded" | "delivery_limit_reached" | "secret_limit_reached" | "too_many_streams" | "headers_too_large" | "internal_error" | "not_implemented" | "unavailable";
        /**
         * @description Evidence that a shipment was delivered, or returned to the shipper. `location` is where that was; it is absent if it was not
         *     reported.
         */
        ProofOfDelivery: {
            /**
             * Format: date-time
             * @description Time of the delivery.
             */
            delivered_at: string;
            /** @description The pieces that were counted, in the order of the request. Absent if none were. */
            items?: components["schemas"]["DeliveredItem"][];
            location?: components["schemas"]["Coordinates"];
            /** @description URLs of the delivery photos, valid as long as `signature_url`. An unattended delivery has at least one. */
            photos: string[];
            /** @description What the driver or the recipient noted. */
            remarks?: string;
            /**
             * Format: uri
             * @description URL of the signature image. It is valid for about an hour; read the proof again for a new one. Absent if and only if
             *     the delivery was unattended.
             */
            signature_url?: string;
            /** @description Name of the person who signed. Absent if and only if the delivery was unattended. */
            signed_by?: string;
            /**
             * @description `returned` if the freight was handed over to the shipper.
             * @enum {string}
             */
            status: "delivered" | "returned";
            /**
             * @description The codes of exceptions that fit what was counted: `short` if an item has fewer pieces than expected, `over` if one has
             *     more. Nothing is raised automatically: call `raiseException`. Absent if all counted pieces are as expected.
             */
            suggested_exceptions?: components["schemas"]["ExceptionCode"][];
            tracking_number: components["schemas"]["TrackingNumber"];
            /** @description True if nobody signed for the delivery; otherwise absent. */
            unattended?: boolean;
        };
        /**
         * @description The proof of the end of a shipment. It has `signed_by` and `signature`, or `unattended: true` and at least
         *     one photo, but not both. `location` is where the delivery was made: omit it if it is not known, for example in a hall.
         */
        ProofOfDeliveryRequest: {
            /**
             * Format: date-time
             * @description Time of the delivery or return, at most 5 minutes ahead of now.
             */
            delivered_at: string;
            /**
             * @description The code that the consignee says. Required for a delivery if the shipment has `handover_code_required`, else ignored.
             *     After five wrong codes the shipment is locked.
             * @example 4821
             */
            handover_code?: string;
            /**
             * @description The pieces that were counted, for some or all items of the shipment. An item that the shipment does not have, or that is
             *     named twice, returns 400.
             */
            items?: components["schemas"]["DeliveredItemRequest"][];
            location?: components["schemas"]["CoordinatesRequest"];
            /** @description Upload ids of kind `photo`. An unattended delivery requires at least one. */
            photos?: components["schemas"]["UploadId"][];
            /** @description What the driver or the recipient notes, such as visible damage. */
            remarks?: string;
            /**
             * @description Upload id of kind `signature`. Required, unless the delivery is unattended.
             * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
             */
            signature?: string;
            /** @description Name of the person who signed. Required, unless the delivery is unattended. */
            signed_by?: string;
            /**
             * @description `delivered`, the default, or `returned` for freight that was handed over to the shipper. It is recorded, unless it is
             *     recorded already.
             * @default delivered
             * @enum {string}
             */
            status?: "delivered" | "returned";
            /** @description Whether the freight is left without a signature. Not possible for a delivery with `signature_required`. */
            unattended?: boolean;
        };
        /** @description The proof of delivery was submitted. Read it with `getProofOfDelivery`. */
        ProofSubmittedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["TrackingEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "proof_of_delivery.submitted";
        };
        /** @description An upload, with the request that sends the bytes of the file. */
        ProofUpload: {
            /**
             * Format: date-time
             * @description Time at which `upload_url` expires, 15 minutes after it was created.
             */
            expires_at: string;
            /** @description Headers to send with the bytes. */
            headers: {
                [key: string]: string;
            };
            /**
             * @description HTTP method to use.
             * @constant
             */
            method: "PUT";
            upload_id: components["schemas"]["UploadId"];
            /**
             * Format: uri
             * @description URL to send the bytes to. It needs no API key.
             */
            upload_url: string;
        };
        /** @description The unfinished uploads of a shipment. */
        ProofUploadList: {
            /** @description The uploads, oldest first. */
            data: components["schemas"]["UnfinishedUpload"][];
        };
        /** @description The file to upload. */
        ProofUploadRequest: {
            content_type: components["schemas"]["KnownFileType"];
            kind: components["schemas"]["KnownFileKind"];
            /**
             * @description SHA-256 of the bytes, in lower-case hexadecimal.
             * @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
             */
            sha256: string;
            /**
             * Format: int32
             * @description Size in bytes. A signature or a photo has at most 10 MiB, a document at most 20 MiB.
             */
            size: number;
        };
        /** @description The shipper's own reference, unique among the account's shipments that have not ended. */
        Reference: string;
        /**
         * @description What a reference is the number of.
         * @enum {string}
         */
        ReferenceType: "purchase_order" | "bill_of_lading" | "pro" | "order" | "customer" | "appointment" | "other";
        /**
         * Format: date-time
         * @description A timestamp (RFC 3339) with an offset, of the years 1000 to 2999 and without a leap second.
         */
        RequestTimestamp: string;
        /** @description The carrier's name of the service, such as `Expedited`. */
        ServiceLevel: string;
        /** @description A shipment. Optional fields without a value are absent. */
        Shipment: {
            /** @description Reason for the cancellation. */
            cancellation_reason?: string;
            carrier?: components["schemas"]["Carrier"];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            declared_value?: components["schemas"]["DeclaredValue"];
            /** @description Time range for delivery. */
            delivery_window?: {
                /**
                 * Format: date-time
                 * @description End of the time range.
                 */
                end: string;
                /**
                 * Format: date-time
                 * @description Beginning of the time range.
                 */
                start: string;
            };
            destination: components["schemas"]["Address"];
            driver?: components["schemas"]["Driver"];
            equipment?: components["schemas"]["Equipment"];
            /** @description True if the proof of delivery needs the handover code; otherwise absent. */
            handover_code_required?: boolean;
            id: components["schemas"]["ShipmentId"];
            /** @description What is shipped. */
            items?: components["schemas"]["ShipmentItem"][];
            /** @description Free text handling instructions. */
            notes?: string;
            origin: components["schemas"]["Address"];
            pickup_window: components["schemas"]["PickupWindow"];
            reference?: components["schemas"]["Reference"];
            /** @description The numbers by which others know the shipment. */
            references?: components["schemas"]["ShipmentReference"][];
            service_level?: components["schemas"]["ServiceLevel"];
            signature_required?: components["schemas"]["SignatureRequired"];
            status: components["schemas"]["ShipmentStatus"];
            temperature?: components["schemas"]["Temperature"];
            totals?: components["schemas"]["ShipmentTotals"];
            tracking_number: components["schemas"]["TrackingNumber"];
            type: components["schemas"]["ShipmentType"];
            /**
             * Format: date-time
             * @description Time of the last change of the status or of a field.
             */
            updated_at: string;
        };
        /** @description A shipment was cancelled. */
        ShipmentCancelledEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["ShipmentEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "shipment.cancelled";
        };
        /**
         * @description Changes of a shipment (RFC 7396). Absent fields stay the same, and null removes an optional one. An object changes the
         *     fields that it has; `items`, `references`, `declared_value`, `temperature` and time ranges are replaced as a whole.
         */
        ShipmentChanges: {
            carrier?: components["schemas"]["CarrierChanges"];
            declared_value?: components["schemas"]["DeclaredValueRequest"];
            delivery_window?: components["schemas"]["DeliveryWindowRequest"];
            destination?: components["schemas"]["AddressChanges"];
            driver?: components["schemas"]["DriverRequest"];
            equipment?: components["schemas"]["EquipmentRequest"];
            /**
             * @description A code that the proof of delivery must have. Another one ends the lock after five wrong codes.
             * @example 4821
             */
            handover_code?: string | null;
            /** @description What is shipped. */
            items?: components["schemas"]["ShipmentItemRequest"][] | null;
            /** @description Free text handling instructions. */
            notes?: string | null;
            origin?: components["schemas"]["AddressChanges"];
            pickup_window?: components["schemas"]["PickupWindowRequest"];
            /** @description The shipper's own reference, unique among the account's shipments that have not ended. */
            reference?: string | null;
            /** @description The numbers by which others know the shipment. */
            references?: components["schemas"]["ShipmentReferenceRequest"][] | null;
            /** @description The carrier's name of the service, such as `Expedited`. */
            service_level?: string | null;
            /** @description Whether the delivery must be signed for. */
            signature_required?: boolean | null;
            temperature?: components["schemas"]["TemperatureChanges"];
        };
        /** @description A shipment was created. */
        ShipmentCreatedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["ShipmentEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "shipment.created";
        };
        /** @description The shipment after the change. */
        ShipmentEventData: {
            shipment: components["schemas"]["Shipment"];
        };
        /**
         * @description Something that goes wrong with a shipment. It does not change the status. `shipment_status` is the status when it was
         *     raised: an exception of a shipment that is `dispatched` concerns the pickup, a later one the delivery. An access of the
         *     detail `status` does not get `description`, `location`, `resolution` and `void_reason`.
         */
        ShipmentException: {
            /**
             * @description The access that raised it. Absent if an API key did, and for another access.
             * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
             */
            access_id?: string;
            code: components["schemas"]["ExceptionCode"];
            /** @description Description of what happened. */
            description?: string;
            /**
             * Format: date-time
             * @description The estimated arrival that was reported with the exception.
             */
            eta?: string;
            id: components["schemas"]["ExceptionId"];
            location?: components["schemas"]["ExceptionLocation"];
            /** @description What may happen next. */
            next_steps: components["schemas"]["ExceptionStep"][];
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /**
             * Format: int32
             * @description The number of photos. `getException` returns their URLs.
             */
            photo_count: number;
            /** @description How the exception ended. */
            resolution?: string;
            /**
             * Format: date-time
             * @description When the exception ended. An open exception does not have it.
             */
            resolved_at?: string;
            responsible_party: components["schemas"]["ExceptionParty"];
            severity: components["schemas"]["ExceptionSeverity"];
            shipment_status: components["schemas"]["ShipmentStatus"];
            /** @description Why the exception was voided. */
            void_reason?: string;
            /**
             * Format: date-time
             * @description When the exception was voided. One that counts does not have it.
             */
            voided_at?: string;
        };
        /** @description An exception with the URLs of its photos. */
        ShipmentExceptionWithPhotos: {
            /**
             * @description The access that raised it. Absent if an API key did, and for another access.
             * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
             */
            access_id?: string;
            code: components["schemas"]["ExceptionCode"];
            /** @description Description of what happened. */
            description?: string;
            /**
             * Format: date-time
             * @description The estimated arrival that was reported with the exception.
             */
            eta?: string;
            id: components["schemas"]["ExceptionId"];
            location?: components["schemas"]["ExceptionLocation"];
            /** @description What may happen next. */
            next_steps: components["schemas"]["ExceptionStep"][];
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /**
             * Format: int32
             * @description The number of photos. `getException` returns their URLs.
             */
            photo_count: number;
            /**
             * @description URLs of the photos. They are valid for about an hour; read the exception again for new ones. An access of another
             *     detail than `proof` gets none.
             */
            photos: string[];
            /** @description How the exception ended. */
            resolution?: string;
            /**
             * Format: date-time
             * @description When the exception ended. An open exception does not have it.
             */
            resolved_at?: string;
            responsible_party: components["schemas"]["ExceptionParty"];
            severity: components["schemas"]["ExceptionSeverity"];
            shipment_status: components["schemas"]["ShipmentStatus"];
            /** @description Why the exception was voided. */
            void_reason?: string;
            /**
             * Format: date-time
             * @description When the exception was voided. One that counts does not have it.
             */
            voided_at?: string;
        };
        /**
         * @description Identifier of a shipment.
         * @example ship_01kjpx8p02fabr24pa3eywnyp2
         */
        ShipmentId: string;
        /** @description Pieces of one kind. */
        ShipmentItem: {
            /** @description What the pieces are. */
            description: string;
            dimension_unit?: components["schemas"]["DimensionUnit"];
            freight_class?: components["schemas"]["FreightClass"];
            hazmat?: components["schemas"]["Hazmat"];
            /** @description Height of a piece. */
            height?: number;
            /** @description Length of a piece. */
            length?: number;
            packaging?: components["schemas"]["Packaging"];
            /**
             * Format: int32
             * @description The number of pieces.
             */
            pieces: number;
            weight: components["schemas"]["Weight"];
            /** @description Width of a piece. */
            width?: number;
        };
        /** @description Pieces of one kind. `dimension_unit` is required with `length`, `width` or `height`. */
        ShipmentItemRequest: {
            /** @description What the pieces are. */
            description: string;
            dimension_unit?: components["schemas"]["KnownDimensionUnit"];
            freight_class?: components["schemas"]["FreightClassRequest"];
            hazmat?: components["schemas"]["HazmatRequest"];
            /** @description Height of a piece. */
            height?: number;
            /** @description Length of a piece. */
            length?: number;
            packaging?: components["schemas"]["KnownPackaging"];
            /**
             * Format: int32
             * @description The number of pieces.
             */
            pieces: number;
            weight: components["schemas"]["WeightRequest"];
            /** @description Width of a piece. */
            width?: number;
        };
        /** @description One page of shipments, newest first. */
        ShipmentList: {
            /** @description The shipments of this page. */
            data: components["schemas"]["ListedShipment"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null if there is none. */
            next_cursor: string | null;
            /**
             * Format: int32
             * @description With the parameter `total_count`, how many shipments match the filters, on all pages. They are counted up to 10,000:
             *     this value means 10,000 or more.
             */
            total_count?: number;
        };
        /** @description A number by which somebody knows the shipment. Several shipments may have the same one. */
        ShipmentReference: {
            type: components["schemas"]["ReferenceType"];
            /** @description The number. */
            value: string;
        };
        /** @description A number by which somebody knows the shipment. Several shipments may have the same one. */
        ShipmentReferenceRequest: {
            type: components["schemas"]["KnownReferenceType"];
            /** @description The number. */
            value: string;
        };
        /** @description The shipment to create. An optional field that is null is as if it were absent. */
        ShipmentRequest: {
            carrier?: components["schemas"]["CarrierRequest"];
            declared_value?: components["schemas"]["DeclaredValueRequest"];
            delivery_window?: components["schemas"]["DeliveryWindowRequest"];
            destination: components["schemas"]["AddressRequest"];
            driver?: components["schemas"]["DriverRequest"];
            equipment?: components["schemas"]["EquipmentRequest"];
            /**
             * @description A code that the proof of delivery must have.
             * @example 4821
             */
            handover_code?: string | null;
            /** @description What is shipped. */
            items?: components["schemas"]["ShipmentItemRequest"][] | null;
            /** @description Free text handling instructions. */
            notes?: string | null;
            origin: components["schemas"]["AddressRequest"];
            pickup_window: components["schemas"]["PickupWindowRequest"];
            /** @description The shipper's own reference, unique among the account's shipments that have not ended. */
            reference?: string | null;
            /** @description The numbers by which others know the shipment. */
            references?: components["schemas"]["ShipmentReferenceRequest"][] | null;
            /** @description The carrier's name of the service, such as `Expedited`. */
            service_level?: string | null;
            /** @description Whether the delivery must be signed for. Without it, an unattended delivery is possible. */
            signature_required?: boolean | null;
            temperature?: components["schemas"]["TemperatureRequest"];
            type: components["schemas"]["KnownShipmentType"];
        };
        /**
         * @description Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
         *     some can be skipped.
         * @enum {string}
         */
        ShipmentStatus: "scheduled" | "dispatched" | "picked_up" | "in_transit" | "delivered" | "cancelled" | "returned" | "lost";
        /**
         * @description The sums over all items. Weights are rounded to thousandths; those of items in another unit than the first item are
         *     converted.
         */
        ShipmentTotals: {
            /**
             * Format: int32
             * @description The number of pieces.
             */
            pieces: number;
            weight: components["schemas"]["TotalWeight"];
            /** @description The weight in kilograms. */
            weight_kg: number;
            /** @description The weight in pounds. */
            weight_lb: number;
        };
        /**
         * @description The kind of shipment.
         * @enum {string}
         */
        ShipmentType: "freight";
        /** @description Fields of a shipment were changed by `updateShipment` or `updateTracking`. */
        ShipmentUpdatedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["ShipmentEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "shipment.updated";
        };
        /** @description A shipment with its handover code and the phone of the dispatcher, which no other response has. */
        ShipmentWithHandoverCode: {
            /** @description Reason for the cancellation. */
            cancellation_reason?: string;
            carrier?: components["schemas"]["Carrier"];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            created_at: string;
            declared_value?: components["schemas"]["DeclaredValue"];
            /** @description Time range for delivery. */
            delivery_window?: {
                /**
                 * Format: date-time
                 * @description End of the time range.
                 */
                end: string;
                /**
                 * Format: date-time
                 * @description Beginning of the time range.
                 */
                start: string;
            };
            destination: components["schemas"]["Address"];
            /** @description The phone of the dispatcher, if the operator of the service has set one. It is shown to an access of the kind `drive`. */
            dispatcher_phone?: string;
            driver?: components["schemas"]["Driver"];
            equipment?: components["schemas"]["Equipment"];
            /**
             * @description The code that the consignee says to the driver. It is shown to keys with the scope `shipments:write`, and to an
             *     access of the kind `track` with the detail `proof`.
             * @example 4821
             */
            handover_code?: string;
            /** @description True if the proof of delivery needs the handover code; otherwise absent. */
            handover_code_required?: boolean;
            id: components["schemas"]["ShipmentId"];
            /** @description What is shipped. */
            items?: components["schemas"]["ShipmentItem"][];
            /** @description Free text handling instructions. */
            notes?: string;
            origin: components["schemas"]["Address"];
            pickup_window: components["schemas"]["PickupWindow"];
            reference?: components["schemas"]["Reference"];
            /** @description The numbers by which others know the shipment. */
            references?: components["schemas"]["ShipmentReference"][];
            service_level?: components["schemas"]["ServiceLevel"];
            signature_required?: components["schemas"]["SignatureRequired"];
            status: components["schemas"]["ShipmentStatus"];
            temperature?: components["schemas"]["Temperature"];
            totals?: components["schemas"]["ShipmentTotals"];
            tracking_number: components["schemas"]["TrackingNumber"];
            type: components["schemas"]["ShipmentType"];
            /**
             * Format: date-time
             * @description Time of the last change of the status or of a field.
             */
            updated_at: string;
        };
        /** @description Whether the delivery must be signed for. Without it, an unattended delivery is possible. */
        SignatureRequired: boolean;
        /**
         * @description A status of a shipment was recorded, perhaps late: its `status` is the furthest one. Its creation and its cancellation have
         *     events of their own.
         */
        StatusReachedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["TrackingEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "tracking.status_reached";
        };
        /** @description The temperatures at which the freight is carried. It has at least one of `min` and `max`. */
        Temperature: {
            /** @description The highest temperature, not below `min`. */
            max?: number;
            /** @description The lowest temperature. */
            min?: number;
            unit: components["schemas"]["TemperatureUnit"];
        };
        /** @description The temperatures at which the freight is carried. At least one of `min` and `max` is a number, and null means none. */
        TemperatureChanges: {
            /** @description The highest temperature, not below `min`. */
            max: number | null;
            /** @description The lowest temperature. */
            min: number | null;
            unit: components["schemas"]["KnownTemperatureUnit"];
        } | null;
        /** @description The temperatures at which the freight is carried. At least one of `min` and `max` is required. */
        TemperatureRequest: {
            /** @description The highest temperature, not below `min`. */
            max?: number | null;
            /** @description The lowest temperature. */
            min?: number | null;
            unit: components["schemas"]["KnownTemperatureUnit"];
        } | null;
        /**
         * @description Degrees Celsius or Fahrenheit.
         * @enum {string}
         */
        TemperatureUnit: "C" | "F";
        /** @description A status that was reached. */
        TimelineEntry: {
            /** @description Description of the event. For an access of the detail `status` it is the default one. */
            description: string;
            id: components["schemas"]["TrackingEventId"];
            /**
             * Format: date-time
             * @description When the service received it.
             */
            recorded_at: string;
            status: components["schemas"]["ShipmentStatus"];
            /**
             * Format: date-time
             * @description Time of the change.
             */
            timestamp: string;
            /** @description Why the entry was voided. */
            void_reason?: string;
            /**
             * Format: date-time
             * @description When the entry was voided. An entry that counts does not have it.
             */
            voided_at?: string;
        };
        /** @description The weight in the unit of the first item. */
        TotalWeight: {
            unit: components["schemas"]["WeightUnit"];
            /** @description The weight in `unit`. */
            value: number;
        };
        /** @description The current location and the estimated arrival of a shipment, after one of them has changed. */
        TrackingChange: {
            /** @description The latest reported position; null until one is known. */
            current_location: components["schemas"]["CurrentLocation"] | null;
            /**
             * Format: date-time
             * @description Estimated arrival; null until it is known.
             */
            eta: string | null;
            shipment_id: components["schemas"]["ShipmentId"];
            status: components["schemas"]["ShipmentStatus"];
            tracking_number: components["schemas"]["TrackingNumber"];
        };
        /** @description The changed parts of the tracking status after the change. */
        TrackingChangeEventData: {
            tracking_change: components["schemas"]["TrackingChange"];
        };
        /**
         * @description What the carrier says of the transport (RFC 7396). Absent fields stay the same, null removes one, and an object changes
         *     the fields that it has.
         */
        TrackingChanges: {
            driver?: components["schemas"]["DriverRequest"];
            equipment?: components["schemas"]["EquipmentRequest"];
            /** @description The carrier's number of the shipment. It becomes the only one of the type `pro` among its `references`. */
            pro?: string | null;
        };
        /** @description What the carrier has said of the transport. Fields without a value are absent. */
        TrackingDetails: {
            driver?: components["schemas"]["Driver"];
            equipment?: components["schemas"]["Equipment"];
            /** @description The carrier's number of the shipment, the first of the type `pro` among its `references`. */
            pro?: string;
            status: components["schemas"]["ShipmentStatus"];
            tracking_number: components["schemas"]["TrackingNumber"];
        };
        /** @description The tracking status after the change. */
        TrackingEventData: {
            tracking: components["schemas"]["TrackingStatus"];
        };
        /**
         * @description Identifier of an entry of the timeline.
         * @example tev_01kjtak8hae8ksr7y1b2c3d4e5
         */
        TrackingEventId: string;
        /** @description A status that the shipment has reached. */
        TrackingEventRequest: {
            /** @description Description of the event. The default depends on the status. */
            description?: string;
            /**
             * Format: date-time
             * @description Estimated arrival; null if there is none any more. It is ignored if a newer position of the shipment is known.
             */
            eta?: string | null;
            location?: components["schemas"]["EventLocation"];
            status: components["schemas"]["EventStatus"];
            /**
             * Format: date-time
             * @description Time at which the status was reached: at most 5 minutes ahead of now, and not later than the end of the shipment. It may be
             *     before other events and before the creation of the shipment.
             */
            timestamp: string;
        };
        /** @description An entry of a timeline was voided. The shipment may have another status. */
        TrackingEventVoidedEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["TrackingEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "tracking.event_voided";
        };
        /**
         * @description A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
         * @example FRT-2026-000142
         */
        TrackingNumber: string;
        /** @description Status, estimated arrival, current location and timeline of a shipment. */
        TrackingStatus: {
            /**
             * @description The latest reported position; null until one is known, and for an access of the detail `status`. A position that
             *     would take more than 1,200 km/h to reach is only stored, until more positions in a row are near it than were near the current one:
             *     at least three, at most ten. What devices report by error never counts then, such as a
             *     latitude with a turned sign. What does not count as `eta` does not count here.
             */
            current_location: components["schemas"]["CurrentLocation"] | null;
            /**
             * Format: date-time
             * @description Estimated arrival; null until it is known. One that came with a voided entry or exception does not count, nor one of an earlier
             *     carrier or of a driver who is not assigned any more.
             */
            eta: string | null;
            /**
             * @description What goes or went wrong: open exceptions first, each part in the order in which they were raised, without voided ones.
             *     It is absent if there is none.
             */
            exceptions?: components["schemas"]["ShipmentException"][];
            status: components["schemas"]["ShipmentStatus"];
            /**
             * @description Every recorded status, by the time at which it was reached, oldest first, and of equal times by the order of the statuses. The
             *     creation is first, unless another status was reached before; a whole minute or second is not before a time in it. An API key also gets voided entries, which do
             *     not count; an access does not.
             */
            timeline: components["schemas"]["TimelineEntry"][];
            tracking_number: components["schemas"]["TrackingNumber"];
        };
        /** @description An upload that is not part of a proof or an exception, and no document. */
        UnfinishedUpload: {
            /**
             * @description The access that created it. Absent if an API key did.
             * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
             */
            access_id?: string;
            content_type: components["schemas"]["FileType"];
            /**
             * Format: date-time
             * @description Time of the creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends. It is later once the bytes have arrived.
             */
            ends_at: string;
            kind: components["schemas"]["FileKind"];
            /**
             * Format: date-time
             * @description When its bytes had arrived. Absent before.
             */
            received_at?: string;
            size: components["schemas"]["FileSize"];
            upload_id: components["schemas"]["UploadId"];
        };
        /**
         * @description Identifier of an upload.
         * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
         */
        UploadId: string;
        /** @description A request to void an entry of the timeline. */
        VoidRequest: {
            /** @description Why the entry is wrong. */
            reason: string;
        };
        /** @description The last request to the endpoint; absent before the first. */
        WebhookAttempt: {
            /**
             * Format: int32
             * @description Milliseconds until the end of the response.
             */
            duration_ms: number;
            /** @description Why there was no complete response; absent if there was one. */
            error?: string;
            response?: components["schemas"]["WebhookResponse"];
            /**
             * Format: date-time
             * @description Time of the request. `webhook-timestamp` has its seconds.
             */
            timestamp: string;
            /**
             * @description URL of the request. Its body is the event.
             * @example https://shop.example.com/hooks/waybill
             */
            url: string;
        };
        /** @description The sending of an event to a webhook endpoint. */
        WebhookDelivery: {
            /**
             * Format: int32
             * @description Number of attempts so far.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description Time at which the event was queued for the endpoint.
             */
            created_at: string;
            event: components["schemas"]["Event"];
            id: components["schemas"]["WebhookDeliveryId"];
            last_attempt?: components["schemas"]["WebhookAttempt"];
            /**
             * Format: date-time
             * @description Time of the next attempt. Absent if there is none, or if the delivery waits for an earlier event of its shipment.
             */
            next_attempt_at?: string;
            status: components["schemas"]["WebhookDeliveryStatus"];
        };
        /**
         * @description Identifier of a delivery.
         * @example whd_01kjpx8p1pe3br6jq5y2v9s4tg
         */
        WebhookDeliveryId: string;
        /** @description One page of deliveries, newest first. */
        WebhookDeliveryList: {
            /** @description The deliveries of this page. */
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null if there is none. */
            next_cursor: string | null;
        };
        /**
         * @description Status of a delivery.
         * @enum {string}
         */
        WebhookDeliveryStatus: "pending" | "delivered" | "failed";
        /** @description A webhook endpoint was disabled because its deliveries failed. */
        WebhookDisabledEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["WebhookEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "webhook_endpoint.disabled";
        };
        /**
         * @description Why the endpoint is disabled; absent if it is enabled.
         * @enum {string}
         */
        WebhookDisabledReason: "requested" | "gone" | "failing";
        /** @description A URL to which events are sent. */
        WebhookEndpoint: {
            /**
             * Format: date-time
             * @description Time of the creation.
             */
            created_at: string;
            /** @description What the endpoint is for. May be empty. */
            description: string;
            disabled_reason?: components["schemas"]["WebhookDisabledReason"];
            id: components["schemas"]["WebhookEndpointId"];
            status: components["schemas"]["WebhookEndpointStatus"];
            /** @description Types of events that are sent. Empty for all, including new ones. */
            types: components["schemas"]["EventType"][];
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            url: components["schemas"]["WebhookUrl"];
        };
        /** @description Changes of a webhook endpoint (RFC 7396). Absent fields stay the same. */
        WebhookEndpointChanges: {
            /** @description What the endpoint is for. Null removes it. */
            description?: string | null;
            status?: components["schemas"]["KnownWebhookEndpointStatus"];
            /** @description Types of events that are sent. Empty or null for all, including new ones. */
            types?: components["schemas"]["KnownEventType"][] | null;
            url?: components["schemas"]["WebhookUrl"];
        };
        /**
         * @description Identifier of a webhook endpoint.
         * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
         */
        WebhookEndpointId: string;
        /** @description All webhook endpoints of the account. */
        WebhookEndpointList: {
            /** @description The endpoints, oldest first. */
            data: components["schemas"]["WebhookEndpoint"][];
        };
        /** @description A request to create a webhook endpoint. */
        WebhookEndpointRequest: {
            /** @description What the endpoint is for. */
            description?: string;
            /** @description Types of events that are sent. Empty for all, including new ones. */
            types?: components["schemas"]["KnownEventType"][];
            url: components["schemas"]["WebhookUrl"];
        };
        /**
         * @description Whether events are sent.
         * @enum {string}
         */
        WebhookEndpointStatus: "enabled" | "disabled";
        /** @description A webhook endpoint with its secret, which no other response has. */
        WebhookEndpointWithSecret: {
            /**
             * Format: date-time
             * @description Time of the creation.
             */
            created_at: string;
            /** @description What the endpoint is for. May be empty. */
            description: string;
            disabled_reason?: components["schemas"]["WebhookDisabledReason"];
            id: components["schemas"]["WebhookEndpointId"];
            /** @description Signs the events (Standard Webhooks). Store it where you verify them. */
            secret: string;
            status: components["schemas"]["WebhookEndpointStatus"];
            /** @description Types of events that are sent. Empty for all, including new ones. */
            types: components["schemas"]["EventType"][];
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            url: components["schemas"]["WebhookUrl"];
        };
        /** @description The webhook endpoint after the change. */
        WebhookEventData: {
            webhook_endpoint: components["schemas"]["WebhookEndpoint"];
        };
        /** @description The time range whose events are sent again. */
        WebhookReplay: {
            /**
             * Format: date-time
             * @description Start of the range.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, exclusive.
             */
            to: string;
        };
        /** @description The time range of the events to send again. */
        WebhookReplayRequest: {
            /**
             * Format: date-time
             * @description Start of the range. Events are retained for 30 days.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, exclusive.
             */
            to: string;
        };
        /** @description The response to an attempt; absent if there was none. */
        WebhookResponse: {
            /** @description The first 1000 characters of the body. */
            body: string;
            /**
             * Format: int32
             * @description HTTP status.
             */
            status: number;
        };
        /** @description A request for a new secret. */
        WebhookSecretRotation: {
            /**
             * Format: int32
             * @description Hours for which events are also signed with the previous secret, so that you can replace it meanwhile. Use 0 if a secret
             *     has become known: then the new one alone signs.
             * @default 24
             */
            previous_valid_hours?: number;
        };
        /** @description A test of a webhook endpoint. It is sent to that endpoint only and is not in the list of events. */
        WebhookTestEvent: {
            /**
             * Format: date-time
             * @description Time of the change.
             */
            created_at: string;
            data: components["schemas"]["WebhookEventData"];
            id: components["schemas"]["EventId"];
            /**
             * @description What has changed.
             * @constant
             */
            type: "webhook_endpoint.test";
        };
        /**
         * @description URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
         *     1024. It must have no user name, password or fragment. Responses have it as the URL standard writes it: an international
         *     name in Punycode, other characters percent-encoded.
         * @example https://shop.example.com/hooks/waybill
         */
        WebhookUrl: string;
        /** @description Weight of all these pieces together, in the unit in which it was stated. */
        Weight: {
            unit: components["schemas"]["WeightUnit"];
            /** @description The weight in `unit`. */
            value: number;
        };
        /** @description Weight of all these pieces together. */
        WeightRequest: {
            unit: components["schemas"]["KnownWeightUnit"];
            /** @description The weight in `unit`. */
            value: number;
        };
        /**
         * @description Kilograms or avoirdupois pounds. A pound is 0.45359237 kg.
         * @enum {string}
         */
        WeightUnit: "kg" | "lb";
    };
    responses: {
        /** @description A query parameter is unknown, or `If-None-Match` or `If-Match` is not a list of ETags. */
        BadConditionalRequest: {
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
        /** @description A query parameter is invalid. */
        BadEventsRequest: {
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
        /** @description The bytes do not match the upload. */
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
        /** @description A query parameter is invalid, or the cursor does not match the filters. */
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
        /** @description The request is invalid, or an upload cannot be used. */
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
        /** @description The request is invalid or malformed. */
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
        /** @description The current status does not allow the change of a field, or another shipment has the new reference. */
        ChangeConflict: {
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
        /** @description The current status does not allow the change of a field. */
        ChangeNotAllowed: {
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
        /**
         * @description What is recorded does not allow the proof, the shipper requires a signature or a handover code, or the first request with
         *     this key is still running.
         */
        DeliveryNotAllowed: {
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
        /**
         * @description The shipment has the maximum number of documents, its delivery cannot be recorded by a document, or the first request with this
         *     key is still running.
         */
        DocumentNotAdded: {
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
        /**
         * @description The status is recorded already, or contradicts what is recorded, or the shipper requires a proof, or the first request with
         *     this key is still running.
         */
        EventNotAccepted: {
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
        /** @description The list does not contain the event of `after` any more. */
        EventsExpired: {
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
        /** @description The shipment does not accept this exception or no further one, or the first request with this key is still running. */
        ExceptionNotAccepted: {
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
        /** @description The exception was resolved or voided before, or the first request with this key is still running. */
        ExceptionResolved: {
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
        /** @description The exception cannot be voided, or the first request with this key is still running. */
        ExceptionVoidNotAllowed: {
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
        /** @description Other bytes are already stored for this upload. */
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
        /** @description The API key or the access token lacks the scope, or the access its detail. */
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
        /** @description The first request with this key is still running. */
        IdempotencyInProgress: {
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
        /** @description The `Idempotency-Key` was used for another request. */
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
        /** @description An error in the service. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description What is recorded does not allow this status, or the first request with this key is still running. */
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
        /** @description The signed URL has expired. */
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
        /** @description The account has no such resource. */
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
        /** @description The account has no such resource. */
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
        /** @description The resource has not changed; one of the ETags in `If-None-Match` is current. */
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
        /** @description The shipment is scheduled or cancelled, or the first request with this key is still running. */
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
        /** @description The resource has changed; no ETag in `If-Match` is current. */
        PreconditionFailed: {
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
        /** @description The account has no such shipment, or the shipment has no proof. */
        ProofNotFound: {
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
        /** @description The service is temporarily unavailable. */
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
        /** @description The shipment has the maximum number of accesses, or the first request with this key is still running. */
        TooManyAccesses: {
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
        /** @description The rate limit or the limit of pending deliveries or replays is reached. */
        TooManyDeliveries: {
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
        /** @description The rate limit is used up. */
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
        /** @description The rate limit or the limit of secrets is reached. */
        TooManySecrets: {
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
        /** @description The rate limit or the limit of open streams is reached. */
        TooManyStreams: {
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
        /** @description The rate limit, the limit of unfinished uploads or the storage limit is reached. */
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
        /** @description The account has the maximum number of webhook endpoints, or the first request with this key is still running. */
        TooManyWebhookEndpoints: {
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
        /** @description The API key or the access token is missing or invalid. */
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
        /** @description The operation does not accept this content type, or the body has a content coding, such as gzip. */
        UnsupportedMediaType: {
            headers: {
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The shipment is cancelled or lost and accepts only documents, or the first request with this key is still running. */
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
        /** @description The entry cannot be voided, another shipment has its reference meanwhile, or the first request with this key is still running. */
        VoidNotAllowed: {
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
         * @description The access's `id`.
         * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
         */
        AccessIdParameter: components["schemas"]["AccessId"];
        /**
         * @description The `next_after` of the previous response, or the `id` of an event of the list. Only later events are returned. Without it, the list
         *     starts with the oldest event that is retained.
         */
        AfterParameter: components["schemas"]["EventId"];
        /** @description Only shipments whose `carrier` has this SCAC. */
        CarrierScacParameter: string;
        /** @description The `next_cursor` of the previous page. Send the same filters with it; only `limit` and `include` may change. */
        CursorParameter: string;
        /**
         * @description Only shipments whose `delivery_window` starts at or after this time, the earliest start first. A date is the start of that day in
         *     UTC; a date-time has an offset.
         */
        DeliveryFromParameter: string | components["schemas"]["RequestTimestamp"];
        /**
         * @description The delivery's `id`.
         * @example whd_01kjpx8p1pe3br6jq5y2v9s4tg
         */
        DeliveryIdParameter: components["schemas"]["WebhookDeliveryId"];
        /**
         * @description Only shipments whose `delivery_window` starts before this time, the earliest start first. A date includes that whole day in UTC; a
         *     date-time is exclusive. It must not be before `delivery_from`.
         */
        DeliveryToParameter: string | components["schemas"]["RequestTimestamp"];
        /** @description Only shipments to the city of this name, in capital or small letters. */
        DestinationCityParameter: components["schemas"]["Line"];
        /**
         * @description The document's `id`.
         * @example doc_01kjwpc4a0fay8t7hf795nrvby
         */
        DocumentIdParameter: components["schemas"]["DocumentId"];
        /**
         * @description The exception's `id`.
         * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
         */
        ExceptionIdParameter: components["schemas"]["ExceptionId"];
        /**
         * @description The signed token in a file URL.
         * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
         */
        FileTokenParameter: components["schemas"]["FileToken"];
        /** @description Only shipments created at or after this time. A date is the start of that day in UTC; a date-time has an offset. */
        FromDateParameter: string | components["schemas"]["RequestTimestamp"];
        /** @description Only shipments with an open exception. */
        HasExceptionParameter: true;
        /**
         * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
         *     same request with the same key returns the stored response and has no further effect.
         */
        IdempotencyKeyParameter: string;
        /**
         * @description ETags of earlier responses, separated by commas, or `*`. If none is current, the response is 412 and nothing changes
         *     (RFC 9110, section 13.1.1).
         */
        IfMatchParameter: string;
        /**
         * @description ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
         *     (RFC 9110, section 13.1.2).
         */
        IfNoneMatchParameter: string;
        /** @description `tracking` adds its tracking status to each shipment. The key also needs the scope `tracking:read`. */
        IncludeParameter: "tracking";
        /** @description The last `id` that was received. Only later events are sent. It takes precedence over `after`. */
        LastEventIDParameter: components["schemas"]["EventId"];
        /** @description Maximum number of results per page. */
        LimitParameter: number;
        /**
         * @description Only shipments that are not picked up and whose `pickup_window` ends before this time, the earliest end first. With the
         *     present time, these pickups are overdue.
         */
        PickupBeforeParameter: components["schemas"]["RequestTimestamp"];
        /**
         * @description Only shipments whose `pickup_window` starts at or after this time, the earliest start first. A date is the start of that day in
         *     UTC; a date-time has an offset.
         */
        PickupFromParameter: string | components["schemas"]["RequestTimestamp"];
        /**
         * @description Only shipments whose `pickup_window` starts before this time, the earliest start first. A date includes that whole day in UTC; a
         *     date-time is exclusive. It must not be before `pickup_from`.
         */
        PickupToParameter: string | components["schemas"]["RequestTimestamp"];
        /**
         * @description Only shipments with this `reference`, or with this value among their `references`, including those that have ended. Case and blanks
         *     do not count: `po 4711` finds `PO4711`.
         */
        ReferenceParameter: components["schemas"]["Reference"];
        /**
         * @description The shipment's `id`.
         * @example ship_01kjpx8p02fabr24pa3eywnyp2
         */
        ShipmentIdParameter: components["schemas"]["ShipmentId"];
        /** @description Only shipments with this status, or with one of several, separated by commas. */
        StatusParameter: components["schemas"]["KnownShipmentStatus"][];
        /**
         * @description Only shipments created before this time. A date includes that whole day in UTC; a date-time is exclusive. It must not
         *     be before `from_date`.
         */
        ToDateParameter: string | components["schemas"]["RequestTimestamp"];
        /** @description Adds `total_count` to the page. */
        TotalCountParameter: true;
        /**
         * @description The `id` of an entry of the timeline.
         * @example tev_01kjtak8hae8ksr7y1b2c3d4e5
         */
        TrackingEventIdParameter: components["schemas"]["TrackingEventId"];
        /** @description Only the shipment with this tracking number. */
        TrackingNumberFilterParameter: components["schemas"]["TrackingNumber"];
        /**
         * @description The shipment's `tracking_number`.
         * @example FRT-2026-000142
         */
        TrackingNumberParameter: components["schemas"]["TrackingNumber"];
        /** @description Only events of these types, separated by commas. By default all types are returned. */
        TypesParameter: components["schemas"]["KnownEventType"][];
        /**
         * @description Only shipments whose `updated_at` is at or after this time, with the oldest change first. A shipment that changes during
         *     the pagination appears again at its end.
         */
        UpdatedSinceParameter: components["schemas"]["RequestTimestamp"];
        /**
         * @description The upload's `upload_id`.
         * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
         */
        UploadIdParameter: components["schemas"]["UploadId"];
        /**
         * @description The signed token in an upload URL.
         * @example QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ
         */
        UploadTokenParameter: components["schemas"]["FileToken"];
        /** @description Seconds to wait for an event if there is none yet. After that, the response is an empty list. */
        WaitParameter: number;
        /**
         * @description The endpoint's `id`.
         * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
         */
        WebhookEndpointIdParameter: components["schemas"]["WebhookEndpointId"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description `identity` if the request was refused because of its `Content-Encoding`; otherwise absent (RFC 9110, section 15.5.16).
         * @example identity
         */
        "Accept-Encoding": "identity";
        /**
         * @description Caching rules (RFC 9111). Do not store lists. Revalidate other JSON before each use. A file never changes: cache it until
         *     its URL expires. Shared caches must store nothing.
         * @example private, no-cache
         */
        "Cache-Control": string;
        /**
         * @description The file name that browsers use when they save the file. With `attachment`, for a PDF or a TIFF, they save it instead of showing it.
         * @example inline; filename="upl_01kjwjfxt6fsytr0x9a1xe4sfc.png"
         */
        "Content-Disposition": string;
        /**
         * @description Prevents browsers from executing or loading anything from the file.
         * @example default-src 'none'; sandbox
         */
        "Content-Security-Policy": "default-src 'none'; sandbox";
        /**
         * @description Identifies this version of the resource. Send it in `If-None-Match` to find out whether the resource has changed, and in
         *     `If-Match` to change only this version.
         * @example "k1vZ3cY0mQk8Qe3v9yJ2Xw"
         */
        ETag: string;
        /**
         * @description `true` if this is the stored response of an earlier request with the same `Idempotency-Key`; otherwise absent.
         * @example true
         */
        "Idempotent-Replayed": "true";
        /**
         * @description URL of the created resource.
         * @example /v1/shipments/ship_01kjpx8p02fabr24pa3eywnyp2
         */
        Location: string;
        /**
         * @description What remains of the limit: `r` requests for the next `t` seconds (draft-ietf-httpapi-ratelimit-headers-10).
         * @example "key";r=5998;t=41
         */
        RateLimit: string;
        /**
         * @description The limit that applies, as a structured field (draft-ietf-httpapi-ratelimit-headers-10): `q` requests in `w` seconds.
         * @example "key";q=6000;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Seconds to wait before repeating the request.
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description The request headers on which the response depends.
         * @example Authorization, Origin, Accept-Encoding
         */
        Vary: string;
        /**
         * @description How to authenticate (RFC 9110, section 11.6.1).
         * @example Bearer
         */
        "WWW-Authenticate": "Bearer";
        /**
         * @description Prevents browsers from guessing another content type.
         * @example nosniff
         */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description Identifies the request in the service's logs. The service uses the request's `X-Request-Id` if it has 1 to
         *     128 letters, digits, `.`, `_` or `-`, and a new identifier otherwise.
         * @example 019cadd4-5802-7aae-8113-651dc3e6fac2
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The `next_after` of the previous response, or the `id` of an event of the list. Only later events are returned. Without it, the list
                 *     starts with the oldest event that is retained.
                 */
                after?: components["parameters"]["AfterParameter"];
                /** @description Maximum number of results per page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description Only events of these types, separated by commas. By default all types are returned. */
                types?: components["parameters"]["TypesParameter"];
                /** @description Seconds to wait for an event if there is none yet. After that, the response is an empty list. */
                wait?: components["parameters"]["WaitParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next events. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            400: components["responses"]["BadEventsRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["EventsExpired"];
            429: components["responses"]["TooManyStreams"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /**
                 * @description The `next_after` of the previous response, or the `id` of an event of the list. Only later events are returned. Without it, the list
                 *     starts with the oldest event that is retained.
                 */
                after?: components["parameters"]["AfterParameter"];
                /** @description Only events of these types, separated by commas. By default all types are returned. */
                types?: components["parameters"]["TypesParameter"];
            };
            header?: {
                /** @description The last `id` that was received. Only later events are sent. It takes precedence over `after`. */
                "Last-Event-ID"?: components["parameters"]["LastEventIDParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    /**
                     * @description Caches must not store a stream.
                     * @example no-store
                     */
                    "Cache-Control": "no-store";
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *
                     *     id: evt_01kjtbdx4ye008000000000153
                     *     event: tracking.status_reached
                     *     data: {"id":"evt_01kjtbdx4ye008000000000153","type":"tracking.status_reached","created_at":"2026-03-03T17:20:15.006Z","data":{"tracking":{"tracking_number":"FRT-2026-000142","status":"in_transit","eta":"2026-03-04T14:00:00.000Z","current_location":{"lat":47.5301,"lng":-122.0326,"address":"I-90 at Issaquah","updated_at":"2026-03-03T17:20:00.000Z"},"timeline":[{"status":"scheduled","timestamp":"2026-03-02T09:15:00.482Z","description":"Shipment created"},{"status":"dispatched","timestamp":"2026-03-03T14:30:00.000Z","description":"Driver assigned"},{"status":"picked_up","timestamp":"2026-03-03T17:05:00.000Z","description":"Picked up from the origin"},{"status":"in_transit","timestamp":"2026-03-03T17:20:00.000Z","description":"Left Seattle on I-90 eastbound"}]}}}
                     *
                     *     : heartbeat
                     */
                    "text/event-stream": components["schemas"]["EventStream"];
                };
            };
            400: components["responses"]["BadEventsRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["EventsExpired"];
            429: components["responses"]["TooManyStreams"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProofFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The signed token in a file URL.
                 * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
                 */
                file_token: components["parameters"]["FileTokenParameter"];
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
                    "application/pdf": components["schemas"]["FileBytes"];
                    "image/jpeg": components["schemas"]["FileBytes"];
                    "image/png": components["schemas"]["FileBytes"];
                    "image/tiff": components["schemas"]["FileBytes"];
                    "image/webp": components["schemas"]["FileBytes"];
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
                /** @description Only shipments whose `carrier` has this SCAC. */
                carrier_scac?: components["parameters"]["CarrierScacParameter"];
                /** @description The `next_cursor` of the previous page. Send the same filters with it; only `limit` and `include` may change. */
                cursor?: components["parameters"]["CursorParameter"];
                /**
                 * @description Only shipments whose `delivery_window` starts at or after this time, the earliest start first. A date is the start of that day in
                 *     UTC; a date-time has an offset.
                 */
                delivery_from?: components["parameters"]["DeliveryFromParameter"];
                /**
                 * @description Only shipments whose `delivery_window` starts before this time, the earliest start first. A date includes that whole day in UTC; a
                 *     date-time is exclusive. It must not be before `delivery_from`.
                 */
                delivery_to?: components["parameters"]["DeliveryToParameter"];
                /** @description Only shipments to the city of this name, in capital or small letters. */
                destination_city?: components["parameters"]["DestinationCityParameter"];
                /** @description Only shipments created at or after this time. A date is the start of that day in UTC; a date-time has an offset. */
                from_date?: components["parameters"]["FromDateParameter"];
                /** @description Only shipments with an open exception. */
                has_exception?: components["parameters"]["HasExceptionParameter"];
                /** @description `tracking` adds its tracking status to each shipment. The key also needs the scope `tracking:read`. */
                include?: components["parameters"]["IncludeParameter"];
                /** @description Maximum number of results per page. */
                limit?: components["parameters"]["LimitParameter"];
                /**
                 * @description Only shipments that are not picked up and whose `pickup_window` ends before this time, the earliest end first. With the
                 *     present time, these pickups are overdue.
                 */
                pickup_before?: components["parameters"]["PickupBeforeParameter"];
                /**
                 * @description Only shipments whose `pickup_window` starts at or after this time, the earliest start first. A date is the start of that day in
                 *     UTC; a date-time has an offset.
                 */
                pickup_from?: components["parameters"]["PickupFromParameter"];
                /**
                 * @description Only shipments whose `pickup_window` starts before this time, the earliest start first. A date includes that whole day in UTC; a
                 *     date-time is exclusive. It must not be before `pickup_from`.
                 */
                pickup_to?: components["parameters"]["PickupToParameter"];
                /**
                 * @description Only shipments with this `reference`, or with this value among their `references`, including those that have ended. Case and blanks
                 *     do not count: `po 4711` finds `PO4711`.
                 */
                reference?: components["parameters"]["ReferenceParameter"];
                /** @description Only shipments with this status, or with one of several, separated by commas. */
                status?: components["parameters"]["StatusParameter"];
                /**
                 * @description Only shipments created before this time. A date includes that whole day in UTC; a date-time is exclusive. It must not
                 *     be before `from_date`.
                 */
                to_date?: components["parameters"]["ToDateParameter"];
                /** @description Adds `total_count` to the page. */
                total_count?: components["parameters"]["TotalCountParameter"];
                /** @description Only the shipment with this tracking number. */
                tracking_number?: components["parameters"]["TrackingNumberFilterParameter"];
                /**
                 * @description Only shipments whose `updated_at` is at or after this time, with the oldest change first. A shipment that changes during
                 *     the pagination appears again at its end.
                 */
                updated_since?: components["parameters"]["UpdatedSinceParameter"];
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
                    "Cache-Control": components["headers"]["Cache-Control"];
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
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
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
            /** @description The created shipment. */
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
                 * @description ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 *     (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
            };
            path: {
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["ShipmentIdParameter"];
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
                    "application/json": components["schemas"]["ShipmentWithHandoverCode"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadConditionalRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of earlier responses, separated by commas, or `*`. If none is current, the response is 412 and nothing changes
                 *     (RFC 9110, section 13.1.1).
                 */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["ShipmentIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShipmentChanges"];
                "application/merge-patch+json": components["schemas"]["ShipmentChanges"];
            };
        };
        responses: {
            /** @description The shipment after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
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
            404: components["responses"]["NotFound"];
            409: components["responses"]["ChangeConflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAccesses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["ShipmentIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accesses. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessList"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createAccess: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["ShipmentIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessRequest"];
            };
        };
        responses: {
            /** @description The access, with its token. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessWithToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["TooManyAccesses"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The access's `id`.
                 * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
                 */
                access_id: components["parameters"]["AccessIdParameter"];
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["ShipmentIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The access is revoked. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadQuery"];
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
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: components["parameters"]["ShipmentIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description The cancelled shipment. */
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
                 * @description ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 *     (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
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
            400: components["responses"]["BadConditionalRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateTracking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackingChanges"];
                "application/merge-patch+json": components["schemas"]["TrackingChanges"];
            };
        };
        responses: {
            /** @description What the carrier has said, after the change. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackingDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ChangeNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The documents. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentList"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentRequest"];
            };
        };
        responses: {
            /** @description The added document. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentWithUrl"];
                };
            };
            400: components["responses"]["BadProof"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["DocumentNotAdded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The document's `id`.
                 * @example doc_01kjwpc4a0fay8t7hf795nrvby
                 */
                document_id: components["parameters"]["DocumentIdParameter"];
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document is removed. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadQuery"];
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
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackingEventRequest"];
            };
        };
        responses: {
            /** @description The tracking status after the event. */
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
            409: components["responses"]["EventNotAccepted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    voidTrackingEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The `id` of an entry of the timeline.
                 * @example tev_01kjtak8hae8ksr7y1b2c3d4e5
                 */
                event_id: components["parameters"]["TrackingEventIdParameter"];
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidRequest"];
            };
        };
        responses: {
            /** @description The tracking status without the voided event. */
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
            409: components["responses"]["VoidNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    raiseException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExceptionRequest"];
            };
        };
        responses: {
            /** @description The exception. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentException"];
                };
            };
            400: components["responses"]["BadProof"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["ExceptionNotAccepted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 *     (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
            };
            path: {
                /**
                 * @description The exception's `id`.
                 * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
                 */
                exception_id: components["parameters"]["ExceptionIdParameter"];
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exception. */
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
                    "application/json": components["schemas"]["ShipmentExceptionWithPhotos"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadConditionalRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The exception's `id`.
                 * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
                 */
                exception_id: components["parameters"]["ExceptionIdParameter"];
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExceptionResolution"];
            };
        };
        responses: {
            /** @description The resolved exception. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentException"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["ExceptionResolved"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    voidException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The exception's `id`.
                 * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
                 */
                exception_id: components["parameters"]["ExceptionIdParameter"];
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExceptionVoid"];
            };
        };
        responses: {
            /** @description The voided exception. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentException"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["ExceptionVoidNotAllowed"];
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
                 * @description ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 *     (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
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
            400: components["responses"]["BadConditionalRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProofNotFound"];
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
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofOfDeliveryRequest"];
            };
        };
        responses: {
            /** @description The stored proof of delivery. */
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
            409: components["responses"]["DeliveryNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProofUploads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The unfinished uploads. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofUploadList"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofUploadRequest"];
            };
        };
        responses: {
            /** @description The created upload. */
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
    deleteProofUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
                /**
                 * @description The upload's `upload_id`.
                 * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
                 */
                upload_id: components["parameters"]["UploadIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is removed. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPositions: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. Send the same filters with it; only `limit` and `include` may change. */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description Maximum number of results per page. */
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of positions. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
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
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: components["parameters"]["TrackingNumberParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PositionsRequest"];
            };
        };
        responses: {
            /** @description The positions are stored, without those in `refused`. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PositionsAccepted"];
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
                 * @description The signed token in an upload URL.
                 * @example QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ
                 */
                upload_token: components["parameters"]["UploadTokenParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/pdf": components["schemas"]["FileBytes"];
                "image/jpeg": components["schemas"]["FileBytes"];
                "image/png": components["schemas"]["FileBytes"];
                "image/tiff": components["schemas"]["FileBytes"];
                "image/webp": components["schemas"]["FileBytes"];
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
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The created endpoint, with its secret. */
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
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["TooManyWebhookEndpoints"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 *     (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatchParameter"];
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
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
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadConditionalRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of earlier responses, separated by commas, or `*`. If none is current, the response is 412 and nothing changes
                 *     (RFC 9110, section 13.1.1).
                 */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is deleted. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadConditionalRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description ETags of earlier responses, separated by commas, or `*`. If none is current, the response is 412 and nothing changes
                 *     (RFC 9110, section 13.1.1).
                 */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChanges"];
                "application/merge-patch+json": components["schemas"]["WebhookEndpointChanges"];
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. Send the same filters with it; only `limit` and `include` may change. */
                cursor?: components["parameters"]["CursorParameter"];
                /** @description Maximum number of results per page. */
                limit?: components["parameters"]["LimitParameter"];
            };
            header?: never;
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["Cache-Control"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
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
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The delivery's `id`.
                 * @example whd_01kjpx8p1pe3br6jq5y2v9s4tg
                 */
                delivery_id: components["parameters"]["DeliveryIdParameter"];
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The new delivery. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyDeliveries"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: {
            /** @description The time range that is sent. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyDeliveries"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotation"];
            };
        };
        responses: {
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManySecrets"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendTestWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 *     same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: components["parameters"]["WebhookEndpointIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The delivery of the test event. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundForWrite"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyDeliveries"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The `id` of the event. */
                "webhook-id": components["schemas"]["EventId"];
                /** @description One or more signatures, separated by spaces. */
                "webhook-signature": string;
                /** @description Time of the request in seconds of Unix time. Refuse requests that are more than a few minutes old. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description The event was received. Every other success has this meaning, too. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

// Made from the contract by `pnpm generate`. Do not edit.
/**
 * Path → method → operation, as openapi-fetch takes them.
 */
export interface paths {
    "/shipments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listShipments"];
        put?: never;
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
        get: operations["getShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateShipment"];
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
        post: operations["cancelShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shipments/{shipment_id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAccesses"];
        put?: never;
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
        delete: operations["deleteAccess"];
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
        get: operations["getTracking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updateTracking"];
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
        post: operations["voidTrackingEvent"];
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
        get: operations["listPositions"];
        put?: never;
        post: operations["recordPositions"];
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
        get: operations["getProofOfDelivery"];
        put?: never;
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
        get: operations["listProofUploads"];
        put?: never;
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
        delete: operations["deleteProofUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracking/{tracking_number}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocuments"];
        put?: never;
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
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        get: operations["streamEvents"];
        put?: never;
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
        get: operations["listWebhookEndpoints"];
        put?: never;
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
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch: operations["updateWebhookEndpoint"];
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
        post: operations["rotateWebhookSecret"];
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
        post: operations["replayWebhookEvents"];
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
        post: operations["sendTestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{webhook_endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
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
        post: operations["resendWebhookDelivery"];
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
        put: operations["putProofFile"];
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
        get: operations["getProofFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
/**
 * Status of a shipment.
 * @enum {string}
 */
export type KnownShipmentStatus = "scheduled" | "dispatched" | "picked_up" | "in_transit" | "delivered" | "cancelled" | "returned" | "lost";
/** One line of text with a visible character. At most 100 characters. */
export type Line = string;
/** The shipper's own reference, unique among the account's shipments that have not ended. At most 100 characters. */
export type Reference = string;
/**
 * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
 * @example FRT-2026-000142
 */
export type TrackingNumber = string;
/** A timestamp (RFC 3339) with an offset, of the years 1000 to 2999 and without a leap second. */
export type RequestTimestamp = string | Date;
/**
 * Identifier of a shipment.
 * @example ship_01kjpx8p02fabr24pa3eywnyp2
 */
export type ShipmentId = string;
/**
 * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
 * some can be skipped.
 */
export type ShipmentStatus = KnownShipmentStatus | (string & {});
/** The kind of shipment. */
export type ShipmentType = KnownShipmentType | (string & {});
/** A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
export interface Address {
    /** Company or site. At most 100 characters. */
    company?: string;
    /** Street line. At most 200 characters. */
    address: string;
    /** Second line, such as a suite, a building or a dock. At most 200 characters. */
    address_2?: string;
    /** City or town. At most 100 characters. */
    city: string;
    /** State, province or other region. At most 50 characters. */
    state?: string;
    /** Postal code. At most 20 characters. */
    zip?: string;
    /**
     * Country code (ISO 3166-1 alpha-2). Without it, the address is in the US.
     * @example CA
     */
    country?: string;
    /** Contact name. At most 100 characters. */
    contact_name?: string;
    /** Contact phone number. At most 50 characters. */
    contact_phone?: string;
}
/** Time range for pickup. */
export interface PickupWindow {
    /** Beginning of the time range. */
    start: string;
    /** End of the time range. */
    end: string;
}
/** What a reference is the number of. */
export type ReferenceType = KnownReferenceType | (string & {});
/** A number by which somebody knows the shipment. Several shipments may have the same one. */
export interface ShipmentReference {
    /** What a reference is the number of. */
    type: ReferenceType;
    /** The number. At most 100 characters. */
    value: string;
}
/** How pieces are packed. An `ibc` is an intermediate bulk container, a `gaylord` a box of the size of a pallet. */
export type Packaging = KnownPackaging | (string & {});
/** Kilograms or avoirdupois pounds. A pound is 0.45359237 kg. */
export type WeightUnit = KnownWeightUnit | (string & {});
/** Weight of all these pieces together, in the unit in which it was stated. */
export interface Weight {
    /** The weight in `unit`. 0.001 to 250000. */
    value: number;
    /** Kilograms or avoirdupois pounds. A pound is 0.45359237 kg. */
    unit: WeightUnit;
}
/** The unit of `length`, `width` and `height`. */
export type DimensionUnit = KnownDimensionUnit | (string & {});
/**
 * The values of `FreightClass` in this version of the contract.
 * @enum {string}
 */
export type KnownFreightClass = "50" | "55" | "60" | "65" | "70" | "77.5" | "85" | "92.5" | "100" | "110" | "125" | "150" | "175" | "200" | "250" | "300" | "400" | "500";
/** Class of less-than-truckload freight (NMFC). */
export type FreightClass = KnownFreightClass | (string & {});
/** How dangerous the goods are, from `I`, great danger, to `III`, minor danger. */
export type PackingGroup = KnownPackingGroup | (string & {});
/** What the shipping papers say of hazardous goods. */
export interface Hazmat {
    /**
     * UN number, NA number of goods that are hazardous in North America only, or ID number of goods that only air transport regulates.
     * @example UN1263
     */
    id: string;
    /** Hazard class or division, such as `3`, `2.1` or `1.4S`. At most 20 characters. */
    class?: string;
    /** How dangerous the goods are, from `I`, great danger, to `III`, minor danger. */
    packing_group?: PackingGroup;
    /** Proper shipping name. At most 200 characters. */
    proper_shipping_name?: string;
    /** Phone number for emergencies. At most 50 characters. */
    emergency_phone?: string;
}
/** Pieces of one kind. */
export interface ShipmentItem {
    /** What the pieces are. At most 200 characters. */
    description: string;
    /** The number of pieces. 1 to 100000. */
    pieces: number;
    /** How pieces are packed. An `ibc` is an intermediate bulk container, a `gaylord` a box of the size of a pallet. */
    packaging?: Packaging;
    /** Weight of all these pieces together, in the unit in which it was stated. */
    weight: Weight;
    /** Length of a piece. 0.1 to 10000. */
    length?: number;
    /** Width of a piece. 0.1 to 10000. */
    width?: number;
    /** Height of a piece. 0.1 to 10000. */
    height?: number;
    /** The unit of `length`, `width` and `height`. */
    dimension_unit?: DimensionUnit;
    /** Class of less-than-truckload freight (NMFC). */
    freight_class?: FreightClass;
    /** What the shipping papers say of hazardous goods. */
    hazmat?: Hazmat;
}
/** The weight in the unit of the first item. */
export interface TotalWeight {
    /** The weight in `unit`. 0.001 to 60000000. */
    value: number;
    /** Kilograms or avoirdupois pounds. A pound is 0.45359237 kg. */
    unit: WeightUnit;
}
/**
 * The sums over all items. Weights are rounded to thousandths; those of items in another unit than the first item are
 * converted.
 */
export interface ShipmentTotals {
    /** The number of pieces. 1 to 10000000. */
    pieces: number;
    /** The weight in the unit of the first item. */
    weight: TotalWeight;
    /** The weight in kilograms. 0.001 to 60000000. */
    weight_kg: number;
    /** The weight in pounds. 0.001 to 60000000. */
    weight_lb: number;
}
/** The value of the freight that the shipper declares. */
export interface DeclaredValue {
    /**
     * The amount as a decimal number.
     * @example 25000.00
     */
    amount: string;
    /**
     * Currency code (ISO 4217).
     * @example USD
     */
    currency: string;
}
/** Degrees Celsius or Fahrenheit. */
export type TemperatureUnit = KnownTemperatureUnit | (string & {});
/** The temperatures at which the freight is carried. It has at least one of `min` and `max`. */
export interface Temperature {
    /** The lowest temperature. -300 to 1000. */
    min?: number;
    /** The highest temperature, not below `min`. -300 to 1000. */
    max?: number;
    /** Degrees Celsius or Fahrenheit. */
    unit: TemperatureUnit;
}
/** The company that transports the shipment. */
export interface Carrier {
    /** Name of the company. At most 100 characters. */
    name: string;
    /**
     * Standard Carrier Alpha Code.
     * @example CSCD
     */
    scac?: string;
}
/** The carrier's name of the service, such as `Expedited`. At most 50 characters. */
export type ServiceLevel = string;
/** Kind of vehicle or trailer. */
export type EquipmentType = KnownEquipmentType | (string & {});
/** What the freight is loaded on. The shipper or the carrier sets it. An access of the detail `status` does not show it. */
export interface Equipment {
    /** Kind of vehicle or trailer. */
    type?: EquipmentType;
    /** Number of the trailer or the container. At most 50 characters. */
    trailer_number?: string;
    /** Number of the seal. At most 50 characters. */
    seal_number?: string;
}
/** Who drives. The shipper or the carrier sets it. Only an access of the detail `proof` shows it. */
export interface Driver {
    /** Name of the driver. At most 100 characters. */
    name?: string;
    /** Phone number of the driver. At most 50 characters. */
    phone?: string;
}
/** Whether the delivery must be signed for. Without it, an unattended delivery is possible. */
export type SignatureRequired = boolean;
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
/**
 * Identifier of an entry of the timeline.
 * @example tev_01kjtak8hae8ksr7y1b2c3d4e5
 */
export type TrackingEventId = string;
/** A status that was reached. */
export interface TimelineEntry {
    /**
     * Identifier of an entry of the timeline.
     * @example tev_01kjtak8hae8ksr7y1b2c3d4e5
     */
    id: TrackingEventId;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /** Time of the change. */
    timestamp: string;
    /** Description of the event. For an access of the detail `status` it is the default one. */
    description: string;
    /** When the service received it. */
    recorded_at: string;
    /** When the entry was voided. An entry that counts does not have it. */
    voided_at?: string;
    /** Why the entry was voided. */
    void_reason?: string;
}
/**
 * Identifier of an exception.
 * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
 */
export type ExceptionId = string;
/** What goes wrong with a shipment. Accept codes that this list does not have. */
export type ExceptionCode = KnownExceptionCode | (string & {});
/**
 * The values of `ExceptionSeverity` in this version of the contract.
 * @enum {string}
 */
export type KnownExceptionSeverity = "low" | "medium" | "high";
/** How serious an exception is. */
export type ExceptionSeverity = KnownExceptionSeverity | (string & {});
/**
 * The values of `ExceptionParty` in this version of the contract.
 * @enum {string}
 */
export type KnownExceptionParty = "nobody" | "carrier" | "shipper" | "consignee";
/** Who has to act. */
export type ExceptionParty = KnownExceptionParty | (string & {});
/**
 * The values of `ExceptionStep` in this version of the contract.
 * @enum {string}
 */
export type KnownExceptionStep = "wait" | "reschedule" | "correct_address" | "return" | "claim";
/** What may happen next. */
export type ExceptionStep = KnownExceptionStep | (string & {});
/** Where it happened. */
export interface ExceptionLocation {
    /** Latitude in decimal degrees. -90 to 90. */
    lat: Latitude;
    /** Longitude in decimal degrees. -180 to 180. */
    lng: Longitude;
    /** Description of the location. */
    address?: string;
}
/**
 * Identifier of an access.
 * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
 */
export type AccessId = string;
/**
 * Something that goes wrong with a shipment. It does not change the status. `shipment_status` is the status when it was
 * raised: an exception of a shipment that is `dispatched` concerns the pickup, a later one the delivery. An access of the
 * detail `status` does not get `description`, `location`, `resolution` and `void_reason`.
 */
export interface ShipmentException {
    /**
     * Identifier of an exception.
     * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
     */
    id: ExceptionId;
    /** What goes wrong with a shipment. Accept codes that this list does not have. */
    code: ExceptionCode;
    /** How serious an exception is. */
    severity: ExceptionSeverity;
    /** Who has to act. */
    responsible_party: ExceptionParty;
    /** What may happen next. At most 10 elements. */
    next_steps: ExceptionStep[];
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    shipment_status: ShipmentStatus;
    /** When it happened. */
    occurred_at: string;
    /** Description of what happened. */
    description?: string;
    /** The estimated arrival that was reported with the exception. */
    eta?: string;
    /** Where it happened. */
    location?: ExceptionLocation;
    /** The number of photos. `getException` returns their URLs. 0 to 5. */
    photo_count: number;
    /** When the exception ended. An open exception does not have it. */
    resolved_at?: string;
    /** How the exception ended. */
    resolution?: string;
    /**
     * The access that raised it. Absent if an API key did, and for another access.
     * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
     */
    access_id?: string;
    /** When the exception was voided. One that counts does not have it. */
    voided_at?: string;
    /** Why the exception was voided. */
    void_reason?: string;
}
/** Status, estimated arrival, current location and timeline of a shipment. */
export interface TrackingStatus {
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /**
     * Estimated arrival; null until it is known. One that came with a voided entry or exception does not count, nor one of an earlier
     * carrier or of a driver who is not assigned any more.
     */
    eta: string | null;
    /**
     * The latest reported position; null until one is known, and for an access of the detail `status`. A position that
     * would take more than 1,200 km/h to reach is only stored, until more positions in a row are near it than were near the current one:
     * at least three, at most ten. What devices report by error never counts then, such as a
     * latitude with a turned sign. What does not count as `eta` does not count here.
     */
    current_location: CurrentLocation | null;
    /**
     * Every recorded status, by the time at which it was reached, oldest first, and of equal times by the order of the statuses. The
     * creation is first, unless another status was reached before; a whole minute or second is not before a time in it. An API key also gets voided entries, which do
     * not count; an access does not. At most 50 elements.
     */
    timeline: TimelineEntry[];
    /**
     * What goes or went wrong: open exceptions first, each part in the order in which they were raised, without voided ones.
     * It is absent if there is none. At most 50 elements.
     */
    exceptions?: ShipmentException[];
}
/** A shipment in a list. Optional fields without a value are absent. */
export interface ListedShipment {
    /**
     * Identifier of a shipment.
     * @example ship_01kjpx8p02fabr24pa3eywnyp2
     */
    id: ShipmentId;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /** Reason for the cancellation. */
    cancellation_reason?: string;
    /** Time of creation. */
    created_at: string;
    /** Time of the last change of the status or of a field. */
    updated_at: string;
    /** The kind of shipment. */
    type: ShipmentType;
    /** A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
    origin: Address;
    /** A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
    destination: Address;
    /** Time range for pickup. */
    pickup_window: PickupWindow;
    /** Time range for delivery. */
    delivery_window?: {
        /** Beginning of the time range. */
        start: string;
        /** End of the time range. */
        end: string;
    };
    /** The shipper's own reference, unique among the account's shipments that have not ended. At most 100 characters. */
    reference?: Reference;
    /** The numbers by which others know the shipment. At most 200 elements. */
    references?: ShipmentReference[];
    /** Free text handling instructions. */
    notes?: string;
    /** What is shipped. At most 100 elements. */
    items?: ShipmentItem[];
    /**
     * The sums over all items. Weights are rounded to thousandths; those of items in another unit than the first item are
     * converted.
     */
    totals?: ShipmentTotals;
    /** The value of the freight that the shipper declares. */
    declared_value?: DeclaredValue;
    /** The temperatures at which the freight is carried. It has at least one of `min` and `max`. */
    temperature?: Temperature;
    /** The company that transports the shipment. */
    carrier?: Carrier;
    /** The carrier's name of the service, such as `Expedited`. At most 50 characters. */
    service_level?: ServiceLevel;
    /** What the freight is loaded on. The shipper or the carrier sets it. An access of the detail `status` does not show it. */
    equipment?: Equipment;
    /** Who drives. The shipper or the carrier sets it. Only an access of the detail `proof` shows it. */
    driver?: Driver;
    /** Whether the delivery must be signed for. Without it, an unattended delivery is possible. */
    signature_required?: SignatureRequired;
    /** True if the proof of delivery needs the handover code; otherwise absent. */
    handover_code_required?: boolean;
    /** The tracking status, with `include=tracking`. */
    tracking?: {
        /**
         * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
         * @example FRT-2026-000142
         */
        tracking_number: TrackingNumber;
        /**
         * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
         * some can be skipped.
         */
        status: ShipmentStatus;
        /**
         * Estimated arrival; null until it is known. One that came with a voided entry or exception does not count, nor one of an earlier
         * carrier or of a driver who is not assigned any more.
         */
        eta: string | null;
        /**
         * The latest reported position; null until one is known, and for an access of the detail `status`. A position that
         * would take more than 1,200 km/h to reach is only stored, until more positions in a row are near it than were near the current one:
         * at least three, at most ten. What devices report by error never counts then, such as a
         * latitude with a turned sign. What does not count as `eta` does not count here.
         */
        current_location: CurrentLocation | null;
        /**
         * Every recorded status, by the time at which it was reached, oldest first, and of equal times by the order of the statuses. The
         * creation is first, unless another status was reached before; a whole minute or second is not before a time in it. An API key also gets voided entries, which do
         * not count; an access does not. At most 50 elements.
         */
        timeline: TimelineEntry[];
        /**
         * What goes or went wrong: open exceptions first, each part in the order in which they were raised, without voided ones.
         * It is absent if there is none. At most 50 elements.
         */
        exceptions?: ShipmentException[];
    };
}
/** One page of shipments, newest first. */
export interface ShipmentList {
    /** The shipments of this page. At most 100 elements. */
    data: ListedShipment[];
    /** Whether there is another page. */
    has_more: boolean;
    /** The `cursor` of the next page; null if there is none. */
    next_cursor: string | null;
    /**
     * With the parameter `total_count`, how many shipments match the filters, on all pages. They are counted up to 10,000:
     * this value means 10,000 or more. 0 to 10000.
     */
    total_count?: number;
}
/**
 * The values of `ProblemCode` in this version of the contract.
 * @enum {string}
 */
export type KnownProblemCode = "invalid_request" | "malformed_request" | "cursor_mismatch" | "unknown_upload" | "file_mismatch" | "unauthenticated" | "insufficient_scope" | "not_found" | "method_not_allowed" | "request_timeout" | "proof_not_available" | "invalid_transition" | "status_recorded" | "proof_submitted" | "void_not_allowed" | "tracking_event_limit_reached" | "change_not_allowed" | "signature_required" | "handover_code_required" | "handover_code_wrong" | "handover_code_locked" | "positions_not_accepted" | "uploads_not_accepted" | "exception_not_accepted" | "exception_limit_reached" | "exception_resolved" | "exception_void_not_allowed" | "reference_taken" | "webhook_limit_reached" | "access_limit_reached" | "document_limit_reached" | "idempotency_in_progress" | "file_conflict" | "link_expired" | "events_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "idempotency_key_reused" | "rate_limited" | "upload_limit_reached" | "storage_quota_exceeded" | "delivery_limit_reached" | "secret_limit_reached" | "too_many_streams" | "headers_too_large" | "internal_error" | "not_implemented" | "unavailable";
/** Machine-readable code of the problem. */
export type ProblemCode = KnownProblemCode | (string & {});
/**
 * The values of `FieldErrorIn` in this version of the contract.
 * @enum {string}
 */
export type KnownFieldErrorIn = "query" | "headers" | "body";
/** The part of the request that contains the field. */
export type FieldErrorIn = KnownFieldErrorIn | (string & {});
/**
 * The values of `FieldErrorCode` in this version of the contract.
 * @enum {string}
 */
export type KnownFieldErrorCode = "required" | "unknown_field" | "wrong_type" | "not_allowed" | "invalid_format" | "too_long" | "too_short" | "out_of_range" | "duplicate" | "out_of_order" | "too_far_ahead" | "too_old" | "zero_coordinates" | "mismatch" | "unknown_upload";
/** The kind of error in a field. */
export type FieldErrorCode = KnownFieldErrorCode | (string & {});
/** An invalid field. */
export interface FieldError {
    /** The part of the request that contains the field. */
    in: FieldErrorIn;
    /** JSON pointer (RFC 6901) to the field within that part; empty for the part itself. */
    pointer: string;
    /** The kind of error in a field. */
    code: FieldErrorCode;
    /** Explanation of the error. */
    detail: string;
}
/** An error (RFC 9457). */
export interface Problem {
    /**
     * Identifies the kind of problem: the same URI for every Waybill service. It ends in the `code`, whose page in the docs
     * is `/docs/errors/<code>`.
     */
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
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    current_status?: ShipmentStatus;
    /** The statuses that can be recorded now. At most 20 elements. */
    allowed?: ShipmentStatus[];
    /** The entry of the timeline that has the status. */
    entry?: {
        /**
         * Identifier of an entry of the timeline.
         * @example tev_01kjtak8hae8ksr7y1b2c3d4e5
         */
        id: TrackingEventId;
        /**
         * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
         * some can be skipped.
         */
        status: ShipmentStatus;
        /** Time of the change. */
        timestamp: string;
        /** Description of the event. For an access of the detail `status` it is the default one. */
        description: string;
        /** When the service received it. */
        recorded_at: string;
        /** When the entry was voided. An entry that counts does not have it. */
        voided_at?: string;
        /** Why the entry was voided. */
        void_reason?: string;
    };
    /** The fields that can be changed in the current status, as JSON pointers. At most 50 elements. */
    changeable?: string[];
    /**
     * Identifier of a shipment.
     * @example ship_01kjpx8p02fabr24pa3eywnyp2
     */
    shipment_id?: ShipmentId;
}
/**
 * The kind of shipment.
 * @enum {string}
 */
export type KnownShipmentType = "freight";
/** A pickup or delivery address with an optional contact. Its country decides whether it needs `state` and `zip`. */
export interface AddressRequest {
    /** Company or site. At most 100 characters. */
    company?: (string | null) | undefined;
    /** Street line. At most 200 characters. */
    address: string;
    /** Second line, such as a suite, a building or a dock. At most 200 characters. */
    address_2?: (string | null) | undefined;
    /** City or town. At most 100 characters. */
    city: string;
    /** State, province or other region. Required where the postal format of the country has it. At most 50 characters. */
    state?: (string | null) | undefined;
    /** Postal code. Required where the postal format of the country has it. Its form is not checked. At most 20 characters. */
    zip?: (string | null) | undefined;
    /**
     * Country code (ISO 3166-1 alpha-2). Without it, the address is in the US.
     * @example CA
     */
    country?: (string | null) | undefined;
    /** Contact name. At most 100 characters. */
    contact_name?: (string | null) | undefined;
    /** Contact phone number. At most 50 characters. */
    contact_phone?: (string | null) | undefined;
}
/** Time range for pickup. It may be in the past. An appointment has the same `start` and `end`. */
export interface PickupWindowRequest {
    /** Beginning of the time range. */
    start: string | Date;
    /** End of the time range, not before `start`. */
    end: string | Date;
}
/** Time range for delivery. It may be in the past. An appointment has the same `start` and `end`. */
export type DeliveryWindowRequest = {
    /** Earliest delivery. */
    start: string | Date;
    /** Latest delivery, not before `start`. */
    end: string | Date;
} | null;
/**
 * What a reference is the number of.
 * @enum {string}
 */
export type KnownReferenceType = "purchase_order" | "bill_of_lading" | "pro" | "order" | "customer" | "appointment" | "other";
/** A number by which somebody knows the shipment. Several shipments may have the same one. */
export interface ShipmentReferenceRequest {
    /** What a reference is the number of. */
    type: KnownReferenceType;
    /** The number. At most 100 characters. */
    value: string;
}
/**
 * How pieces are packed. An `ibc` is an intermediate bulk container, a `gaylord` a box of the size of a pallet.
 * @enum {string}
 */
export type KnownPackaging = "pallet" | "skid" | "crate" | "box" | "carton" | "case" | "drum" | "barrel" | "pail" | "can" | "bag" | "bale" | "roll" | "bundle" | "coil" | "reel" | "tote" | "gaylord" | "ibc" | "tank" | "cylinder" | "tube" | "rack" | "slip_sheet" | "container" | "piece" | "loose" | "other";
/**
 * Kilograms or avoirdupois pounds. A pound is 0.45359237 kg.
 * @enum {string}
 */
export type KnownWeightUnit = "kg" | "lb";
/** Weight of all these pieces together. */
export interface WeightRequest {
    /** The weight in `unit`. 0.001 to 250000. */
    value: number;
    /** Kilograms or avoirdupois pounds. A pound is 0.45359237 kg. */
    unit: KnownWeightUnit;
}
/**
 * The unit of `length`, `width` and `height`.
 * @enum {string}
 */
export type KnownDimensionUnit = "cm" | "in";
/**
 * Class of less-than-truckload freight (NMFC), as text or as a number. Responses have it as text. 50 to 500.
 * @enum {string|number}
 */
export type FreightClassRequest = "50" | "55" | "60" | "65" | "70" | "77.5" | "85" | "92.5" | "100" | "110" | "125" | "150" | "175" | "200" | "250" | "300" | "400" | "500" | 50 | 55 | 60 | 65 | 70 | 77.5 | 85 | 92.5 | 100 | 110 | 125 | 150 | 175 | 200 | 250 | 300 | 400 | 500;
/**
 * How dangerous the goods are, from `I`, great danger, to `III`, minor danger.
 * @enum {string}
 */
export type KnownPackingGroup = "I" | "II" | "III";
/** What the shipping papers say of hazardous goods. */
export interface HazmatRequest {
    /**
     * UN number, NA number of goods that are hazardous in North America only, or ID number of goods that only air transport regulates.
     * @example UN1263
     */
    id: string;
    /** Hazard class or division, such as `3`, `2.1` or `1.4S`. At most 20 characters. */
    class?: string | undefined;
    /** How dangerous the goods are, from `I`, great danger, to `III`, minor danger. */
    packing_group?: KnownPackingGroup | undefined;
    /** Proper shipping name. At most 200 characters. */
    proper_shipping_name?: string | undefined;
    /** Phone number for emergencies. At most 50 characters. */
    emergency_phone?: string | undefined;
}
/** Pieces of one kind. `dimension_unit` is required with `length`, `width` or `height`. */
export interface ShipmentItemRequest {
    /** What the pieces are. At most 200 characters. */
    description: string;
    /** The number of pieces. 1 to 100000. */
    pieces: number;
    /** How pieces are packed. An `ibc` is an intermediate bulk container, a `gaylord` a box of the size of a pallet. */
    packaging?: KnownPackaging | undefined;
    /** Weight of all these pieces together. */
    weight: WeightRequest;
    /** Length of a piece. 0.1 to 10000. */
    length?: number | undefined;
    /** Width of a piece. 0.1 to 10000. */
    width?: number | undefined;
    /** Height of a piece. 0.1 to 10000. */
    height?: number | undefined;
    /** The unit of `length`, `width` and `height`. */
    dimension_unit?: KnownDimensionUnit | undefined;
    /** Class of less-than-truckload freight (NMFC), as text or as a number. Responses have it as text. 50 to 500. */
    freight_class?: FreightClassRequest | undefined;
    /** What the shipping papers say of hazardous goods. */
    hazmat?: HazmatRequest | undefined;
}
/** The value of the freight that the shipper declares. */
export type DeclaredValueRequest = {
    /**
     * The amount as a decimal number.
     * @example 25000.00
     */
    amount: string;
    /**
     * Currency code (ISO 4217).
     * @example USD
     */
    currency: string;
} | null;
/**
 * Degrees Celsius or Fahrenheit.
 * @enum {string}
 */
export type KnownTemperatureUnit = "C" | "F";
/** The temperatures at which the freight is carried. At least one of `min` and `max` is required. */
export type TemperatureRequest = {
    /** The lowest temperature. -300 to 1000. */
    min?: (number | null) | undefined;
    /** The highest temperature, not below `min`. -300 to 1000. */
    max?: (number | null) | undefined;
    /** Degrees Celsius or Fahrenheit. */
    unit: KnownTemperatureUnit;
} | null;
/** The company that transports the shipment. */
export type CarrierRequest = {
    /** Name of the company. At most 100 characters. */
    name: string;
    /**
     * Standard Carrier Alpha Code.
     * @example CSCD
     */
    scac?: (string | null) | undefined;
} | null;
/**
 * Kind of vehicle or trailer.
 * @enum {string}
 */
export type KnownEquipmentType = "dry_van" | "reefer" | "flatbed" | "step_deck" | "lowboy" | "conestoga" | "container" | "tanker" | "box_truck" | "cargo_van" | "hotshot" | "power_only" | "other";
/** What the freight is loaded on. */
export type EquipmentRequest = {
    /** Kind of vehicle or trailer. */
    type?: KnownEquipmentType | undefined;
    /** Number of the trailer or the container. At most 50 characters. */
    trailer_number?: (string | null) | undefined;
    /** Number of the seal. At most 50 characters. */
    seal_number?: (string | null) | undefined;
} | null;
/** Who drives. Without `phone`, that of the previous driver stays. */
export type DriverRequest = {
    /** Name of the driver. At most 100 characters. */
    name?: (string | null) | undefined;
    /** Phone number of the driver. At most 50 characters. */
    phone?: (string | null) | undefined;
} | null;
/** The shipment to create. An optional field that is null is as if it were absent. */
export interface ShipmentRequest {
    /** The kind of shipment. */
    type: KnownShipmentType;
    /** A pickup or delivery address with an optional contact. Its country decides whether it needs `state` and `zip`. */
    origin: AddressRequest;
    /** A pickup or delivery address with an optional contact. Its country decides whether it needs `state` and `zip`. */
    destination: AddressRequest;
    /** Time range for pickup. It may be in the past. An appointment has the same `start` and `end`. */
    pickup_window: PickupWindowRequest;
    /** Time range for delivery. It may be in the past. An appointment has the same `start` and `end`. */
    delivery_window?: DeliveryWindowRequest | undefined;
    /** The shipper's own reference, unique among the account's shipments that have not ended. At most 100 characters. */
    reference?: (string | null) | undefined;
    /** The numbers by which others know the shipment. At most 200 elements. */
    references?: (ShipmentReferenceRequest[] | null) | undefined;
    /** Free text handling instructions. At most 2000 characters. */
    notes?: (string | null) | undefined;
    /** What is shipped. At most 100 elements. */
    items?: (ShipmentItemRequest[] | null) | undefined;
    /** The value of the freight that the shipper declares. */
    declared_value?: DeclaredValueRequest | undefined;
    /** The temperatures at which the freight is carried. At least one of `min` and `max` is required. */
    temperature?: TemperatureRequest | undefined;
    /** The company that transports the shipment. */
    carrier?: CarrierRequest | undefined;
    /** The carrier's name of the service, such as `Expedited`. At most 50 characters. */
    service_level?: (string | null) | undefined;
    /** What the freight is loaded on. */
    equipment?: EquipmentRequest | undefined;
    /** Who drives. Without `phone`, that of the previous driver stays. */
    driver?: DriverRequest | undefined;
    /** Whether the delivery must be signed for. Without it, an unattended delivery is possible. */
    signature_required?: (boolean | null) | undefined;
    /**
     * A code that the proof of delivery must have.
     * @example 4821
     */
    handover_code?: (string | null) | undefined;
}
/** A shipment. Optional fields without a value are absent. */
export interface Shipment {
    /**
     * Identifier of a shipment.
     * @example ship_01kjpx8p02fabr24pa3eywnyp2
     */
    id: ShipmentId;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /** Reason for the cancellation. */
    cancellation_reason?: string;
    /** Time of creation. */
    created_at: string;
    /** Time of the last change of the status or of a field. */
    updated_at: string;
    /** The kind of shipment. */
    type: ShipmentType;
    /** A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
    origin: Address;
    /** A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
    destination: Address;
    /** Time range for pickup. */
    pickup_window: PickupWindow;
    /** Time range for delivery. */
    delivery_window?: {
        /** Beginning of the time range. */
        start: string;
        /** End of the time range. */
        end: string;
    };
    /** The shipper's own reference, unique among the account's shipments that have not ended. At most 100 characters. */
    reference?: Reference;
    /** The numbers by which others know the shipment. At most 200 elements. */
    references?: ShipmentReference[];
    /** Free text handling instructions. */
    notes?: string;
    /** What is shipped. At most 100 elements. */
    items?: ShipmentItem[];
    /**
     * The sums over all items. Weights are rounded to thousandths; those of items in another unit than the first item are
     * converted.
     */
    totals?: ShipmentTotals;
    /** The value of the freight that the shipper declares. */
    declared_value?: DeclaredValue;
    /** The temperatures at which the freight is carried. It has at least one of `min` and `max`. */
    temperature?: Temperature;
    /** The company that transports the shipment. */
    carrier?: Carrier;
    /** The carrier's name of the service, such as `Expedited`. At most 50 characters. */
    service_level?: ServiceLevel;
    /** What the freight is loaded on. The shipper or the carrier sets it. An access of the detail `status` does not show it. */
    equipment?: Equipment;
    /** Who drives. The shipper or the carrier sets it. Only an access of the detail `proof` shows it. */
    driver?: Driver;
    /** Whether the delivery must be signed for. Without it, an unattended delivery is possible. */
    signature_required?: SignatureRequired;
    /** True if the proof of delivery needs the handover code; otherwise absent. */
    handover_code_required?: boolean;
}
/** A shipment with its handover code and the phone of the dispatcher, which no other response has. */
export interface ShipmentWithHandoverCode {
    /**
     * The code that the consignee says to the driver. It is shown to keys with the scope `shipments:write`, and to an
     * access of the kind `track` with the detail `proof`.
     * @example 4821
     */
    handover_code?: string;
    /** The phone of the dispatcher, if the operator of the service has set one. It is shown to an access of the kind `drive`. At most 50 characters. */
    dispatcher_phone?: string;
    /**
     * Identifier of a shipment.
     * @example ship_01kjpx8p02fabr24pa3eywnyp2
     */
    id: ShipmentId;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /** Reason for the cancellation. */
    cancellation_reason?: string;
    /** Time of creation. */
    created_at: string;
    /** Time of the last change of the status or of a field. */
    updated_at: string;
    /** The kind of shipment. */
    type: ShipmentType;
    /** A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
    origin: Address;
    /** A pickup or delivery address with an optional contact. Not every country has a state or a postal code. */
    destination: Address;
    /** Time range for pickup. */
    pickup_window: PickupWindow;
    /** Time range for delivery. */
    delivery_window?: {
        /** Beginning of the time range. */
        start: string;
        /** End of the time range. */
        end: string;
    };
    /** The shipper's own reference, unique among the account's shipments that have not ended. At most 100 characters. */
    reference?: Reference;
    /** The numbers by which others know the shipment. At most 200 elements. */
    references?: ShipmentReference[];
    /** Free text handling instructions. */
    notes?: string;
    /** What is shipped. At most 100 elements. */
    items?: ShipmentItem[];
    /**
     * The sums over all items. Weights are rounded to thousandths; those of items in another unit than the first item are
     * converted.
     */
    totals?: ShipmentTotals;
    /** The value of the freight that the shipper declares. */
    declared_value?: DeclaredValue;
    /** The temperatures at which the freight is carried. It has at least one of `min` and `max`. */
    temperature?: Temperature;
    /** The company that transports the shipment. */
    carrier?: Carrier;
    /** The carrier's name of the service, such as `Expedited`. At most 50 characters. */
    service_level?: ServiceLevel;
    /** What the freight is loaded on. The shipper or the carrier sets it. An access of the detail `status` does not show it. */
    equipment?: Equipment;
    /** Who drives. The shipper or the carrier sets it. Only an access of the detail `proof` shows it. */
    driver?: Driver;
    /** Whether the delivery must be signed for. Without it, an unattended delivery is possible. */
    signature_required?: SignatureRequired;
    /** True if the proof of delivery needs the handover code; otherwise absent. */
    handover_code_required?: boolean;
}
/** Changes of an address or its contact. The address must then have what its country requires. */
export interface AddressChanges {
    /** Company or site. At most 100 characters. */
    company?: (string | null) | undefined;
    /** Street line. At most 200 characters. */
    address?: string | undefined;
    /** Second line, such as a suite, a building or a dock. At most 200 characters. */
    address_2?: (string | null) | undefined;
    /** City or town. At most 100 characters. */
    city?: string | undefined;
    /** State, province or other region. Required where the postal format of the country has it. At most 50 characters. */
    state?: (string | null) | undefined;
    /** Postal code. Required where the postal format of the country has it. Its form is not checked. At most 20 characters. */
    zip?: (string | null) | undefined;
    /**
     * Country code (ISO 3166-1 alpha-2). Without it, the address is in the US.
     * @example CA
     */
    country?: (string | null) | undefined;
    /** Contact name. At most 100 characters. */
    contact_name?: (string | null) | undefined;
    /** Contact phone number. At most 50 characters. */
    contact_phone?: (string | null) | undefined;
}
/** The temperatures at which the freight is carried. At least one of `min` and `max` is a number, and null means none. */
export type TemperatureChanges = {
    /** The lowest temperature. -300 to 1000. */
    min: number | null;
    /** The highest temperature, not below `min`. -300 to 1000. */
    max: number | null;
    /** Degrees Celsius or Fahrenheit. */
    unit: KnownTemperatureUnit;
} | null;
/**
 * The company that transports the shipment. Without `scac`, that of the previous company stays. When it is another company, what
 * the previous one has reported is history: its estimated arrival and its location do not count any more.
 */
export type CarrierChanges = {
    /** Name of the company. At most 100 characters. */
    name: string;
    /**
     * Standard Carrier Alpha Code.
     * @example CSCD
     */
    scac?: (string | null) | undefined;
} | null;
/**
 * Changes of a shipment (RFC 7396). Absent fields stay the same, and null removes an optional one. An object changes the
 * fields that it has; `items`, `references`, `declared_value`, `temperature` and time ranges are replaced as a whole.
 */
export interface ShipmentChanges {
    /** Changes of an address or its contact. The address must then have what its country requires. */
    origin?: AddressChanges | undefined;
    /** Changes of an address or its contact. The address must then have what its country requires. */
    destination?: AddressChanges | undefined;
    /** Time range for pickup. It may be in the past. An appointment has the same `start` and `end`. */
    pickup_window?: PickupWindowRequest | undefined;
    /** Time range for delivery. It may be in the past. An appointment has the same `start` and `end`. */
    delivery_window?: DeliveryWindowRequest | undefined;
    /** The shipper's own reference, unique among the account's shipments that have not ended. At most 100 characters. */
    reference?: (string | null) | undefined;
    /** The numbers by which others know the shipment. At most 200 elements. */
    references?: (ShipmentReferenceRequest[] | null) | undefined;
    /** Free text handling instructions. At most 2000 characters. */
    notes?: (string | null) | undefined;
    /** What is shipped. At most 100 elements. */
    items?: (ShipmentItemRequest[] | null) | undefined;
    /** The value of the freight that the shipper declares. */
    declared_value?: DeclaredValueRequest | undefined;
    /** The temperatures at which the freight is carried. At least one of `min` and `max` is a number, and null means none. */
    temperature?: TemperatureChanges | undefined;
    /**
     * The company that transports the shipment. Without `scac`, that of the previous company stays. When it is another company, what
     * the previous one has reported is history: its estimated arrival and its location do not count any more.
     */
    carrier?: CarrierChanges | undefined;
    /** The carrier's name of the service, such as `Expedited`. At most 50 characters. */
    service_level?: (string | null) | undefined;
    /** What the freight is loaded on. */
    equipment?: EquipmentRequest | undefined;
    /** Who drives. Without `phone`, that of the previous driver stays. */
    driver?: DriverRequest | undefined;
    /** Whether the delivery must be signed for. */
    signature_required?: (boolean | null) | undefined;
    /**
     * A code that the proof of delivery must have. Another one ends the lock after five wrong codes.
     * @example 4821
     */
    handover_code?: (string | null) | undefined;
}
/** A request to cancel a shipment. */
export interface CancelRequest {
    /** Reason for the cancellation. At most 500 characters. */
    reason: string;
}
/**
 * The values of `AccessKind` in this version of the contract.
 * @enum {string}
 */
export type KnownAccessKind = "track" | "drive";
/** The page that the link of an access opens. Absent for an access without a link. */
export type AccessKind = KnownAccessKind | (string & {});
/** A scope that an access can have. */
export type AccessScope = KnownAccessScope | (string & {});
/**
 * The values of `AccessDetail` in this version of the contract.
 * @enum {string}
 */
export type KnownAccessDetail = "status" | "location" | "proof";
/** How much of the tracking status an access shows. Each value also shows what the ones before it show. */
export type AccessDetail = KnownAccessDetail | (string & {});
/**
 * Permission for whoever has its token to use one shipment, such as a carrier, a driver or a tracking page. An expired
 * access is not listed.
 */
export interface Access {
    /**
     * Identifier of an access.
     * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
     */
    id: AccessId;
    /** Who or what has the token. */
    name?: string;
    /** The page that the link of an access opens. Absent for an access without a link. */
    kind?: AccessKind;
    /** What it permits, for this shipment only. At most 10 elements. */
    scopes: AccessScope[];
    /** How much of the tracking status an access shows. Each value also shows what the ones before it show. */
    detail: AccessDetail;
    /** Whether it shows the documents. */
    documents: boolean;
    /** Time of the creation. */
    created_at: string;
    /** When it expires. */
    expires_at: string;
}
/** The accesses to a shipment that have not expired. */
export interface AccessList {
    /** The accesses, oldest first. At most 20 elements. */
    data: Access[];
}
/**
 * A scope that an access can have.
 * @enum {string}
 */
export type KnownAccessScope = "shipments:read" | "tracking:read" | "tracking:write" | "events:read";
/** The access to create. It has a `kind`, `scopes` or both. */
export interface AccessRequest {
    /**
     * The page that its link opens. Without it, the access has no link.
     * @enum {string}
     */
    kind?: ("track" | "drive") | undefined;
    /**
     * What it permits. The key of this request must have these scopes. Required without a `kind`, whose default it
     * replaces. It must contain what the page needs. At most 10 elements.
     */
    scopes?: KnownAccessScope[] | undefined;
    /**
     * How much of the tracking status it shows. The default is `status`, with a `kind` it is `proof`.
     * @enum {string}
     */
    detail?: ("status" | "location" | "proof") | undefined;
    /**
     * Whether it shows the documents of the shipment, with `tracking:read`. Default: false.
     * @default false
     */
    documents?: boolean | undefined;
    /** Who or what gets the token. At most 100 characters. */
    name?: string | undefined;
    /** When it expires, in the future and at most 365 days ahead. The default is 30 days ahead. */
    expires_at?: string | Date | undefined;
}
/** An access with its token, which no other response has. */
export interface AccessWithToken {
    /** The bearer token. Whoever has it has the access. */
    token: string;
    /** The link. It contains the token, so it is a secret, too. Absent for an access without a `kind`. */
    url?: string;
    /**
     * Identifier of an access.
     * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
     */
    id: AccessId;
    /** Who or what has the token. */
    name?: string;
    /** The page that the link of an access opens. Absent for an access without a link. */
    kind?: AccessKind;
    /** What it permits, for this shipment only. At most 10 elements. */
    scopes: AccessScope[];
    /** How much of the tracking status an access shows. Each value also shows what the ones before it show. */
    detail: AccessDetail;
    /** Whether it shows the documents. */
    documents: boolean;
    /** Time of the creation. */
    created_at: string;
    /** When it expires. */
    expires_at: string;
}
/**
 * What the carrier says of the transport (RFC 7396). Absent fields stay the same, null removes one, and an object changes
 * the fields that it has.
 */
export interface TrackingChanges {
    /** What the freight is loaded on. */
    equipment?: EquipmentRequest | undefined;
    /** Who drives. Without `phone`, that of the previous driver stays. */
    driver?: DriverRequest | undefined;
    /** The carrier's number of the shipment. It becomes the only one of the type `pro` among its `references`. At most 100 characters. */
    pro?: (string | null) | undefined;
}
/** What the carrier has said of the transport. Fields without a value are absent. */
export interface TrackingDetails {
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /** What the freight is loaded on. The shipper or the carrier sets it. An access of the detail `status` does not show it. */
    equipment?: Equipment;
    /** Who drives. The shipper or the carrier sets it. Only an access of the detail `proof` shows it. */
    driver?: Driver;
    /** The carrier's number of the shipment, the first of the type `pro` among its `references`. At most 100 characters. */
    pro?: string;
}
/**
 * A status that `recordTrackingEvent` can record.
 * @enum {string}
 */
export type EventStatus = "dispatched" | "picked_up" | "in_transit" | "delivered" | "returned" | "lost";
/**
 * Where an event or an exception happened. It is added to the route with the time at which it happened, unless that is older than the
 * retention time of positions or later than the end of the shipment. Latitude 0 with longitude 0, which devices
 * without a fix report, is refused.
 */
export interface EventLocation {
    /** Latitude in decimal degrees. -90 to 90. */
    lat: Latitude;
    /** Longitude in decimal degrees. -180 to 180. */
    lng: Longitude;
    /** Description of the location. At most 200 characters. */
    address?: string | undefined;
}
/** A status that the shipment has reached. */
export interface TrackingEventRequest {
    /** A status that `recordTrackingEvent` can record. */
    status: EventStatus;
    /**
     * Time at which the status was reached: at most 5 minutes ahead of now, and not later than the end of the shipment. It may be
     * before other events and before the creation of the shipment.
     */
    timestamp: string | Date;
    /** Description of the event. The default depends on the status. At most 500 characters. */
    description?: string | undefined;
    /**
     * Where an event or an exception happened. It is added to the route with the time at which it happened, unless that is older than the
     * retention time of positions or later than the end of the shipment. Latitude 0 with longitude 0, which devices
     * without a fix report, is refused.
     */
    location?: EventLocation | undefined;
    /** Estimated arrival; null if there is none any more. It is ignored if a newer position of the shipment is known. */
    eta?: string | Date | null | undefined;
}
/** A request to void an entry of the timeline. */
export interface VoidRequest {
    /** Why the entry is wrong. At most 500 characters. */
    reason: string;
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
/** A position of the shipment. One with `lat` and `lng` 0, which devices without a fix report, is refused alone. */
export interface PositionReport {
    /** Latitude in decimal degrees. -90 to 90. */
    lat: Latitude;
    /** Longitude in decimal degrees. -180 to 180. */
    lng: Longitude;
    /** Description of the location. At most 200 characters. */
    address?: string | undefined;
    /**
     * Time of the position: at most 5 minutes ahead of now and not older than the retention time, which is 90 days unless
     * the operator configures another time. A position with another time is refused alone.
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
    /** Estimated arrival; null if there is none any more. It is ignored after the end of the shipment, and unless the newest known position is among `positions`. */
    eta?: string | Date | null | undefined;
}
/** What was stored of a request with positions. */
export interface PositionsAccepted {
    /** The number of positions of the request that were accepted. 1 to 100. */
    accepted: number;
    /**
     * The positions of the request that were refused, each with its first error, whose `pointer` begins with
     * `/positions/<index>`. Do not send them again. Absent if there is none. At most 100 elements.
     */
    refused?: FieldError[];
}
/**
 * What goes wrong with a shipment. Accept codes that this list does not have.
 * @enum {string}
 */
export type KnownExceptionCode = "weather_delay" | "traffic_delay" | "breakdown" | "facility_delay" | "appointment_missed" | "nobody_there" | "refused" | "address_wrong" | "closed" | "damaged" | "short" | "over" | "customs_hold" | "lost";
/**
 * Identifier of an upload.
 * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
 */
export type UploadId = string;
/** The exception to raise. */
export interface ExceptionRequest {
    /** What goes wrong with a shipment. Accept codes that this list does not have. */
    code: KnownExceptionCode;
    /** When it happened, at most 5 minutes ahead of now. */
    occurred_at: string | Date;
    /** Description of what happened. At most 500 characters. */
    description?: string | undefined;
    /** The new estimated arrival; null if there is none any more. It is ignored if a newer position of the shipment is known. */
    eta?: string | Date | null | undefined;
    /**
     * Where an event or an exception happened. It is added to the route with the time at which it happened, unless that is older than the
     * retention time of positions or later than the end of the shipment. Latitude 0 with longitude 0, which devices
     * without a fix report, is refused.
     */
    location?: EventLocation | undefined;
    /** Upload ids of kind `photo`. At most 5 elements. */
    photos?: UploadId[] | undefined;
}
/** An exception with the URLs of its photos. */
export interface ShipmentExceptionWithPhotos {
    /**
     * Identifier of an exception.
     * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
     */
    id: ExceptionId;
    /** What goes wrong with a shipment. Accept codes that this list does not have. */
    code: ExceptionCode;
    /** How serious an exception is. */
    severity: ExceptionSeverity;
    /** Who has to act. */
    responsible_party: ExceptionParty;
    /** What may happen next. At most 10 elements. */
    next_steps: ExceptionStep[];
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    shipment_status: ShipmentStatus;
    /** When it happened. */
    occurred_at: string;
    /** Description of what happened. */
    description?: string;
    /** The estimated arrival that was reported with the exception. */
    eta?: string;
    /** Where it happened. */
    location?: ExceptionLocation;
    /** The number of photos. `getException` returns their URLs. 0 to 5. */
    photo_count: number;
    /** When the exception ended. An open exception does not have it. */
    resolved_at?: string;
    /** How the exception ended. */
    resolution?: string;
    /**
     * The access that raised it. Absent if an API key did, and for another access.
     * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
     */
    access_id?: string;
    /** When the exception was voided. One that counts does not have it. */
    voided_at?: string;
    /** Why the exception was voided. */
    void_reason?: string;
    /**
     * URLs of the photos. They are valid for about an hour; read the exception again for new ones. An access of another
     * detail than `proof` gets none. At most 5 elements.
     */
    photos: string[];
}
/** The end of an exception. */
export interface ExceptionResolution {
    /** When the exception ended, at most 5 minutes ahead of now and not before it happened. */
    resolved_at: string | Date;
    /** How the exception ended. At most 500 characters. */
    resolution?: string | undefined;
}
/** A request to void an exception. */
export interface ExceptionVoid {
    /** Why the exception is wrong. At most 500 characters. */
    reason: string;
}
/** A geographic location (WGS 84). */
export interface Coordinates {
    /** Latitude in decimal degrees. -90 to 90. */
    lat: Latitude;
    /** Longitude in decimal degrees. -180 to 180. */
    lng: Longitude;
}
/** Position of the item in `items` of the shipment, from 0. 0 to 99. */
export type ItemIndex = number;
/** Number of pieces that were delivered. 0 to 1000000. */
export type DeliveredPieces = number;
/** The counted pieces of an item of the shipment. Fewer than expected are short, more are over. */
export interface DeliveredItem {
    /** Position of the item in `items` of the shipment, from 0. 0 to 99. */
    index: ItemIndex;
    /** The `pieces` of the item when the proof was submitted. 1 to 100000. */
    pieces_expected: number;
    /** Number of pieces that were delivered. 0 to 1000000. */
    pieces_delivered: DeliveredPieces;
}
/**
 * Evidence that a shipment was delivered, or returned to the shipper. `location` is where that was; it is absent if it was not
 * reported.
 */
export interface ProofOfDelivery {
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /** `returned` if the freight was handed over to the shipper. */
    status: string;
    /** Time of the delivery. */
    delivered_at: string;
    /** Name of the person who signed. Absent if and only if the delivery was unattended. */
    signed_by?: string;
    /**
     * URL of the signature image. It is valid for about an hour; read the proof again for a new one. Absent if and only if
     * the delivery was unattended.
     */
    signature_url?: string;
    /** True if nobody signed for the delivery; otherwise absent. */
    unattended?: boolean;
    /** URLs of the delivery photos, valid as long as `signature_url`. An unattended delivery has at least one. At most 10 elements. */
    photos: string[];
    /** A geographic location (WGS 84). */
    location?: Coordinates;
    /** What the driver or the recipient noted. */
    remarks?: string;
    /** The pieces that were counted, in the order of the request. Absent if none were. At most 100 elements. */
    items?: DeliveredItem[];
    /**
     * The codes of exceptions that fit what was counted: `short` if an item has fewer pieces than expected, `over` if one has
     * more. Nothing is raised automatically: call `raiseException`. Absent if all counted pieces are as expected. At most 10 elements.
     */
    suggested_exceptions?: ExceptionCode[];
}
/** A geographic location (WGS 84). Latitude 0 with longitude 0, which devices without a fix report, is refused. */
export interface CoordinatesRequest {
    /** Latitude in decimal degrees. -90 to 90. */
    lat: Latitude;
    /** Longitude in decimal degrees. -180 to 180. */
    lng: Longitude;
}
/** The counted pieces of an item of the shipment. */
export interface DeliveredItemRequest {
    /** Position of the item in `items` of the shipment, from 0. 0 to 99. */
    index: ItemIndex;
    /** Number of pieces that were delivered. 0 to 1000000. */
    pieces_delivered: DeliveredPieces;
}
/**
 * The proof of the end of a shipment. It has `signed_by` and `signature`, or `unattended: true` and at least
 * one photo, but not both. `location` is where the delivery was made: omit it if it is not known, for example in a hall.
 */
export interface ProofOfDeliveryRequest {
    /**
     * `delivered`, the default, or `returned` for freight that was handed over to the shipper. It is recorded, unless it is
     * recorded already. Default: delivered.
     * @default delivered
     * @enum {string}
     */
    status?: ("delivered" | "returned") | undefined;
    /** Time of the delivery or return, at most 5 minutes ahead of now. */
    delivered_at: string | Date;
    /** Name of the person who signed. Required, unless the delivery is unattended. At most 100 characters. */
    signed_by?: string | undefined;
    /**
     * Upload id of kind `signature`. Required, unless the delivery is unattended.
     * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
     */
    signature?: string | undefined;
    /** Whether the freight is left without a signature. Not possible for a delivery with `signature_required`. */
    unattended?: boolean | undefined;
    /** Upload ids of kind `photo`. An unattended delivery requires at least one. At most 10 elements. */
    photos?: UploadId[] | undefined;
    /** A geographic location (WGS 84). Latitude 0 with longitude 0, which devices without a fix report, is refused. */
    location?: CoordinatesRequest | undefined;
    /** What the driver or the recipient notes, such as visible damage. At most 500 characters. */
    remarks?: string | undefined;
    /**
     * The pieces that were counted, for some or all items of the shipment. An item that the shipment does not have, or that is
     * named twice, returns 400. At most 100 elements.
     */
    items?: DeliveredItemRequest[] | undefined;
    /**
     * The code that the consignee says. Required for a delivery if the shipment has `handover_code_required`, else ignored.
     * After five wrong codes the shipment is locked.
     * @example 4821
     */
    handover_code?: string | undefined;
}
/** Purpose of the file. */
export type FileKind = KnownFileKind | (string & {});
/** Media type of the file. Only documents are `application/pdf` or `image/tiff`. */
export type FileType = KnownFileType | (string & {});
/** Size of the file in bytes. 1 to 20971520. */
export type FileSize = number;
/** An upload that is not part of a proof or an exception, and no document. */
export interface UnfinishedUpload {
    /**
     * Identifier of an upload.
     * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
     */
    upload_id: UploadId;
    /** Purpose of the file. */
    kind: FileKind;
    /** Media type of the file. Only documents are `application/pdf` or `image/tiff`. */
    content_type: FileType;
    /** Size of the file in bytes. 1 to 20971520. */
    size: FileSize;
    /**
     * The access that created it. Absent if an API key did.
     * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
     */
    access_id?: string;
    /** Time of the creation. */
    created_at: string;
    /** When its bytes had arrived. Absent before. */
    received_at?: string;
    /** When it ends. It is later once the bytes have arrived. */
    ends_at: string;
}
/** The unfinished uploads of a shipment. */
export interface ProofUploadList {
    /** The uploads, oldest first. At most 100 elements. */
    data: UnfinishedUpload[];
}
/**
 * Purpose of the file.
 * @enum {string}
 */
export type KnownFileKind = "signature" | "photo" | "document";
/**
 * Media type of the file. Only documents are `application/pdf` or `image/tiff`.
 * @enum {string}
 */
export type KnownFileType = "image/png" | "image/jpeg" | "image/webp" | "application/pdf" | "image/tiff";
/** The file to upload. */
export interface ProofUploadRequest {
    /** Purpose of the file. */
    kind: KnownFileKind;
    /** Media type of the file. Only documents are `application/pdf` or `image/tiff`. */
    content_type: KnownFileType;
    /** Size in bytes. A signature or a photo has at most 10 MiB, a document at most 20 MiB. 1 to 20971520. */
    size: number;
    /**
     * SHA-256 of the bytes, in lower-case hexadecimal.
     * @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
     */
    sha256: string;
}
/** An upload, with the request that sends the bytes of the file. */
export interface ProofUpload {
    /**
     * Identifier of an upload.
     * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
     */
    upload_id: UploadId;
    /** URL to send the bytes to. It needs no API key. */
    upload_url: string;
    /**
     * HTTP method to use.
     * @constant
     */
    method: "PUT";
    /** Headers to send with the bytes. */
    headers: {
        [key: string]: string;
    };
    /** Time at which `upload_url` expires, 15 minutes after it was created. */
    expires_at: string;
}
/**
 * Identifier of a document.
 * @example doc_01kjwpc4a0fay8t7hf795nrvby
 */
export type DocumentId = string;
/** What a document is. Accept types that this list does not have. */
export type DocumentType = KnownDocumentType | (string & {});
/** A document with the URL of its file. */
export interface DocumentWithUrl {
    /**
     * Identifier of a document.
     * @example doc_01kjwpc4a0fay8t7hf795nrvby
     */
    id: DocumentId;
    /** What a document is. Accept types that this list does not have. */
    type: DocumentType;
    /** What the document is. */
    description?: string;
    /** Media type of the file. Only documents are `application/pdf` or `image/tiff`. */
    content_type: FileType;
    /** Size of the file in bytes. 1 to 20971520. */
    size: FileSize;
    /** When it was added. */
    added_at: string;
    /**
     * URL of the file. It is valid for about an hour; list the documents again for a new one. Browsers save a PDF or a TIFF, and
     * show an image.
     */
    url: string;
}
/** The documents of a shipment. */
export interface DocumentList {
    /** The documents, in the order in which they were added. At most 20 elements. */
    data: DocumentWithUrl[];
}
/**
 * What a document is. Accept types that this list does not have.
 * @enum {string}
 */
export type KnownDocumentType = "bill_of_lading" | "proof_of_delivery" | "weight_ticket" | "invoice" | "photo" | "other";
/** The document to add. */
export interface DocumentRequest {
    /**
     * Upload id of kind `document`.
     * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
     */
    upload_id: string;
    /** What a document is. Accept types that this list does not have. */
    type: KnownDocumentType;
    /** What the document is, for people. Useful with the type `other`. At most 500 characters. */
    description?: string | undefined;
    /**
     * Only with the type `proof_of_delivery`: the time of the delivery that the paper proves, at most 5 minutes ahead of now. It
     * records `delivered`, unless that is recorded already.
     */
    delivered_at?: string | Date | undefined;
}
/** Identifier of an event. It contains the position of the event among those of the account. */
export type EventId = string;
/**
 * What has changed.
 * @enum {string}
 */
export type KnownEventType = "shipment.created" | "shipment.updated" | "shipment.destination_changed" | "shipment.cancelled" | "tracking.status_reached" | "tracking.event_voided" | "tracking.location_changed" | "tracking.eta_changed" | "tracking.exception_raised" | "tracking.exception_resolved" | "tracking.exception_voided" | "proof_of_delivery.submitted" | "document.added" | "document.removed" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
/** The current location and the estimated arrival of a shipment, after one of them has changed. */
export interface TrackingChange {
    /**
     * Identifier of a shipment.
     * @example ship_01kjpx8p02fabr24pa3eywnyp2
     */
    shipment_id: ShipmentId;
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /** Estimated arrival; null until it is known. */
    eta: string | null;
    /** The latest reported position; null until one is known. */
    current_location: CurrentLocation | null;
}
/** An exception of a shipment that was raised, resolved or voided. */
export interface ExceptionChange {
    /**
     * Identifier of a shipment.
     * @example ship_01kjpx8p02fabr24pa3eywnyp2
     */
    shipment_id: ShipmentId;
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /**
     * Something that goes wrong with a shipment. It does not change the status. `shipment_status` is the status when it was
     * raised: an exception of a shipment that is `dispatched` concerns the pickup, a later one the delivery. An access of the
     * detail `status` does not get `description`, `location`, `resolution` and `void_reason`.
     */
    exception: ShipmentException;
}
/** A file of a shipment, such as its bill of lading. */
export interface Document {
    /**
     * Identifier of a document.
     * @example doc_01kjwpc4a0fay8t7hf795nrvby
     */
    id: DocumentId;
    /** What a document is. Accept types that this list does not have. */
    type: DocumentType;
    /** What the document is. */
    description?: string;
    /** Media type of the file. Only documents are `application/pdf` or `image/tiff`. */
    content_type: FileType;
    /** Size of the file in bytes. 1 to 20971520. */
    size: FileSize;
    /** When it was added. */
    added_at: string;
}
/** A document of a shipment that was added or removed. */
export interface DocumentChange {
    /**
     * Identifier of a shipment.
     * @example ship_01kjpx8p02fabr24pa3eywnyp2
     */
    shipment_id: ShipmentId;
    /**
     * A prefix, the UTC year of creation and a sequence number. Numbers are unique; gaps are normal.
     * @example FRT-2026-000142
     */
    tracking_number: TrackingNumber;
    /**
     * Status of a shipment: the furthest one that was recorded and is not voided. Statuses can be recorded late, in any order, and
     * some can be skipped.
     */
    status: ShipmentStatus;
    /** A file of a shipment, such as its bill of lading. */
    document: Document;
}
/**
 * Identifier of a webhook endpoint.
 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
 */
export type WebhookEndpointId = string;
/**
 * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
 * 1024. It must have no user name, password or fragment. Responses have it as the URL standard writes it: an international
 * name in Punycode, other characters percent-encoded.
 * @example https://shop.example.com/hooks/waybill
 */
export type WebhookUrl = string;
/** What has changed. */
export type EventType = KnownEventType | (string & {});
/** Whether events are sent. */
export type WebhookEndpointStatus = KnownWebhookEndpointStatus | (string & {});
/**
 * The values of `WebhookDisabledReason` in this version of the contract.
 * @enum {string}
 */
export type KnownWebhookDisabledReason = "requested" | "gone" | "failing";
/** Why the endpoint is disabled; absent if it is enabled. */
export type WebhookDisabledReason = KnownWebhookDisabledReason | (string & {});
/** A URL to which events are sent. */
export interface WebhookEndpoint {
    /**
     * Identifier of a webhook endpoint.
     * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
     */
    id: WebhookEndpointId;
    /**
     * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
     * 1024. It must have no user name, password or fragment. Responses have it as the URL standard writes it: an international
     * name in Punycode, other characters percent-encoded.
     * @example https://shop.example.com/hooks/waybill
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
     * 1024. It must have no user name, password or fragment. Responses have it as the URL standard writes it: an international
     * name in Punycode, other characters percent-encoded.
     * @example https://shop.example.com/hooks/waybill
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
     * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
     */
    id: WebhookEndpointId;
    /**
     * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
     * 1024. It must have no user name, password or fragment. Responses have it as the URL standard writes it: an international
     * name in Punycode, other characters percent-encoded.
     * @example https://shop.example.com/hooks/waybill
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
/**
 * Whether events are sent.
 * @enum {string}
 */
export type KnownWebhookEndpointStatus = "enabled" | "disabled";
/** Changes of a webhook endpoint (RFC 7396). Absent fields stay the same. */
export interface WebhookEndpointChanges {
    /**
     * URL to which events are sent. It begins with `https://` and names a host of the internet, with the port 443 or one from
     * 1024. It must have no user name, password or fragment. Responses have it as the URL standard writes it: an international
     * name in Punycode, other characters percent-encoded.
     * @example https://shop.example.com/hooks/waybill
     */
    url?: WebhookUrl | undefined;
    /** What the endpoint is for. Null removes it. At most 200 characters. */
    description?: (string | null) | undefined;
    /** Types of events that are sent. Empty or null for all, including new ones. At most 50 elements. */
    types?: (KnownEventType[] | null) | undefined;
    /** Whether events are sent. */
    status?: KnownWebhookEndpointStatus | undefined;
}
/** A request for a new secret. */
export interface WebhookSecretRotation {
    /**
     * Hours for which events are also signed with the previous secret, so that you can replace it meanwhile. Use 0 if a secret
     * has become known: then the new one alone signs. 0 to 24. Default: 24.
     * @default 24
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
export type EmptyRequest = Record<string, never>;
/**
 * Identifier of a delivery.
 * @example whd_01kjpx8p1pe3br6jq5y2v9s4tg
 */
export type WebhookDeliveryId = string;
/**
 * The values of `WebhookDeliveryStatus` in this version of the contract.
 * @enum {string}
 */
export type KnownWebhookDeliveryStatus = "pending" | "delivered" | "failed";
/** Status of a delivery. */
export type WebhookDeliveryStatus = KnownWebhookDeliveryStatus | (string & {});
/** The response to an attempt; absent if there was none. */
export interface WebhookResponse {
    /** HTTP status. 100 to 599. */
    status: number;
    /** The first 1000 characters of the body. */
    body: string;
}
/** The last request to the endpoint; absent before the first. */
export interface WebhookAttempt {
    /**
     * URL of the request. Its body is the event.
     * @example https://shop.example.com/hooks/waybill
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
     * @example whd_01kjpx8p1pe3br6jq5y2v9s4tg
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
    /** A change of a shipment or of a webhook endpoint. `type` determines `data`. */
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
 * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
 */
export type FileToken = string;
/** The bytes of a file. */
export type FileBytes = Blob;
/** The resource after the change. The type determines which property is present. */
export interface EventData {
    /** A shipment. Optional fields without a value are absent. */
    shipment?: Shipment;
    /** Status, estimated arrival, current location and timeline of a shipment. */
    tracking?: TrackingStatus;
    /** The current location and the estimated arrival of a shipment, after one of them has changed. */
    tracking_change?: TrackingChange;
    /** An exception of a shipment that was raised, resolved or voided. */
    exception_change?: ExceptionChange;
    /** A document of a shipment that was added or removed. */
    document_change?: DocumentChange;
    /** A URL to which events are sent. */
    webhook_endpoint?: WebhookEndpoint;
}
/** A change of a shipment or of a webhook endpoint. `type` determines `data`. */
export interface Event {
    /** Identifier of an event. It contains the position of the event among those of the account. */
    id: EventId;
    /** What has changed. */
    type: EventType;
    /** Time of the change. */
    created_at: string;
    /** The resource after the change. The type determines which property is present. */
    data: EventData;
}
/**
 * Operation id → parameters, body and responses on success.
 */
export interface operations {
    /**
     * List shipments.
     *
     * Returns the account's shipments, newest first. A shipment that matches the filters throughout the pagination appears
     * exactly once, even if shipments are created or changed meanwhile. To follow every change, list the events instead.
     *
     * Send only one of these filters: `updated_since`, `pickup_before`, `pickup_from` and `pickup_to`, `delivery_from` and
     * `delivery_to`, `has_exception`, `carrier_scac`, `destination_city`. With one of the times, the list is in the order of this
     * time, the earliest first, and `from_date` and `to_date` cannot be sent. `status`, `reference` and `tracking_number` go with
     * all of them, except with `pickup_before`.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /shipments`, scope `shipments:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `cursor_mismatch`, `unauthenticated`, `insufficient_scope`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listShipments()) console.log(item);
     */
    listShipments: {
        parameters: {
            query?: {
                /** Only shipments with this status, or with one of several, separated by commas. At most 20 elements. */
                status?: KnownShipmentStatus | readonly KnownShipmentStatus[];
                /**
                 * Only shipments with this `reference`, or with this value among their `references`, including those that have ended. Case and blanks
                 * do not count: `po 4711` finds `PO4711`.
                 */
                reference?: Reference;
                /** Only the shipment with this tracking number. */
                tracking_number?: TrackingNumber;
                /** Only shipments with an open exception. */
                has_exception?: true;
                /** Only shipments whose `carrier` has this SCAC. */
                carrier_scac?: string;
                /** Only shipments to the city of this name, in capital or small letters. */
                destination_city?: Line;
                /** Only shipments created at or after this time. A date is the start of that day in UTC; a date-time has an offset. */
                from_date?: string | RequestTimestamp;
                /**
                 * Only shipments created before this time. A date includes that whole day in UTC; a date-time is exclusive. It must not
                 * be before `from_date`.
                 */
                to_date?: string | RequestTimestamp;
                /**
                 * Only shipments whose `updated_at` is at or after this time, with the oldest change first. A shipment that changes during
                 * the pagination appears again at its end.
                 */
                updated_since?: RequestTimestamp;
                /**
                 * Only shipments that are not picked up and whose `pickup_window` ends before this time, the earliest end first. With the
                 * present time, these pickups are overdue.
                 */
                pickup_before?: RequestTimestamp;
                /**
                 * Only shipments whose `pickup_window` starts at or after this time, the earliest start first. A date is the start of that day in
                 * UTC; a date-time has an offset.
                 */
                pickup_from?: string | RequestTimestamp;
                /**
                 * Only shipments whose `pickup_window` starts before this time, the earliest start first. A date includes that whole day in UTC; a
                 * date-time is exclusive. It must not be before `pickup_from`.
                 */
                pickup_to?: string | RequestTimestamp;
                /**
                 * Only shipments whose `delivery_window` starts at or after this time, the earliest start first. A date is the start of that day in
                 * UTC; a date-time has an offset.
                 */
                delivery_from?: string | RequestTimestamp;
                /**
                 * Only shipments whose `delivery_window` starts before this time, the earliest start first. A date includes that whole day in UTC; a
                 * date-time is exclusive. It must not be before `delivery_from`.
                 */
                delivery_to?: string | RequestTimestamp;
                /** `tracking` adds its tracking status to each shipment. The key also needs the scope `tracking:read`. */
                include?: "tracking";
                /** Adds `total_count` to the page. */
                total_count?: true;
                /** Maximum number of results per page. 1 to 100. Default: 25. */
                limit?: number;
                /** The `next_cursor` of the previous page. Send the same filters with it; only `limit` and `include` may change. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of shipments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ShipmentList;
                };
            };
        };
    };
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
     * const shipment = await client.createShipment({
     *   type: 'freight',
     *   origin: {
     *     address: '1420 Harbor Avenue SW',
     *     city: 'Seattle',
     *     state: 'WA',
     *     zip: '98126',
     *     contact_name: 'Mara Lindqvist',
     *     contact_phone: '+1 206 555 0142',
     *   },
     *   destination: {
     *     address: '77 Foundry Street',
     *     city: 'Spokane',
     *     state: 'WA',
     *     zip: '99201',
     *     contact_name: 'Owen Castillo',
     *     contact_phone: '+1 509 555 0119',
     *   },
     *   pickup_window: { start: '2026-03-03T16:00:00.000Z', end: '2026-03-03T20:00:00.000Z' },
     *   reference: 'PO-2026-4471',
     *   notes: 'Two pallets of roofing tiles. Dock 4, ring the bell.',
     * });
     */
    createShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ShipmentRequest;
            };
        };
        responses: {
            /** The created shipment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Shipment;
                };
            };
        };
    };
    /**
     * Read a shipment.
     *
     * Returns the shipment with this `id`. No other response has its `handover_code`.
     *
     * `GET /shipments/{shipment_id}`, scope `shipments:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const shipmentWithHandoverCode = await client.getShipment({ shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2' });
     */
    getShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 * (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: ShipmentId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The shipment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ShipmentWithHandoverCode;
                };
            };
            /** The resource has not changed; one of the ETags in `If-None-Match` is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * Change a shipment.
     *
     * Changes the fields of the request (RFC 7396). What is picked up, where and when, can be changed before the shipment is
     * `picked_up`, everything else before it ends, also the destination: the problem `change_not_allowed` has the fields that can
     * still be changed. A shipment that has ended cannot be changed. If one field cannot be changed, none is. A field that is sent with the value that it has is not changed; if no field is, the shipment stays as
     * it is, and there is no event.
     *
     * `PATCH /shipments/{shipment_id}`, scope `shipments:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `change_not_allowed`, `reference_taken`, `precondition_failed`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const shipment = await client.updateShipment({
     *   shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2',
     *   destination: { contact_name: 'Ines Okafor', contact_phone: '+1 509 555 0163' },
     *   delivery_window: null,
     *   references: [{ type: 'appointment', value: 'A-20931' }],
     *   notes: 'Two pallets of roofing tiles. Dock 2, call before you arrive.',
     * });
     */
    updateShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If none is current, the response is 412 and nothing changes
                 * (RFC 9110, section 13.1.1).
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: ShipmentId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ShipmentChanges;
                "application/merge-patch+json": ShipmentChanges;
            };
        };
        responses: {
            /** The shipment after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Shipment;
                };
            };
        };
    };
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
     * const shipment = await client.cancelShipment({
     *   shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2',
     *   reason: 'The consignee moved; a new order follows.',
     * });
     */
    cancelShipment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: ShipmentId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": CancelRequest;
            };
        };
        responses: {
            /** The cancelled shipment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Shipment;
                };
            };
        };
    };
    /**
     * List the accesses to a shipment.
     *
     * Returns the accesses to the shipment that have not expired, oldest first, without their tokens.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /shipments/{shipment_id}/access`, scope `shipments:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listAccesses({ shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2' })) console.log(item);
     */
    listAccesses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: ShipmentId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The accesses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AccessList;
                };
            };
        };
    };
    /**
     * Give access to a shipment.
     *
     * Creates an access and returns its `token` once. Whoever sends the token as a bearer token can use this shipment within
     * `scopes`, until the access expires or is revoked. All other shipments are unknown to it. A shipment has at most 20
     * accesses that have not expired. An access cannot create others.
     *
     * With a `kind`, the response also has the `url` of a page of the service, to send to a consignee or a driver.
     *
     * `POST /shipments/{shipment_id}/access`, scope `shipments:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `access_limit_reached`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const accessWithToken = await client.createAccess({
     *   shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2',
     *   name: 'Cascade Freight, truck 12',
     *   scopes: ['shipments:read', 'tracking:read', 'tracking:write'],
     *   detail: 'proof',
     * });
     */
    createAccess: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: ShipmentId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": AccessRequest;
            };
        };
        responses: {
            /** The access, with its token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": AccessWithToken;
                };
            };
        };
    };
    /**
     * Revoke an access.
     *
     * Revokes the access. Within a second its token is unknown, and its open streams end. URLs of files that it has received
     * stay valid for about an hour.
     *
     * `DELETE /shipments/{shipment_id}/access/{access_id}`, scope `shipments:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * await client.deleteAccess({
     *   shipment_id: 'ship_01kjpx8p02fabr24pa3eywnyp2',
     *   access_id: 'acc_01kjpxj5gtf2r8v5k0m3w7y1zb',
     * });
     */
    deleteAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The shipment's `id`.
                 * @example ship_01kjpx8p02fabr24pa3eywnyp2
                 */
                shipment_id: ShipmentId;
                /**
                 * The access's `id`.
                 * @example acc_01kjpxj5gtf2r8v5k0m3w7y1zb
                 */
                access_id: AccessId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The access is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
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
     * const trackingStatus = await client.getTracking({ tracking_number: 'FRT-2026-000142' });
     */
    getTracking: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 * (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The tracking status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TrackingStatus;
                };
            };
            /** The resource has not changed; one of the ETags in `If-None-Match` is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * Change equipment and driver.
     *
     * Changes what the carrier says of the transport (RFC 7396), before the shipment has ended. The other fields of the shipment
     * belong to the shipper, who changes them with `updateShipment`. A field that is sent with the value
     * that it has is not changed; if no field is, there is no event. Without a detail that shows a field, an access can set it,
     * but does not see it in the response.
     *
     * `PATCH /tracking/{tracking_number}`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `change_not_allowed`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const trackingDetails = await client.updateTracking({
     *   tracking_number: 'FRT-2026-000142',
     *   equipment: { type: 'dry_van', trailer_number: 'CSCD 53117', seal_number: '4478120' },
     *   driver: { name: 'Dana Whitfield', phone: '+1 253 555 0171' },
     *   pro: '471-182003',
     * });
     */
    updateTracking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TrackingChanges;
                "application/merge-patch+json": TrackingChanges;
            };
        };
        responses: {
            /** What the carrier has said, after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TrackingDetails;
                };
            };
        };
    };
    /**
     * Record a tracking event.
     *
     * Records that the shipment has reached a status. Record what you know, when you know it: statuses may be skipped, and earlier
     * ones recorded late. The status of the shipment is the furthest one. If several requests record the same status at once, one
     * succeeds and the others return `status_recorded`. `delivered` needs no proof, unless the shipment has `signature_required` or
     * `handover_code_required`: then submit the proof of delivery. `returned` and `lost` resolve the exceptions that led to them.
     * The event's location becomes the current location, unless a newer position is known.
     *
     * `POST /tracking/{tracking_number}/events`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `invalid_transition`, `status_recorded`, `tracking_event_limit_reached`, `signature_required`, `handover_code_required`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const trackingStatus = await client.recordTrackingEvent({
     *   tracking_number: 'FRT-2026-000142',
     *   status: 'dispatched',
     *   timestamp: '2026-03-03T14:30:00.000Z',
     *   eta: '2026-03-04T14:00:00.000Z',
     * });
     */
    recordTrackingEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": TrackingEventRequest;
            };
        };
        responses: {
            /** The tracking status after the event. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TrackingStatus;
                };
            };
        };
    };
    /**
     * Void a tracking event.
     *
     * Takes back a wrong entry of the timeline, also an end such as `delivered` or `cancelled`. The entry stays in the timeline as
     * voided, and the status of the shipment is the furthest one of the others. A proof of that end is retained, but no longer
     * returned. What came with the entry is history: its estimated arrival and its location do not count any more, and when no driver is
     * assigned without it, nothing that was reported until now does. An access may void what it has recorded
     * itself until the shipment has ended, then for ten minutes after the recording.
     *
     * `POST /tracking/{tracking_number}/events/{event_id}/void`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `void_not_allowed`, `reference_taken`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const trackingStatus = await client.voidTrackingEvent({
     *   tracking_number: 'FRT-2026-000142',
     *   event_id: 'tev_01kjtak8hae8ksr7y1b2c3d4e5',
     *   reason: 'Another shipment was delivered',
     * });
     */
    voidTrackingEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
                /**
                 * The `id` of an entry of the timeline.
                 * @example tev_01kjtak8hae8ksr7y1b2c3d4e5
                 */
                event_id: TrackingEventId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": VoidRequest;
            };
        };
        responses: {
            /** The tracking status without the voided event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": TrackingStatus;
                };
            };
        };
    };
    /**
     * List positions.
     *
     * Returns the shipment's route, oldest position first. Positions are retained for 90 days, unless the operator configures
     * another time, and are removed within a day after that.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /tracking/{tracking_number}/positions`, scope `tracking:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `cursor_mismatch`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listPositions({ tracking_number: 'FRT-2026-000142' })) console.log(item);
     */
    listPositions: {
        parameters: {
            query?: {
                /** Maximum number of results per page. 1 to 100. Default: 25. */
                limit?: number;
                /** The `next_cursor` of the previous page. Send the same filters with it; only `limit` and `include` may change. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of positions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": PositionList;
                };
            };
        };
    };
    /**
     * Record positions.
     *
     * Adds positions to the route of a shipment that is dispatched or later. The position with the greatest timestamp is the
     * current location; late positions are stored and do not change it. Among equal timestamps the report received last
     * wins, for the current location and for the route. After its end, positions do not change the current location, and
     * those that are later than the end are not stored: if all are later, the response is `positions_not_accepted`.
     * A position that cannot be true is refused, and the others are stored: one with a timestamp ahead of now or older than
     * the retention time, and one at latitude 0 and longitude 0, which devices without a fix report. `refused` names these
     * positions; send them no more. If all are refused, the response is `invalid_request`. A position that violates the schema
     * makes the whole request invalid. The response does not depend on stored positions; events report what has changed.
     *
     * `POST /tracking/{tracking_number}/positions`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `positions_not_accepted`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const positionsAccepted = await client.recordPositions({
     *   tracking_number: 'FRT-2026-000142',
     *   positions: [
     *     { lat: 47.5448, lng: -122.1502, updated_at: '2026-03-03T17:12:00.000Z' },
     *     {
     *       lat: 47.5301,
     *       lng: -122.0326,
     *       address: 'I-90 at Issaquah',
     *       updated_at: '2026-03-03T17:20:00.000Z',
     *     },
     *   ],
     *   eta: '2026-03-04T14:00:00.000Z',
     * });
     */
    recordPositions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": PositionsRequest;
            };
        };
        responses: {
            /** The positions are stored, without those in `refused`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": PositionsAccepted;
                };
            };
        };
    };
    /**
     * Raise an exception.
     *
     * Records that something goes wrong, such as a delay or a failed delivery. The status stays; the shipment goes on with
     * tracking events. The exception's location becomes the current location, unless a newer position is known.
     *
     * `POST /tracking/{tracking_number}/exceptions`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unknown_upload`, `unauthenticated`, `insufficient_scope`, `not_found`, `exception_not_accepted`, `exception_limit_reached`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const shipmentException = await client.raiseException({
     *   tracking_number: 'FRT-2026-000142',
     *   code: 'refused',
     *   occurred_at: '2026-03-04T15:20:00.000Z',
     *   description: 'Two crates are wet. The receiver does not sign.',
     *   location: { lat: 47.6626, lng: -117.4207, address: '77 Foundry Street, Spokane' },
     *   photos: ['upl_01kjwjfxt6fsytr0x9a1xe4sfc'],
     * });
     */
    raiseException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExceptionRequest;
            };
        };
        responses: {
            /** The exception. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ShipmentException;
                };
            };
        };
    };
    /**
     * Read an exception.
     *
     * Returns an exception with signed URLs of its photos. `getTracking` returns all exceptions of a shipment.
     *
     * `GET /tracking/{tracking_number}/exceptions/{exception_id}`, scope `tracking:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const shipmentExceptionWithPhotos = await client.getException({
     *   tracking_number: 'FRT-2026-000142',
     *   exception_id: 'exc_01kjwpzbhgf9arrpg0tvmm5q3d',
     * });
     */
    getException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 * (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
                /**
                 * The exception's `id`.
                 * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
                 */
                exception_id: ExceptionId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The exception. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ShipmentExceptionWithPhotos;
                };
            };
            /** The resource has not changed; one of the ETags in `If-None-Match` is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * Resolve an exception.
     *
     * Ends an open exception. `returned` ends those of failed attempts, and `lost` the exception `lost`; only this request ends
     * others: a delivered shipment may still have open exceptions.
     *
     * `POST /tracking/{tracking_number}/exceptions/{exception_id}/resolve`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `exception_resolved`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const shipmentException = await client.resolveException({
     *   tracking_number: 'FRT-2026-000142',
     *   exception_id: 'exc_01kjwpzbhgf9arrpg0tvmm5q3d',
     *   resolved_at: '2026-03-05T09:05:00.000Z',
     *   resolution: 'Repacked and accepted at the second attempt',
     * });
     */
    resolveException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
                /**
                 * The exception's `id`.
                 * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
                 */
                exception_id: ExceptionId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExceptionResolution;
            };
        };
        responses: {
            /** The resolved exception. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ShipmentException;
                };
            };
        };
    };
    /**
     * Void an exception.
     *
     * Withdraws an exception that was raised by mistake, open or resolved. It no longer counts: tracking statuses do not have it, and
     * its estimated arrival and its location are no longer current ones. An access may void what it has raised itself. An exception
     * that was raised before the end of its shipment cannot be voided after it.
     *
     * `POST /tracking/{tracking_number}/exceptions/{exception_id}/void`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `exception_void_not_allowed`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const shipmentException = await client.voidException({
     *   tracking_number: 'FRT-2026-000142',
     *   exception_id: 'exc_01kjwpzbhgf9arrpg0tvmm5q3d',
     *   reason: 'Wrong shipment',
     * });
     */
    voidException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
                /**
                 * The exception's `id`.
                 * @example exc_01kjwpzbhgf9arrpg0tvmm5q3d
                 */
                exception_id: ExceptionId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ExceptionVoid;
            };
        };
        responses: {
            /** The voided exception. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ShipmentException;
                };
            };
        };
    };
    /**
     * Read the proof of delivery.
     *
     * Returns the proof of delivery, or of the return to the shipper, with signed URLs of the photos and, unless it was unattended,
     * of the signature. The proof may follow days after the delivery.
     *
     * `GET /tracking/{tracking_number}/pod`, scope `tracking:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `proof_not_available`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const proofOfDelivery = await client.getProofOfDelivery({ tracking_number: 'FRT-2026-000142' });
     */
    getProofOfDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 * (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The proof of delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ProofOfDelivery;
                };
            };
            /** The resource has not changed; one of the ETags in `If-None-Match` is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * Submit the proof of delivery.
     *
     * Stores the proof of delivery, and records `delivered` unless it is recorded already. With `status: returned` it is the
     * proof of the return to the shipper. Upload the files first. A delivery without a signature is `unattended` and has at
     * least one photo; the shipper can forbid it with `signature_required`. A shipment with `handover_code_required` needs the
     * code of the consignee, too.
     *
     * Send the pieces that were counted in `items`. If some are short or over, the response has `suggested_exceptions`.
     *
     * `POST /tracking/{tracking_number}/pod`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unknown_upload`, `unauthenticated`, `insufficient_scope`, `not_found`, `invalid_transition`, `proof_submitted`, `tracking_event_limit_reached`, `signature_required`, `handover_code_required`, `handover_code_wrong`, `handover_code_locked`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const proofOfDelivery = await client.submitProofOfDelivery({
     *   tracking_number: 'FRT-2026-000142',
     *   delivered_at: '2026-03-04T14:02:00.000Z',
     *   signed_by: 'Owen Castillo',
     *   signature: 'upl_01kjwjfxt6fsytr0x9a1xe4sfc',
     *   photos: ['upl_01kjwjfzj0f2pbwwt3y0b8j32h'],
     *   location: { lat: 47.6588, lng: -117.426 },
     * });
     */
    submitProofOfDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ProofOfDeliveryRequest;
            };
        };
        responses: {
            /** The stored proof of delivery. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ProofOfDelivery;
                };
            };
        };
    };
    /**
     * List unfinished uploads.
     *
     * Returns the uploads of the shipment that have not ended and are not part of a proof or an exception, and no documents, oldest
     * first and at most 100. An API key gets those of all accesses and keys, an access token only its own.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /tracking/{tracking_number}/pod/uploads`, scope `tracking:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listProofUploads({ tracking_number: 'FRT-2026-000142' })) console.log(item);
     */
    listProofUploads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The unfinished uploads. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ProofUploadList;
                };
            };
        };
    };
    /**
     * Create an upload.
     *
     * Creates an upload for a file and returns the URL for its bytes. Use the upload in the proof of delivery or, if it is a photo,
     * in an exception of this shipment, or, if it is a document, in `addDocument`.
     *
     * A signature or a photo is a PNG, JPEG or WebP image of at most 10 MiB, a document also a PDF or a TIFF, of at most 20 MiB; others
     * return 400.
     *
     * A shipment that is cancelled or lost accepts only documents.
     * An upload ends an hour after its creation, or 24 hours after it if its bytes have arrived, unless it is a document or part of a
     * proof or an exception. Before its bytes arrive, it also ends when the access that created it is revoked. Each access has at most 20
     * uploads of a shipment that have not ended, and so have API keys together: `deleteProofUpload` removes those that nobody
     * needs. Each creates at most 40 in an hour, those that are removed included. The total size of an account's files is
     * limited too. These limits return 429, which is not stored under the `Idempotency-Key`.
     *
     * `POST /tracking/{tracking_number}/pod/uploads`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `uploads_not_accepted`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `upload_limit_reached`, `storage_quota_exceeded`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const proofUpload = await client.createProofUpload({
     *   tracking_number: 'FRT-2026-000142',
     *   kind: 'signature',
     *   content_type: 'image/png',
     *   size: 18342,
     *   sha256: '5f7c1e0b8a6d94e2f30c57a1b2d8e46990fd3c7be15a28640c9e7d31f8b2a405',
     * });
     */
    createProofUpload: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": ProofUploadRequest;
            };
        };
        responses: {
            /** The created upload. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ProofUpload;
                };
            };
        };
    };
    /**
     * Remove an unfinished upload.
     *
     * Ends an upload that `listProofUploads` returns, so that another one can be created. An access token removes only its own.
     * An upload that has ended, or that is a document or part of a proof or an exception, returns 404. The service removes the bytes about an
     * hour later.
     *
     * `DELETE /tracking/{tracking_number}/pod/uploads/{upload_id}`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * await client.deleteProofUpload({
     *   tracking_number: 'FRT-2026-000142',
     *   upload_id: 'upl_01kjwjfxt6fsytr0x9a1xe4sfc',
     * });
     */
    deleteProofUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
                /**
                 * The upload's `upload_id`.
                 * @example upl_01kjwjfxt6fsytr0x9a1xe4sfc
                 */
                upload_id: UploadId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The upload is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * List documents.
     *
     * Returns the documents of the shipment with signed URLs of their files, in the order in which they were added. An access token
     * needs `documents: true`.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /tracking/{tracking_number}/documents`, scope `tracking:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listDocuments({ tracking_number: 'FRT-2026-000142' })) console.log(item);
     */
    listDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DocumentList;
                };
            };
        };
    };
    /**
     * Add a document.
     *
     * Adds an uploaded file to the shipment, in every status, also after its end. Create the upload with `createProofUpload` and
     * the kind `document`, and send the bytes first. A shipment has at most 20 documents. `deleteDocument` removes a wrong one.
     *
     * A proof of delivery on paper completes the delivery: with `delivered_at`, the status becomes `delivered`, as by
     * `recordTrackingEvent`. That is not possible if the shipper requires a signature or a handover code. The paper is a document and no
     * proof of delivery of its own: `getProofOfDelivery` returns 404 until one is submitted.
     *
     * `POST /tracking/{tracking_number}/documents`, scope `tracking:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unknown_upload`, `unauthenticated`, `insufficient_scope`, `not_found`, `document_limit_reached`, `invalid_transition`, `signature_required`, `handover_code_required`, `tracking_event_limit_reached`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const documentWithUrl = await client.addDocument({
     *   tracking_number: 'FRT-2026-000142',
     *   upload_id: 'upl_01kjwpc4a0fay8t7hf795nrvby',
     *   type: 'bill_of_lading',
     *   description: 'Signed by the shipper, two pages',
     * });
     */
    addDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": DocumentRequest;
            };
        };
        responses: {
            /** The added document. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": DocumentWithUrl;
                };
            };
        };
    };
    /**
     * Remove a document.
     *
     * Removes a document from the shipment. The URL of its file returns 404 at once, and the service removes the bytes about an hour
     * later.
     *
     * `DELETE /tracking/{tracking_number}/documents/{document_id}`, scope `shipments:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * await client.deleteDocument({
     *   tracking_number: 'FRT-2026-000142',
     *   document_id: 'doc_01kjwpc4a0fay8t7hf795nrvby',
     * });
     */
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The shipment's `tracking_number`.
                 * @example FRT-2026-000142
                 */
                tracking_number: TrackingNumber;
                /**
                 * The document's `id`.
                 * @example doc_01kjwpc4a0fay8t7hf795nrvby
                 */
                document_id: DocumentId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The document is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * List events.
     *
     * Returns the changes of the account's shipments in one order, which never changes. The events of a shipment are in the
     * order of its changes. The list has no end: send `next_after` as `after` of the next request, and no event is missed
     * and none is returned twice. With `wait`, the response is sent as soon as there is an event. An event is listed when
     * its change is stored. Events are retained for 30 days, and are removed within a day after that.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /events`, scope `events:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `events_expired`, `rate_limited`, `too_many_streams`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listEvents()) console.log(item);
     */
    listEvents: {
        parameters: {
            query?: {
                /**
                 * The `next_after` of the previous response, or the `id` of an event of the list. Only later events are returned. Without it, the list
                 * starts with the oldest event that is retained.
                 */
                after?: EventId;
                /** Only events of these types, separated by commas. By default all types are returned. At most 50 elements. */
                types?: KnownEventType | readonly KnownEventType[];
                /** Maximum number of results per page. 1 to 100. Default: 25. */
                limit?: number;
                /** Seconds to wait for an event if there is none yet. After that, the response is an empty list. 0 to 30. Default: 0. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The next events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": EventList;
                };
            };
        };
    };
    /**
     * Stream events.
     *
     * Sends the events of `listEvents` as they are stored, over one response: Server-Sent Events (HTML Standard).
     * First come the events after `Last-Event-ID` or `after` that are already stored, then new ones.
     *
     * The iteration reconnects after the last event when the stream ends, and when nothing has arrived for 45 s: it never
     * ends, misses no event and yields none twice. It retries and rejects like `followEvents`, and needs a `fetch` whose
     * responses have a `ReadableStream` as their body.
     *
     * `GET /events/stream`, scope `events:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `events_expired`, `rate_limited`, `too_many_streams`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const event of client.streamEvents()) console.log(event.type);
     */
    streamEvents: {
        parameters: {
            query?: {
                /**
                 * The `next_after` of the previous response, or the `id` of an event of the list. Only later events are returned. Without it, the list
                 * starts with the oldest event that is retained.
                 */
                after?: EventId;
                /** Only events of these types, separated by commas. By default all types are returned. At most 50 elements. */
                types?: KnownEventType | readonly KnownEventType[];
            };
            header?: {
                /** The last `id` that was received. Only later events are sent. It takes precedence over `after`. */
                "Last-Event-ID"?: EventId;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *
                     * id: evt_01kjtbdx4ye008000000000153
                     * event: tracking.status_reached
                     * data: {"id":"evt_01kjtbdx4ye008000000000153","type":"tracking.status_reached","created_at":"2026-03-03T17:20:15.006Z","data":{"tracking":{"tracking_number":"FRT-2026-000142","status":"in_transit","eta":"2026-03-04T14:00:00.000Z","current_location":{"lat":47.5301,"lng":-122.0326,"address":"I-90 at Issaquah","updated_at":"2026-03-03T17:20:00.000Z"},"timeline":[{"status":"scheduled","timestamp":"2026-03-02T09:15:00.482Z","description":"Shipment created"},{"status":"dispatched","timestamp":"2026-03-03T14:30:00.000Z","description":"Driver assigned"},{"status":"picked_up","timestamp":"2026-03-03T17:05:00.000Z","description":"Picked up from the origin"},{"status":"in_transit","timestamp":"2026-03-03T17:20:00.000Z","description":"Left Seattle on I-90 eastbound"}]}}}
                     *
                     * : heartbeat
                     */
                    "text/event-stream": EventStream;
                };
            };
        };
    };
    /**
     * List webhook endpoints.
     *
     * Returns all webhook endpoints of the account, oldest first.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /webhook_endpoints`, scope `webhooks:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listWebhookEndpoints()) console.log(item);
     */
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookEndpointList;
                };
            };
        };
    };
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
     * const webhookEndpointWithSecret = await client.createWebhookEndpoint({
     *   url: 'https://shop.example.com/hooks/waybill',
     *   description: 'Order status in the shop',
     *   types: ['tracking.status_reached', 'proof_of_delivery.submitted'],
     * });
     */
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookEndpointRequest;
            };
        };
        responses: {
            /** The created endpoint, with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookEndpointWithSecret;
                };
            };
        };
    };
    /**
     * Read a webhook endpoint.
     *
     * Returns the endpoint, without its secret.
     *
     * `GET /webhook_endpoints/{webhook_endpoint_id}`, scope `webhooks:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const webhookEndpoint = await client.getWebhookEndpoint({ webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd' });
     */
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If one is still current, the response is 304 without a body
                 * (RFC 9110, section 13.1.2).
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookEndpoint;
                };
            };
            /** The resource has not changed; one of the ETags in `If-None-Match` is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * Delete a webhook endpoint.
     *
     * Deletes the endpoint and its deliveries. No more events are sent to it.
     *
     * `DELETE /webhook_endpoints/{webhook_endpoint_id}`, scope `webhooks:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `precondition_failed`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * await client.deleteWebhookEndpoint({ webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd' });
     */
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If none is current, the response is 412 and nothing changes
                 * (RFC 9110, section 13.1.1).
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The endpoint is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * Change a webhook endpoint.
     *
     * Changes the fields of the request (RFC 7396): absent ones stay the same, and null restores the default. Events after the response are sent by the changed endpoint only: none to the previous
     * URL, none of a type that it has no more, and none if it is disabled. Events before it that are not yet queued are also
     * selected by the new `types`; deliveries that are queued already are sent to the new URL whatever their type. A disabled
     * endpoint gets no events; when it is enabled again, it gets those of the last 30 days.
     *
     * `PATCH /webhook_endpoints/{webhook_endpoint_id}`, scope `webhooks:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `precondition_failed`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const webhookEndpoint = await client.updateWebhookEndpoint({
     *   webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd',
     *   description: 'Order status and maps',
     * });
     */
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * ETags of earlier responses, separated by commas, or `*`. If none is current, the response is 412 and nothing changes
                 * (RFC 9110, section 13.1.1).
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookEndpointChanges;
                "application/merge-patch+json": WebhookEndpointChanges;
            };
        };
        responses: {
            /** The changed endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookEndpoint;
                };
            };
        };
    };
    /**
     * Replace the secret.
     *
     * Creates a new secret, which only this response has. For 24 hours, events are signed with the previous secret, too, and with
     * those before it until their own 24 hours have passed. The signature of the new one is the first. At most 5 secrets sign.
     * With `previous_valid_hours: 0`, only the new one does. Events after the response are signed with the new secret.
     *
     * `POST /webhook_endpoints/{webhook_endpoint_id}/rotate_secret`, scope `webhooks:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `secret_limit_reached`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const webhookEndpointWithSecret = await client.rotateWebhookSecret({
     *   webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd',
     *   previous_valid_hours: 24,
     * });
     */
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookSecretRotation;
            };
        };
        responses: {
            /** The endpoint, with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookEndpointWithSecret;
                };
            };
        };
    };
    /**
     * Send the events of a time range again.
     *
     * Sends all events of a time range again that have the types of the endpoint, for example after an outage. They have
     * the same event ids. New events do not wait for a replay. Several ranges are sent one after the other; one that has not begun is
     * not added again. An endpoint has at most 20 unfinished replays.
     *
     * `POST /webhook_endpoints/{webhook_endpoint_id}/replay`, scope `webhooks:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `delivery_limit_reached`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const webhookReplay = await client.replayWebhookEvents({
     *   webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd',
     *   from: '2026-03-02T09:00:00Z',
     *   to: '2026-03-02T11:00:00Z',
     * });
     */
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": WebhookReplayRequest;
            };
        };
        responses: {
            /** The time range that is sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookReplay;
                };
            };
        };
    };
    /**
     * Send a test event.
     *
     * Sends an event of the type `webhook_endpoint.test` to this endpoint only, whatever its types are. If the
     * endpoint is disabled, the event is sent when it is enabled again. An endpoint has at most 100 pending deliveries of
     * test events and of events that were sent again.
     *
     * `POST /webhook_endpoints/{webhook_endpoint_id}/test`, scope `webhooks:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `delivery_limit_reached`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const webhookDelivery = await client.sendTestWebhook({ webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd' });
     */
    sendTestWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The delivery of the test event. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookDelivery;
                };
            };
        };
    };
    /**
     * List deliveries.
     *
     * Returns the deliveries of an endpoint, newest first, each with its event and its last attempt. Deliveries are
     * retained for 30 days. A delivery that is queued or attempted meanwhile does not change the order.
     *
     * Await the result for one page, or iterate over it for the items of all pages.
     *
     * `GET /webhook_endpoints/{webhook_endpoint_id}/deliveries`, scope `webhooks:read`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `cursor_mismatch`, `unauthenticated`, `insufficient_scope`, `not_found`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * for await (const item of client.listWebhookDeliveries({ webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd' })) console.log(item);
     */
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** Maximum number of results per page. 1 to 100. Default: 25. */
                limit?: number;
                /** The `next_cursor` of the previous page. Send the same filters with it; only `limit` and `include` may change. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookDeliveryList;
                };
            };
        };
    };
    /**
     * Send an event again.
     *
     * Sends the event of a delivery again, with the same event id. The result is a new delivery.
     * An endpoint has at most 100 pending deliveries of this operation and of test events.
     *
     * `POST /webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend`, scope `webhooks:write`.
     *
     * @throws {WaybillError} with the code `invalid_request`, `malformed_request`, `unauthenticated`, `insufficient_scope`, `not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `rate_limited`, `delivery_limit_reached`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const webhookDelivery = await client.resendWebhookDelivery({
     *   webhook_endpoint_id: 'whe_01kjpx8p02e0n8wk1xmhc3p7vd',
     *   delivery_id: 'whd_01kjpx8p1pe3br6jq5y2v9s4tg',
     * });
     */
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * A unique value of at most 255 ASCII characters, such as a UUID, that makes it safe to repeat this request. For 24 hours, the
                 * same request with the same key returns the stored response and has no further effect.
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * The endpoint's `id`.
                 * @example whe_01kjpx8p02e0n8wk1xmhc3p7vd
                 */
                webhook_endpoint_id: WebhookEndpointId;
                /**
                 * The delivery's `id`.
                 * @example whd_01kjpx8p1pe3br6jq5y2v9s4tg
                 */
                delivery_id: WebhookDeliveryId;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The new delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": WebhookDelivery;
                };
            };
        };
    };
    /**
     * Upload a file.
     *
     * Stores the bytes of an upload after checking their size, type and SHA-256, and that they are a whole file within these limits.
     * A refusal says which of them is exceeded, and by what. The service checks no file for viruses. A stored file never changes:
     * sending the same bytes again has no effect, and other bytes return 409.
     *
     * - An image is 1 to 16,384 pixels wide and high, and has at most 67,108,864 pixels, as 8192 × 8192. Of a TIFF, the first page is
     *   such an image.
     * - A JPEG or PNG has at most 1,000 segments or chunks of less than 1,024 bytes. Larger ones, such as those of metadata, have no limit.
     * - The header of a PDF, `%PDF-`, is in its first 1,024 bytes, with no `<` before it. `%%EOF` is in its last 1,024 bytes. NUL
     *   and white space after them do not count.
     *
     * The bytes are returned as they are stored, with their metadata, also to those who read the shipment by an access. Photos
     * of a phone often contain where they were made (EXIF): remove what others must not see before you upload them.
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
     * await client.putProofFile({
     *   url: 'http://localhost:3000/v1/uploads/QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ',
     *   file: new Blob([bytes], { type: 'image/png' }),
     * });
     */
    putProofFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The signed token in an upload URL.
                 * @example QIWiIton54tIyzZQV0CX80ELeagFRX_jyONDFAuOKkNrjQj5HMsgDMT2Lfts3DBOVXHMlCQ
                 */
                upload_token: FileToken;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": FileBytes;
                "image/jpeg": FileBytes;
                "image/webp": FileBytes;
                "application/pdf": FileBytes;
                "image/tiff": FileBytes;
            };
        };
        responses: {
            /** The file is stored. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    /**
     * Download a file.
     *
     * Returns the bytes of a file as they were uploaded, with their metadata. The proof of delivery, the exception or the document has its
     * URL, which is valid for about an hour. Browsers save a PDF or a TIFF, and show an image.
     *
     * `GET /files/{file_token}`, with a signed URL instead of an API key.
     *
     * @throws {WaybillError} with the code `invalid_request`, `not_found`, `link_expired`, `rate_limited`, `internal_error` or `unavailable`
     * @throws {ConnectionError} when no complete response arrives, `TimeoutError` when the time is over
     * @throws {UnexpectedResponseError} when the response does not come from the service
     * @throws {AbortError} when `signal` aborts
     * @example
     * const file = await client.getProofFile({
     *   url: 'http://localhost:3000/v1/files/AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY',
     * });
     */
    getProofFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * The signed token in a file URL.
                 * @example AHPsJm1PtK2_PRBKpxT58RAy_Yq22IKfxAtSyG9khdeSjMLr1GRvP-PzdL4R2QW_S-J1-oY
                 */
                file_token: FileToken;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": FileBytes;
                    "image/jpeg": FileBytes;
                    "image/webp": FileBytes;
                    "application/pdf": FileBytes;
                    "image/tiff": FileBytes;
                };
            };
        };
    };
}

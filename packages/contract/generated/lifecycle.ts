// Made from spec/ by `pnpm generate`. Do not edit.
import type { operationTable } from './operations.ts';
import type { components } from './types.ts';

type ExceptionCode = components['schemas']['ExceptionCode'];
type ShipmentStatus = components['schemas']['ShipmentStatus'];

/** What a status is. */
export interface StatusRule {
  /** The status of a shipment is the recorded one with the highest rank. */
  rank: number;
  /** The statuses that it can follow. */
  from: ShipmentStatus[];
  /** The operations that record it. */
  operations: (keyof typeof operationTable)[];
  /** Default description of the timeline entry. */
  description: string;
  /** The codes of exceptions that it ends. */
  resolves: ExceptionCode[];
}

export const lifecycle: Record<ShipmentStatus, StatusRule> = {
  "scheduled": {
    "rank": 0,
    "operations": [
      "createShipment"
    ],
    "description": "Shipment created",
    "from": [],
    "resolves": []
  },
  "dispatched": {
    "rank": 1,
    "operations": [
      "recordTrackingEvent"
    ],
    "description": "Driver assigned",
    "from": [
      "scheduled"
    ],
    "resolves": []
  },
  "picked_up": {
    "rank": 2,
    "operations": [
      "recordTrackingEvent"
    ],
    "description": "Picked up from the origin",
    "from": [
      "scheduled",
      "dispatched"
    ],
    "resolves": []
  },
  "in_transit": {
    "rank": 3,
    "operations": [
      "recordTrackingEvent"
    ],
    "description": "On the way to the destination",
    "from": [
      "scheduled",
      "dispatched",
      "picked_up"
    ],
    "resolves": []
  },
  "delivered": {
    "rank": 4,
    "operations": [
      "submitProofOfDelivery",
      "recordTrackingEvent"
    ],
    "description": "Delivered",
    "from": [
      "scheduled",
      "dispatched",
      "picked_up",
      "in_transit"
    ],
    "resolves": []
  },
  "cancelled": {
    "rank": 4,
    "from": [
      "scheduled",
      "dispatched"
    ],
    "operations": [
      "cancelShipment"
    ],
    "description": "Shipment cancelled",
    "resolves": []
  },
  "returned": {
    "rank": 4,
    "from": [
      "picked_up",
      "in_transit"
    ],
    "operations": [
      "submitProofOfDelivery",
      "recordTrackingEvent"
    ],
    "description": "Returned to the shipper",
    "resolves": [
      "nobody_there",
      "refused",
      "address_wrong",
      "closed"
    ]
  },
  "lost": {
    "rank": 4,
    "from": [
      "dispatched",
      "picked_up",
      "in_transit"
    ],
    "operations": [
      "recordTrackingEvent"
    ],
    "description": "Lost",
    "resolves": [
      "lost"
    ]
  }
};

/** Fields that `updateShipment` changes in each status from which `until` can be reached. */
export interface ChangeRow {
  until: ShipmentStatus;
  /** What the fields are, for people. */
  description: string;
  /** JSON pointers into the request. */
  fields: string[];
}

export const changes: ChangeRow[] = [
  {
    "until": "picked_up",
    "description": "Origin, items, declared value and pickup window",
    "fields": [
      "/origin/address",
      "/origin/address_2",
      "/origin/city",
      "/origin/state",
      "/origin/zip",
      "/origin/country",
      "/items",
      "/declared_value",
      "/pickup_window"
    ]
  },
  {
    "until": "delivered",
    "description": "Destination, delivery window, temperature, carrier, vehicle, companies, contacts, references, notes and handover code",
    "fields": [
      "/destination/address",
      "/destination/address_2",
      "/destination/city",
      "/destination/state",
      "/destination/zip",
      "/destination/country",
      "/delivery_window",
      "/temperature",
      "/carrier",
      "/service_level",
      "/signature_required",
      "/origin/company",
      "/origin/contact_name",
      "/origin/contact_phone",
      "/destination/company",
      "/destination/contact_name",
      "/destination/contact_phone",
      "/reference",
      "/references",
      "/notes",
      "/handover_code",
      "/equipment",
      "/driver"
    ]
  }
];

export const statuses: Record<ShipmentStatus, string> = {
  "scheduled": "Created; the first status of every shipment.",
  "dispatched": "A driver has been assigned.",
  "picked_up": "Picked up from the origin.",
  "in_transit": "On the way to the destination.",
  "delivered": "Completed. The proof of delivery may follow later.",
  "cancelled": "Cancelled by the shipper before pickup.",
  "returned": "Brought back to the shipper.",
  "lost": "Given up, because it cannot be found."
};

/** Status → whether positions also update the current location (`move`) or are only stored (`keep`). Other statuses accept none. */
export const positionRules: Partial<Record<ShipmentStatus, 'move' | 'keep'>> = {
  "dispatched": "move",
  "picked_up": "move",
  "in_transit": "move",
  "delivered": "keep",
  "returned": "keep",
  "lost": "keep"
};

// Made from spec/ by `pnpm generate`. Do not edit.
import type { operationTable } from './operations.ts';
import type { components } from './types.ts';

type ShipmentStatus = components['schemas']['ShipmentStatus'];

/** A possible status change. `from` is null for the creation of a shipment. */
export interface Transition {
  from: ShipmentStatus | null;
  to: ShipmentStatus;
  operation: keyof typeof operationTable;
  /** Default description of the timeline entry. */
  description: string;
}

export const transitions: Transition[] = [
  {
    "from": null,
    "to": "scheduled",
    "operation": "createShipment",
    "description": "Shipment created"
  },
  {
    "from": "scheduled",
    "to": "dispatched",
    "operation": "recordTrackingEvent",
    "description": "Driver assigned"
  },
  {
    "from": "dispatched",
    "to": "picked_up",
    "operation": "recordTrackingEvent",
    "description": "Picked up from the origin"
  },
  {
    "from": "picked_up",
    "to": "in_transit",
    "operation": "recordTrackingEvent",
    "description": "On the way to the destination"
  },
  {
    "from": "in_transit",
    "to": "delivered",
    "operation": "submitProofOfDelivery",
    "description": "Delivered"
  },
  {
    "from": "scheduled",
    "to": "cancelled",
    "operation": "cancelShipment",
    "description": "Shipment cancelled"
  },
  {
    "from": "dispatched",
    "to": "cancelled",
    "operation": "cancelShipment",
    "description": "Shipment cancelled"
  }
];

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
    "until": "dispatched",
    "description": "Addresses and items",
    "fields": [
      "/origin/address",
      "/origin/city",
      "/origin/state",
      "/origin/zip",
      "/origin/country",
      "/destination/address",
      "/destination/city",
      "/destination/state",
      "/destination/zip",
      "/destination/country",
      "/items"
    ]
  },
  {
    "until": "picked_up",
    "description": "Time ranges, carrier and service",
    "fields": [
      "/pickup_window",
      "/delivery_window",
      "/carrier",
      "/service_level",
      "/signature_required"
    ]
  },
  {
    "until": "delivered",
    "description": "Contacts, notes and handover code",
    "fields": [
      "/origin/contact_name",
      "/origin/contact_phone",
      "/destination/contact_name",
      "/destination/contact_phone",
      "/notes",
      "/handover_code"
    ]
  }
];

export const statuses: Record<ShipmentStatus, string> = {
  "scheduled": "Created; the first status of every shipment.",
  "dispatched": "A driver has been assigned.",
  "picked_up": "Picked up from the origin.",
  "in_transit": "On the way to the destination.",
  "delivered": "Completed, with proof of delivery.",
  "cancelled": "Cancelled by the shipper before pickup."
};

/** Status → whether positions also update the current location (`move`) or are only stored (`keep`). Other statuses accept none. */
export const positionRules: Partial<Record<ShipmentStatus, 'move' | 'keep'>> = {
  "dispatched": "move",
  "picked_up": "move",
  "in_transit": "move",
  "delivered": "keep"
};

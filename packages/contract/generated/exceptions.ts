// Made from spec/ by `pnpm generate`. Do not edit.
import type { components } from './types.ts';

type ExceptionCode = components['schemas']['ExceptionCode'];
type ShipmentException = components['schemas']['ShipmentException'];

/** What the code of an exception says of it. */
export interface ExceptionKind {
  severity: ShipmentException['severity'];
  responsible: ShipmentException['responsible_party'];
  next: ShipmentException['next_steps'];
  /** The statuses in which it can be raised. */
  statuses: ShipmentException['shipment_status'][];
}

export const exceptionKinds: Record<ExceptionCode, ExceptionKind> = {
  "weather_delay": {
    "severity": "low",
    "responsible": "nobody",
    "next": [
      "wait"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "traffic_delay": {
    "severity": "low",
    "responsible": "nobody",
    "next": [
      "wait"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "breakdown": {
    "severity": "medium",
    "responsible": "carrier",
    "next": [
      "wait"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "facility_delay": {
    "severity": "low",
    "responsible": "consignee",
    "next": [
      "wait"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "appointment_missed": {
    "severity": "medium",
    "responsible": "carrier",
    "next": [
      "reschedule"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "nobody_there": {
    "severity": "medium",
    "responsible": "consignee",
    "next": [
      "reschedule",
      "return"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "refused": {
    "severity": "high",
    "responsible": "consignee",
    "next": [
      "reschedule",
      "return"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "address_wrong": {
    "severity": "high",
    "responsible": "shipper",
    "next": [
      "correct_address",
      "return"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "closed": {
    "severity": "medium",
    "responsible": "consignee",
    "next": [
      "reschedule"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "damaged": {
    "severity": "high",
    "responsible": "carrier",
    "next": [
      "claim"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit",
      "delivered"
    ]
  },
  "short": {
    "severity": "high",
    "responsible": "carrier",
    "next": [
      "claim"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit",
      "delivered"
    ]
  },
  "over": {
    "severity": "medium",
    "responsible": "carrier",
    "next": [
      "return"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit",
      "delivered"
    ]
  },
  "customs_hold": {
    "severity": "high",
    "responsible": "shipper",
    "next": [
      "wait"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  },
  "lost": {
    "severity": "high",
    "responsible": "carrier",
    "next": [
      "claim"
    ],
    "statuses": [
      "dispatched",
      "picked_up",
      "in_transit"
    ]
  }
};

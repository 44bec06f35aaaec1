// Made from spec/ by `pnpm generate`. Do not edit.
/** A permission of an API key. */
export type Scope = 'shipments:read' | 'shipments:write' | 'tracking:read' | 'events:read' | 'tracking:write' | 'webhooks:read' | 'webhooks:write';

export const scopes: Record<Scope, string> = {
  "shipments:read": "Read and list the account's shipments, and the accesses to them.",
  "shipments:write": "Create, change and cancel shipments, give access to them, and remove documents.",
  "tracking:read": "Read tracking status, exceptions, positions, proof of delivery and documents.",
  "events:read": "Read the events of the account's shipments.",
  "tracking:write": "Record events, exceptions and positions, set equipment and driver, submit proof of delivery, and add documents. For carriers and drivers.",
  "webhooks:read": "Read webhook endpoints and their deliveries.",
  "webhooks:write": "Create, read, change and delete webhook endpoints, and read and repeat their deliveries."
};

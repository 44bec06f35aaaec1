import { access } from './access/feature.ts';
import { accounts } from './auth/feature.ts';
import type { ShownBodies, ShownEvents } from './auth/visibility.ts';
import { documents } from './documents/feature.ts';
import { events } from './events/feature.ts';
import { exceptions } from './exceptions/feature.ts';
import type { AllTableRules, Services } from './feature.ts';
import { idempotency } from './operations/feature.ts';
import type { Handlers } from './operations/route-handlers.ts';
import { proof } from './proof/feature.ts';
import { shipments } from './shipments/feature.ts';
import { tracking } from './tracking/feature.ts';
import { webhooks } from './webhooks/feature.ts';

/** All tables: a table comes after those that its foreign keys name. The compiler refuses one that no feature has. */
export const tables: AllTableRules = merge(
  accounts.tables,
  idempotency.tables,
  shipments.tables,
  tracking.tables,
  proof.tables,
  exceptions.tables,
  access.tables,
  events.tables,
  webhooks.tables,
);

/** All operations. */
export const handlersOf = (services: Services): Handlers =>
  merge(
    shipments.handlers(services),
    tracking.handlers(services),
    proof.handlers(services),
    documents.handlers(services),
    exceptions.handlers(services),
    access.handlers(services),
    events.handlers(services),
    webhooks.handlers(services),
  );

/** What an access shows of all responses and events. */
export const shownBodies: ShownBodies = merge(
  shipments.shown.bodies,
  tracking.shown.bodies,
  proof.shown.bodies,
  documents.shown.bodies,
  exceptions.shown.bodies,
  events.shown.bodies,
);
export const shownEvents: ShownEvents = merge(
  shipments.shown.events,
  tracking.shown.events,
  proof.shown.events,
  documents.shown.events,
  exceptions.shown.events,
  webhooks.shown.events,
);

/** Merges objects without common keys. The compiler refuses a key that two of them have. */
function merge<Parts extends object[]>(...parts: Twice<Parts> extends never ? Parts : Twice<Parts>[]): Merged<Parts> {
  return Object.assign({}, ...parts);
}
type Merged<Parts> = Parts extends [infer First, ...infer Others] ? First & Merged<Others> : unknown;
type Twice<Parts, Seen = never> = Parts extends [infer First, ...infer Others]
  ? (keyof First & Seen) | Twice<Others, keyof First | Seen>
  : never;

import { lifecycle } from '../generated/lifecycle.ts';
import type { components } from '../generated/types.ts';

type Status = components['schemas']['ShipmentStatus'];

const all = Object.keys(lifecycle) as Status[];
/** How far a status is: equal for all ends. */
export const rankOf = (status: Status): number => lifecycle[status].rank;
const lastRank = Math.max(...all.map(rankOf));

/** The status of a new shipment. */
export const initialStatus: Status = all.find((status) => rankOf(status) === 0) as Status;

/** Whether a text is a status of this version. */
export const isStatus = (text: string): text is Status => text in lifecycle;

/** The statuses that a shipment can leave. */
export const activeStatuses: Status[] = all.filter((status) => rankOf(status) < lastRank);

/** The others: a shipment has ended in them. */
export const finalStatuses: Status[] = all.filter((status) => rankOf(status) === lastRank);

/** Whether a shipment has ended. */
export const isFinal = (status: string): boolean => finalStatuses.some((each) => each === status);

/** Whether a shipment that has ended in a status may have a proof. */
export const isProvable = (status: string): boolean =>
  isStatus(status) && lifecycle[status].operations.includes('submitProofOfDelivery');

/** The furthest of recorded statuses, which is the status of the shipment. */
export const furthest = (statuses: Status[]): Status =>
  statuses.reduce((one, other) => (rankOf(other) > rankOf(one) ? other : one));

/** The statuses from which a shipment can reach another, directly or not, the nearest first. */
export function statusesBefore(to: Status): Set<Status> {
  const found = new Set(lifecycle[to].from);
  for (const status of found) for (const from of lifecycle[status].from) found.add(from);
  return new Set([...found].sort((one, other) => rankOf(other) - rankOf(one)));
}

/** The statuses that can be recorded for a shipment: those that can follow its own one, and earlier ones that may be missing. */
export const recordable = (current: Status): Set<Status> => {
  const earlier = statusesBefore(current);
  return new Set(all.filter((to) => lifecycle[to].from.includes(current) || earlier.has(to)));
};

/** The statuses from the creation to the delivery, in order. */
export const steps: Status[] = [...statusesBefore('delivered')].reverse().concat('delivered');

/** The entry of a timeline with a status, without voided ones. A timeline has one at most. */
export const entryOf = <Entry extends { status: string; voided_at?: unknown }>(
  timeline: Entry[],
  status: string,
): Entry | undefined => timeline.find((entry) => entry.status === status && !entry.voided_at);

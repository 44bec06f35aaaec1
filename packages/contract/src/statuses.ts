import { statuses, transitions } from '../generated/lifecycle.ts';
import type { components } from '../generated/types.ts';

type Status = components['schemas']['ShipmentStatus'];

const canBeLeft = (status: Status): boolean => transitions.some(({ from }) => from === status);
const all = Object.keys(statuses) as Status[];

/** The statuses that a shipment can leave. */
export const activeStatuses: Status[] = all.filter(canBeLeft);

/** The others: a shipment has ended in them. */
export const finalStatuses: Status[] = all.filter((status) => !canBeLeft(status));

/** Whether a shipment stays as it is. */
export const isFinal = (status: string): boolean => finalStatuses.some((each) => each === status);

/** The statuses from which a shipment can reach another, by one transition or more, the nearest first. */
export function statusesBefore(to: Status): Set<Status> {
  const found = new Set<Status>();
  const addStatusesBefore = (status: Status): void => {
    for (const { from, to } of transitions) {
      if (to !== status || from === null || found.has(from)) continue;
      found.add(from);
      addStatusesBefore(from);
    }
  };
  addStatusesBefore(to);
  return found;
}

import { transitions } from './generated/lifecycle.ts';
import type { components } from './generated/types.ts';

type Status = components['schemas']['ShipmentStatus'];

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

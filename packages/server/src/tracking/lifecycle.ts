import { type Transition, transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { Problem } from '@waybill/http/problems';

type Status = components['schemas']['ShipmentStatus'];

function findInitialTransition(): Transition {
  const initial = transitions.find(({ from }) => from === null);
  if (!initial) throw new Error('The contract has no transition from null');
  return initial;
}

export const initialTransition: Transition = findInitialTransition();

/** The statuses from which a shipment can reach another, by one transition or more. */
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

/** The transitions by which an operation may change a status to another. */
export const transitionsTo = (operation: Transition['operation'], to: Status): Transition[] =>
  transitions.filter((each) => each.operation === operation && each.to === to);

export const invalidTransition = (current: Status, to: Status): Problem =>
  new Problem('invalid_transition', `A shipment that is ${current} cannot become ${to}.`, {
    current_status: current,
    allowed: transitions.filter(({ from }) => from === current).map((each) => each.to),
  });

import { type Transition, transitions } from '@waybill/contract/lifecycle';
import type { components } from '@waybill/contract/types';
import { Problem } from '../http/problems.ts';

type Status = components['schemas']['ShipmentStatus'];

function begin(): Transition {
  const first = transitions.find(({ from }) => from === null);
  if (!first) throw new Error('The contract has no first transition');
  return first;
}

/** How a shipment's life begins. */
export const beginning: Transition = begin();

/** The statuses from which a shipment can still come to another, by one step or more. */
export function statusesBefore(to: Status): Set<Status> {
  const found = new Set<Status>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const step of transitions) if (step.from && (step.to === to || found.has(step.to))) found.add(step.from);
  }
  return found;
}

/** The steps by which an operation may bring a shipment to a status. */
export const stepsTo = (operation: Transition['operation'], to: Status): Transition[] =>
  transitions.filter((step) => step.operation === operation && step.to === to);

/** The step is not possible from where the shipment stands. */
export const invalidTransition = (current: Status, to: Status): Problem =>
  new Problem('invalid_transition', `A shipment that is ${current} cannot become ${to}.`, {
    current_status: current,
    allowed: transitions.filter(({ from }) => from === current).map((step) => step.to),
  });

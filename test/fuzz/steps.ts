import { type OperationId, operationOf, pathOf, type Schema } from '../fixtures/contract.ts';
import type { Status } from '../fixtures/shipments.ts';
import type { Environment } from './environment.ts';
import { everyStatus, statusesAllowing } from './expected.ts';
import { drawing } from './given.ts';
import { breaksOfOperation, performInvalid, type RequestBreak } from './invalid-requests.ts';
import { performValid, shipmentOf } from './perform.ts';
import { performRandom } from './random-requests.ts';
import { contractParts } from './requests.ts';

/** One independent step: it has a shipment in its status, and its seed determines its values. */
export interface Step {
  kind: 'valid' | 'at limits' | 'random' | 'invalid';
  operation: OperationId;
  /** The status of the shipment. */
  status: Status;
  /** Index of one of the operation's breaks, or of the values at the limits. */
  which: number;
  seed: number;
}

/** How many requests have every value at its limits: without optional fields, at the highest, at the lowest. */
const limitsOf = (id: OperationId): number =>
  Math.max(3, ...contractParts.filter(({ operation }) => operation === id).map(({ schema }) => longestEnum(schema)));
const longestEnum = ({ properties = {}, enum: allowed = [] }: Schema): number =>
  Math.max(allowed.length, ...Object.values(properties).map(longestEnum));

/** Every step of an operation: valid in every status, with values at all limits, and broken in every way. */
export function everyStep(operation: OperationId, firstSeed: number): Step[] {
  const allowing = statusesAllowing(operation);
  const some = (kind: Step['kind'], statuses: Status[], count = statuses.length) =>
    Array.from({ length: count }, (_, which): Step => {
      const status = statuses[which % statuses.length] ?? 'scheduled';
      return { kind, operation, status, which, seed: firstSeed + which };
    });
  return [
    ...some('valid', everyStatus),
    ...some('at limits', allowing, limitsOf(operation)),
    ...some('random', everyStatus),
    ...some('invalid', allowing, breaksOfOperation(operation).length),
  ];
}

export async function play(environment: Environment, step: Step): Promise<void> {
  const { kind, operation: id, status, which, seed } = step;
  environment.draw = drawing(seed);
  environment.nth = kind === 'at limits' ? which : undefined;
  environment.trace.push(`${kind} ${id}, ${status}`);
  const all = breaksOfOperation(id);
  if (kind === 'invalid') return performInvalid(environment, all[which % all.length] as RequestBreak);
  const shipment = await shipmentOf(environment, status);
  const { id: shipment_id, tracking_number } = shipment;
  const operation = operationOf(id);
  if (kind === 'random') return performRandom(environment, pathOf(operation, { shipment_id, tracking_number }));
  await performValid(environment, id, id === 'createShipment' ? undefined : shipment);
}

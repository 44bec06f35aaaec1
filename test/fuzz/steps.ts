import fc from 'fast-check';
import { type OperationId, operationIds, operationOf, pathOf } from '../fixtures/contract.ts';
import type { Status } from '../fixtures/shipments.ts';
import { performBroken, type RequestBreak, repetitions, schemaBreaks } from './broken.ts';
import { drawing, type Environment } from './environment.ts';
import { everyStatus, refusal, statusesAllowing } from './expected.ts';
import { bringTo, perform, performValid } from './perform.ts';
import { performRandom } from './random-requests.ts';
import { performRepeat } from './repeats.ts';
import { validRequest } from './requests.ts';

/** One independent step: its shipment is brought to its status, and its seed determines its values. */
export interface Step {
  kind: 'valid' | 'repeat' | 'unknown' | 'random' | 'broken';
  operation: OperationId;
  /** The status of the shipment. */
  status: Status;
  /** Index of one of the operation's breaks. */
  which: number;
  seed: number;
}

export const breaks: RequestBreak[] = [...schemaBreaks, ...repetitions];
const breaksOfOperation = (id: OperationId): RequestBreak[] => breaks.filter(({ operation }) => operation === id);

/** Every step of an operation: valid in every status, and broken in every way. */
export function everyStep(operation: OperationId, firstSeed: number): Step[] {
  const inEveryStatus = (kind: Step['kind']): Step[] =>
    everyStatus.map((status, which) => ({ kind, operation, status, which, seed: firstSeed + which }));
  const broken = breaksOfOperation(operation).flatMap(({ name }, which) =>
    // Timestamps and numbers in a query are broken several times, because one value may miss their limits.
    Array.from({ length: / x-| query .* type$/.test(name) ? 6 : 1 }, (_, time): Step => {
      return { kind: 'broken', operation, status: 'scheduled', which, seed: firstSeed + which + 1000 * time };
    }),
  );
  return [...(['valid', 'repeat', 'unknown', 'random'] as const).flatMap(inEveryStatus), ...broken];
}

/** Some steps of any kind. */
export const someSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.record(
    {
      kind: fc.constantFrom(
        ...(['valid', 'valid', 'repeat', 'unknown', 'broken', 'broken', 'broken', 'random'] as const),
      ),
      operation: fc.constantFrom(...operationIds),
      status: fc.constantFrom(...everyStatus),
      which: fc.noShrink(fc.nat(10_000)),
      seed: fc.noShrink(fc.integer()),
    },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 20, size: 'max' },
);

export async function play(
  environment: Environment,
  { kind, operation: id, status, which, seed }: Step,
): Promise<void> {
  environment.draw = drawing(seed);
  environment.trace.push(`${kind} ${id}, ${status}`);
  const all = breaksOfOperation(id);
  const one = all[which % all.length];
  if (kind === 'broken' && one) {
    return performBroken(
      environment,
      one,
      await bringTo(environment, environment.draw(fc.constantFrom(...statusesAllowing(id)))),
    );
  }
  const shipment = await bringTo(environment, status);
  const about = id === 'createShipment' ? undefined : shipment;
  const { id: shipment_id, tracking_number } = shipment;
  const realPath = pathOf(operationOf(id), { shipment_id, tracking_number });
  if (kind === 'random') return performRandom(environment, realPath, shipment);
  if (kind === 'repeat') return performRepeat(environment, id, about);
  if (kind === 'unknown' && /{/.test(operationOf(id).path))
    return void (await perform(environment, validRequest(environment, id).sent, refusal(404, 'not_found'), shipment));
  // Half of the events have any status.
  await performValid(
    environment,
    id,
    about,
    id === 'recordTrackingEvent' && environment.draw(fc.boolean()) ? {} : undefined,
  );
}

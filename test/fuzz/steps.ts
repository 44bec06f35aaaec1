import fc from 'fast-check';
import { type OperationId, operationIds, operationOf, pathOf } from '../fixtures/contract.ts';
import type { Status } from '../fixtures/shipments.ts';
import { performAgain } from './again.ts';
import { bodyBreaks, performBroken, type RequestBreak, repetitions, schemaBreaks } from './broken.ts';
import { performNonsense } from './nonsense.ts';
import { cursorBreaks } from './pages.ts';
import { bring, perform, performValid } from './perform.ts';
import { validRequest } from './requests.ts';
import { uploadBreaks } from './uploads.ts';
import { allowing, everyStatus, refusal } from './verdict.ts';
import { drawing, type World } from './world.ts';

/** One thing that is tried, by itself: its shipment is brought to where it must stand, its values come from its seed. */
export interface Step {
  kind: 'valid' | 'again' | 'unknown' | 'nonsense' | 'broken';
  operation: OperationId;
  /** Where the shipment stands. */
  status: Status;
  /** Which of the operation's breaks. */
  which: number;
  seed: number;
}

export const breaks: RequestBreak[] = [
  ...schemaBreaks,
  ...repetitions,
  ...bodyBreaks,
  ...cursorBreaks,
  ...uploadBreaks,
];
const breaksOfOperation = (id: OperationId): RequestBreak[] => breaks.filter(({ operation }) => operation === id);

/** All that can be tried with an operation, once: valid in every status, and broken in every way. */
export function everyStep(operation: OperationId, firstSeed: number): Step[] {
  const inEveryStatus = (kind: Step['kind']): Step[] =>
    everyStatus.map((status, which) => ({ kind, operation, status, which, seed: firstSeed + which }));
  const broken = breaksOfOperation(operation).flatMap(({ name }, which) =>
    // Rules about time and the numbers of a query are broken several times, because one value may miss their edges.
    Array.from({ length: / x-| query .* type$/.test(name) ? 6 : 1 }, (_, time): Step => {
      return { kind: 'broken', operation, status: 'scheduled', which, seed: firstSeed + which + 1000 * time };
    }),
  );
  return [...(['valid', 'again', 'unknown', 'nonsense'] as const).flatMap(inEveryStatus), ...broken];
}

/** Some steps of any kind. */
export const someSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.record(
    {
      kind: fc.constantFrom(
        ...(['valid', 'valid', 'again', 'unknown', 'broken', 'broken', 'broken', 'nonsense'] as const),
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

export async function play(world: World, { kind, operation: id, status, which, seed }: Step): Promise<void> {
  world.draw = drawing(seed);
  world.trace.push(`${kind} ${id}, ${status}`);
  const all = breaksOfOperation(id);
  const one = all[which % all.length];
  if (kind === 'broken' && one) {
    if (one.needs) await bring(world, one.needs);
    return performBroken(world, one, await bring(world, world.draw(fc.constantFrom(...allowing(id)))));
  }
  const shipment = await bring(world, status);
  const about = id === 'createShipment' ? undefined : shipment;
  const { id: shipment_id, tracking_number } = shipment;
  const realPath = pathOf(operationOf(id), { shipment_id, tracking_number });
  if (kind === 'nonsense') return performNonsense(world, realPath, shipment);
  if (kind === 'again') return performAgain(world, id, about);
  if (kind === 'unknown' && /{/.test(operationOf(id).path))
    return void (await perform(world, validRequest(world, id).sent, refusal(404, 'not_found'), shipment));
  // Half of the events are of any status, whatever comes next.
  await performValid(world, id, about, id === 'recordTrackingEvent' && world.draw(fc.boolean()) ? {} : undefined);
}

import { statuses } from '@waybill/contract/lifecycle';
import fc from 'fast-check';
import { contractOperations, type OperationId, operationIds, pathOf } from '../harness/contract.ts';
import type { Status } from '../harness/journeys.ts';
import { performAgain, performUnknown } from './again.ts';
import { bodyBreaks, performBroken, type RequestBreak, repetitions, schemaBreaks } from './broken.ts';
import { performNonsense } from './nonsense.ts';
import { cursorBreaks } from './pages.ts';
import { bring, performValid } from './perform.ts';
import { uploadBreaks } from './uploads.ts';
import { allowing } from './verdict.ts';
import { drawing, type World } from './world.ts';

/** One thing that is tried, by itself: its shipment is brought to where it must stand, its values come from its seed. */
export interface Step {
  kind: 'valid' | 'again' | 'unknown' | 'broken' | 'nonsense';
  operation: OperationId;
  /** Where the shipment stands. */
  status: Status;
  /** Which of the operation's breaks. */
  which: number;
  seed: number;
}

const everyStatus = Object.keys(statuses) as Status[];
const breaks = new Map<OperationId, RequestBreak[]>(
  Map.groupBy(
    [...schemaBreaks, ...repetitions, ...bodyBreaks, ...cursorBreaks, ...uploadBreaks],
    ({ operation }) => operation,
  ),
);
const breaksOfOperation = (id: OperationId): RequestBreak[] => breaks.get(id) ?? [];
export const breakNames: string[] = [...breaks.values()].flat().map(({ name }) => name);

/** All that can be tried with an operation, once: valid in every status, and broken in every way. */
export function everyStep(operation: OperationId, seed: number): Step[] {
  const step = (kind: Step['kind'], status: Status, which: number): Step => ({
    kind,
    operation,
    status,
    which,
    seed: seed + which,
  });
  return [
    ...(['valid', 'again', 'unknown', 'nonsense'] as const).flatMap((kind) =>
      everyStatus.map((status, which) => step(kind, status, which)),
    ),
    ...breaksOfOperation(operation).flatMap(({ name }, which) =>
      // The rules about time are broken several times, because each has an edge that must be met.
      Array.from({ length: / x-/.test(name) ? 6 : 1 }, (_, time) => ({
        ...step('broken', 'scheduled', which),
        seed: seed + which + 1000 * time,
      })),
    ),
  ];
}

/** Some steps of any kind. */
export const someSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.record(
    {
      kind: fc.constantFrom<Step['kind'][]>(
        'valid',
        'valid',
        'again',
        'unknown',
        'broken',
        'broken',
        'broken',
        'nonsense',
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
  const about = id === 'createShipment' ? undefined : id;
  if (kind === 'broken') {
    const all = breaksOfOperation(id);
    const one = all[which % all.length];
    if (one?.needs) await bring(world, one.needs);
    if (one) return performBroken(world, one, await bring(world, world.draw(fc.constantFrom(...allowing(id)))));
  }
  if (kind === 'unknown') return performUnknown(world, id);
  const shipment = await bring(world, status);
  if (kind === 'nonsense') {
    const { id: shipment_id, tracking_number } = shipment;
    const operation = contractOperations.find((one) => one.id === id);
    return performNonsense(world, operation ? pathOf(operation, { shipment_id, tracking_number }) : '/', shipment);
  }
  if (kind === 'again') return performAgain(world, id, about && shipment);
  await performValid(world, id, about && shipment);
}

import fc from 'fast-check';

/** Which of the account's shipments, counted from its last: most commands use the same few. */
interface Which {
  which: number;
}
/** Times are in seconds relative to the command's start; a position is a number. */
export type Command =
  | { kind: 'create'; reference: number | null }
  | ({ kind: 'cancel' } & Which)
  | ({ kind: 'step'; ahead: number; position: number | null; eta: boolean } & Which)
  | ({ kind: 'event'; status: 'dispatched' | 'picked_up' | 'in_transit'; ahead: number } & Which)
  | ({ kind: 'positions'; timestamps: number[]; eta: boolean } & Which)
  | ({ kind: 'proof' } & Which)
  | { kind: 'paginate'; by: 'nothing' | 'status' | 'reference' | 'dates'; value: number; limit: number }
  | ({ kind: 'track' } & Which)
  | { kind: 'repeat'; request: number; times: number }
  | ({ kind: 'crossAccount' } & Which);

const which = fc.nat(2);
const ahead = fc.oneof({ arbitrary: fc.constant(0), weight: 12 }, fc.constantFrom(-900, -240, 60, 240, 600));
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const command: fc.Arbitrary<Command> = fc.oneof(
  weighted(2, fc.record({ kind: fc.constant('create'), reference: fc.option(fc.nat(1)) })),
  weighted(1, fc.record({ kind: fc.constant('cancel'), which })),
  weighted(
    10,
    fc.record({ kind: fc.constant('step'), which, ahead, position: fc.option(fc.nat(9)), eta: fc.boolean() }),
  ),
  weighted(
    1,
    fc.record({
      kind: fc.constant('event'),
      which,
      status: fc.constantFrom('dispatched', 'picked_up', 'in_transit'),
      ahead,
    }),
  ),
  weighted(
    4,
    fc.record({
      kind: fc.constant('positions'),
      which,
      timestamps: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
      eta: fc.boolean(),
    }),
  ),
  weighted(1, fc.record({ kind: fc.constant('proof'), which })),
  weighted(
    3,
    fc.record({
      kind: fc.constant('paginate'),
      by: fc.constantFrom('nothing', 'status', 'reference', 'dates'),
      value: fc.nat(5),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  ),
  weighted(3, fc.record({ kind: fc.constant('track'), which })),
  weighted(4, fc.record({ kind: fc.constant('repeat'), request: fc.nat(5), times: fc.integer({ min: 1, max: 4 }) })),
  weighted(1, fc.record({ kind: fc.constant('crossAccount'), which })),
);

/** The commands of one client, in order. It first creates a shipment. */
const commandList = fc
  .array(command, { minLength: 8, maxLength: 24, size: 'max' })
  .map((commands): Command[] => [{ kind: 'create', reference: null }, ...commands]);

/** The commands of three concurrent clients. */
export const sequences: fc.Arbitrary<Command[][]> = fc.tuple(commandList, commandList, commandList);

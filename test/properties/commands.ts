import fc from 'fast-check';

/** Which of the account's shipments, counted from its last: most commands meet on the same few. */
interface Which {
  which: number;
}
/** Times are in seconds from the moment that a command runs, places are numbers that a position is made of. */
export type Command =
  | { kind: 'create'; reference: number | null }
  | ({ kind: 'cancel' } & Which)
  | ({ kind: 'step'; ahead: number; place: number | null; eta: boolean } & Which)
  | ({ kind: 'event'; status: 'dispatched' | 'picked_up' | 'in_transit'; ahead: number } & Which)
  | ({ kind: 'positions'; moments: number[]; eta: boolean } & Which)
  | ({ kind: 'proof' } & Which)
  | { kind: 'walk'; by: 'nothing' | 'status' | 'reference' | 'dates'; value: number; limit: number }
  | ({ kind: 'track' } & Which)
  | { kind: 'repeat'; request: number; times: number }
  | ({ kind: 'trespass' } & Which);

const which = fc.nat(2);
const ahead = fc.oneof({ arbitrary: fc.constant(0), weight: 12 }, fc.constantFrom(-900, -240, 60, 240, 600));
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const command: fc.Arbitrary<Command> = fc.oneof(
  weighted(2, fc.record({ kind: fc.constant('create'), reference: fc.option(fc.nat(1)) })),
  weighted(1, fc.record({ kind: fc.constant('cancel'), which })),
  weighted(10, fc.record({ kind: fc.constant('step'), which, ahead, place: fc.option(fc.nat(9)), eta: fc.boolean() })),
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
      moments: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
      eta: fc.boolean(),
    }),
  ),
  weighted(1, fc.record({ kind: fc.constant('proof'), which })),
  weighted(
    3,
    fc.record({
      kind: fc.constant('walk'),
      by: fc.constantFrom('nothing', 'status', 'reference', 'dates'),
      value: fc.nat(5),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  ),
  weighted(3, fc.record({ kind: fc.constant('track'), which })),
  weighted(4, fc.record({ kind: fc.constant('repeat'), request: fc.nat(5), times: fc.integer({ min: 1, max: 4 }) })),
  weighted(1, fc.record({ kind: fc.constant('trespass'), which })),
);

/** What a client does, one thing after the other. It books first, so that there is something to do. */
const life = fc
  .array(command, { minLength: 8, maxLength: 24, size: 'max' })
  .map((commands): Command[] => [{ kind: 'create', reference: null }, ...commands]);

/** What each of three clients does; they go at once. */
export const sequences: fc.Arbitrary<Command[][]> = fc.tuple(life, life, life);

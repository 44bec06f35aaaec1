import fc from 'fast-check';
import { lifecycle } from '../fixtures/lifecycle.ts';

const eventStatuses = Object.values(lifecycle)
  .flat()
  .filter(({ operation }) => operation === 'recordTrackingEvent')
  .map(({ to }) => to);

/** How often each command occurs. */
const weights = {
  create: 2,
  cancel: 1,
  step: 10,
  event: 1,
  positions: 4,
  proof: 1,
  track: 3,
  repeat: 4,
};

/** One command of a client. Each kind uses some of the values. */
const command = fc.record({
  kind: fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => {
      return { weight, arbitrary: fc.constant(kind as keyof typeof weights) };
    }),
  ),
  /** Which of the account's shipments or requests, counted from its last: most commands use the same few. */
  which: fc.nat(2),
  /** Seconds relative to the command's start. */
  ahead: fc.oneof({ arbitrary: fc.constant(0), weight: 12 }, fc.constantFrom(-900, -240, 60, 240, 600)),
  reference: fc.option(fc.nat(1)),
  status: fc.constantFrom(...eventStatuses),
  lat: fc.option(fc.nat(9)),
  /** Seconds of reported positions. */
  positions: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
  hasEta: fc.boolean(),
  times: fc.integer({ min: 1, max: 4 }),
});
export type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const commands = fc.array(command, { minLength: 8, maxLength: 24, size: 'max' });

/** The commands of three concurrent clients. */
export const sequences: fc.Arbitrary<Command[][]> = fc.tuple(commands, commands, commands);

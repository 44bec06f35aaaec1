/** Warnings and errors in a log: what a service says about itself. A busy machine may make it shed load. */
export const failuresIn = (log: Record<string, unknown>[]): unknown[] =>
  log.filter(({ level, msg }) => Number(level) >= 40 && msg !== 'The service is overloaded.');

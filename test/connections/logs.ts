/** Warnings and errors in a service's log, except load shedding, which a busy machine may cause. */
export const failuresIn = (log: Record<string, unknown>[]): unknown[] =>
  log.filter(({ level, msg }) => Number(level) >= 40 && msg !== 'The service is overloaded.');

import type { FastifyBaseLogger } from 'fastify';
import type { DatabaseObserver } from '../database/driver.ts';
import type { Metrics } from './metrics.ts';
import { oneLine } from './statement-attributes.ts';
import type { Tracing } from './tracing.ts';

interface Observed {
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds from which a statement is logged. */
  slowStatement: number;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
}

/** Passes statements and batches on to metrics and traces, and logs slow statements without their parameters. */
export function databaseObserver({ log, slowStatement, metrics, tracing }: Observed): DatabaseObserver {
  return {
    startStatement(text) {
      const start = performance.now();
      const endSpan = tracing?.startStatement(text);
      return (error) => {
        const ms = performance.now() - start;
        metrics?.endStatement(ms / 1000);
        endSpan?.(error);
        if (ms < slowStatement) return;
        log.warn({ ms: Math.round(ms), statement: oneLine(text) }, 'slow statement');
      };
    },
    callerOf: () => tracing?.callerOf(),
    runBatch(name, callers, run) {
      metrics?.startBatch(name, callers.length);
      return tracing ? tracing.runBatch(name, callers, run) : run();
    },
  };
}

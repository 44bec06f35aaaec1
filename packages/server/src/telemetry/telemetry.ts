import { operationTable } from '@waybill/contract/operations';
import { contractVersion, operationIds, responsesOf } from '@waybill/http/operations';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { accessLog, clientClosedStatus, type RequestObserver } from '../connections/request-observer.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseObserver } from '../database/driver.ts';
import { removedKinds } from '../jobs/clean-up.ts';
import type { MetricSources, Metrics } from './metrics.ts';
import { oneLine } from './statement-attributes.ts';
import type { Tracing } from './tracing.ts';

interface Telemetry {
  requestObservers: RequestObserver[];
  databaseObserver: DatabaseObserver;
  /** Set when METRICS_PORT is. */
  metrics: Metrics | undefined;
}

/** What metrics are read from. */
interface Sources {
  /** Returns the database, which is connected with the observer. */
  db(): Database;
  /** Returns how many streams and requests wait for events. */
  countReaders(): number;
  webhookBacklog: MetricSources['webhookBacklog'];
  feedLag(): number;
  droppedLines(): number;
}

/**
 * Makes what observes requests and the database: the log, metrics and traces. The libraries for metrics and traces are
 * loaded only when their settings are set.
 */
export async function createTelemetry(app: FastifyInstance, config: Config, sources: Sources): Promise<Telemetry> {
  const metrics = config.METRICS_PORT === undefined ? undefined : await metricsOf(app, sources);
  const tracing = isTraced(config) ? await tracingOf(app, config) : undefined;
  return {
    requestObservers: [
      ...(tracing ? [tracing.requestObserver] : []),
      accessLog(app.log, tracing?.traceIdOf),
      ...(metrics ? [{ end: metrics.endRequest }] : []),
    ],
    databaseObserver: databaseObserver({ log: app.log, slowStatement: config.SLOW_STATEMENT_MS, metrics, tracing }),
    metrics,
  };
}

const isTraced = (config: Config): boolean =>
  (config.OTEL_EXPORTER_OTLP_ENDPOINT !== '' || config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== '') &&
  config.OTEL_TRACES_EXPORTER !== 'none' &&
  !config.OTEL_SDK_DISABLED;

async function tracingOf(app: FastifyInstance, config: Config): Promise<Tracing> {
  const [{ exportTraces }, { createTracing }] = await Promise.all([
    import('./trace-exporter.ts'),
    import('./tracing.ts'),
  ]);
  const { provider, close } = exportTraces(config, app.log);
  app.addHook('onClose', close);
  const tracing = createTracing(provider);
  tracing.traceOperations(app);
  return tracing;
}

async function metricsOf(app: FastifyInstance, { db, ...others }: Sources): Promise<Metrics> {
  const { createMetrics } = await import('./metrics.ts');
  const countConnections = (): Promise<number> =>
    new Promise((resolve, reject) => {
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  const statusesOf = (id: (typeof operationIds)[number]): string[] => [
    ...Object.keys(responsesOf(id)),
    String(clientClosedStatus),
  ];
  return createMetrics({
    operations: Object.fromEntries(
      operationIds.map((id) => [id, { method: operationTable[id].method, codes: statusesOf(id) }]),
    ),
    removedKinds,
    build: { version: packageJson.version, contract_version: contractVersion, node_version: process.version },
    poolStatus: () => db().status(),
    countConnections,
    ...others,
  });
}

interface Observed {
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds from which a statement is logged. */
  slowStatement: number;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
}

/** Passes statements and batches on to metrics and traces, and logs slow statements without their parameters. */
function databaseObserver({ log, slowStatement, metrics, tracing }: Observed): DatabaseObserver {
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

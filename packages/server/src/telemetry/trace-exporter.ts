import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger } from 'fastify';
import { withTimeLimit } from '../concurrency/time-limit.ts';
import type { OpenTelemetryConfig } from '../config/opentelemetry.ts';

/** Milliseconds in which the last spans can be exported when the service stops. */
const flushTimeout = 3_000;

export interface TraceExporter {
  provider: TracerProvider;
  /** Exports the remaining spans, for a limited time. It never rejects. */
  close(): Promise<void>;
}

/**
 * Exports spans to an OTLP receiver, in the background: a request never waits for it. When the receiver is slow or
 * unreachable, spans are lost and a warning is logged.
 */
export function exportTraces(config: OpenTelemetryConfig, log: Pick<FastifyBaseLogger, 'warn'>): TraceExporter {
  const warn = (message: string): void => log.warn(`OpenTelemetry: ${message}`);
  const ignore = (): void => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const Exporter = config.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json' ? JsonExporter : ProtobufExporter;
  const processor = new BatchSpanProcessor({
    exporter: new Exporter({ url: tracesUrl(config) }),
    maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
  });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'waybill' }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(config),
    spanProcessors: [processor],
  });
  return {
    provider,
    async close() {
      const flushed = provider.shutdown().catch((error: unknown) => warn(`the last spans are lost: ${error}`));
      await withTimeLimit(flushed, flushTimeout, () => {});
    },
  };
}

const tracesUrl = (config: OpenTelemetryConfig): string =>
  config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || `${config.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`;

function samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: OpenTelemetryConfig): Sampler {
  const [, parentBased, name] = /^(parentbased_)?(.+)$/.exec(OTEL_TRACES_SAMPLER) ?? [];
  const root = rootSamplers[name as keyof typeof rootSamplers](Number(OTEL_TRACES_SAMPLER_ARG));
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

const rootSamplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share: number) => new TraceIdRatioBasedSampler(share),
};

import { flag, integer, matching, text, type Variable } from './variable.ts';

/**
 * The variables of OpenTelemetry that the service reads and validates. The libraries themselves read those of the
 * exporter (OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION and the certificates) and of the resource
 * (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES).
 */
export interface OpenTelemetryConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT: string;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string;
  OTEL_EXPORTER_OTLP_PROTOCOL: string;
  OTEL_TRACES_EXPORTER: string;
  OTEL_TRACES_SAMPLER: string;
  OTEL_TRACES_SAMPLER_ARG: string;
  OTEL_BSP_MAX_QUEUE_SIZE: number;
  OTEL_BSP_SCHEDULE_DELAY: number;
  OTEL_SDK_DISABLED: boolean;
}

export const openTelemetryVariables: Record<keyof OpenTelemetryConfig, Variable> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text('base URL of the OTLP receiver, to which traces are sent (default: no traces)', {
    example: 'http://127.0.0.1:4318',
    default: '',
    errorOf: endpointError,
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text('complete URL of the OTLP receiver of traces (default: no traces)', {
    example: 'http://127.0.0.1:4318/v1/traces',
    default: '',
    errorOf: endpointError,
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: text('encoding of exported traces', {
    example: 'http/protobuf',
    default: 'http/protobuf',
    enum: ['http/protobuf', 'http/json'],
  }),
  OTEL_TRACES_EXPORTER: text('whether traces are exported', {
    example: 'none',
    default: 'otlp',
    enum: ['otlp', 'none'],
  }),
  OTEL_TRACES_SAMPLER: text('decides which requests are traced', {
    example: 'parentbased_traceidratio',
    default: 'parentbased_always_on',
    enum: [
      ...['always_on', 'always_off', 'traceidratio'],
      ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
    ],
  }),
  OTEL_TRACES_SAMPLER_ARG: text('share of the requests that a traceidratio sampler selects', {
    example: '0.01',
    default: '1',
    errorOf: matching(/^(0(\.\d+)?|1(\.0+)?)$/, 'a number from 0 to 1'),
  }),
  OTEL_BSP_MAX_QUEUE_SIZE: integer('spans that may wait for their export; further ones are lost', {
    default: 2048,
    minimum: 512,
    maximum: 1_000_000,
  }),
  OTEL_BSP_SCHEDULE_DELAY: integer('milliseconds between two exports of spans', {
    default: 5000,
    minimum: 1,
    maximum: 600_000,
  }),
  OTEL_SDK_DISABLED: flag('switch traces off', false),
};

function endpointError(url: string): string | undefined {
  if (!URL.canParse(url)) return 'is not a URL';
  return /^https?:$/.test(new URL(url).protocol) ? undefined : 'must begin with http:// or https://';
}

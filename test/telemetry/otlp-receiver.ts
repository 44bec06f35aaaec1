import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

/** What the tests read of opentelemetry-proto, trace/v1 and common/v1. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
  }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }`);
const tracesMessage = root.lookupType('Traces');

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes?: KeyValue[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}
interface Traces {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}

export type ReceivedSpan = ReturnType<typeof spanFrom>;

const valuesOf = (attributes: KeyValue[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

const spanFrom = ({ attributes, ...span }: SentSpan, resource: KeyValue[]) => ({
  ...span,
  isError: span.status?.code === 2,
  attributes: valuesOf(attributes),
  resource: valuesOf(resource),
});

/** Ids in JSON are hexadecimal (OTLP specification); those of protobuf are bytes. */
function decode(body: Buffer, contentType: string | undefined): Traces {
  if (contentType === 'application/json') return JSON.parse(body.toString());
  const message = tracesMessage.toObject(tracesMessage.decode(body), { bytes: String, longs: Number });
  return JSON.parse(JSON.stringify(message), (key, value) =>
    /^(traceId|spanId|parentSpanId)$/.test(key) ? Buffer.from(value, 'base64').toString('hex') : value,
  );
}

/**
 * Starts a receiver of traces: OTLP over HTTP, in protobuf or JSON.
 * @param isSilent it never responds
 */
export async function startReceiver({ isSilent = false } = {}) {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const contentTypes = new Set<string | undefined>();
  const held: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end();
    const body = await buffer(request);
    if (isSilent) return held.push(response);
    const contentType = request.headers['content-type'];
    bodies.push(body);
    contentTypes.add(contentType);
    for (const { resource, scopeSpans } of decode(body, contentType).resourceSpans) {
      spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => spanFrom(span, resource.attributes))));
    }
    response.writeHead(200, { 'content-type': contentType }).end(contentType === 'application/json' ? '{}' : undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    contentTypes,
    /** Everything that was received. */
    bytes: () => Buffer.concat(bodies),
    /** The responses that a silent receiver has not sent. */
    held,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

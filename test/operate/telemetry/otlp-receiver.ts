import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

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

/**
 * Starts a receiver of traces: OTLP over HTTP. Of JSON it reads the spans.
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
    response.writeHead(200, { 'content-type': contentType });
    if (contentType !== 'application/json') return response.end();
    for (const { resource, scopeSpans } of (JSON.parse(body.toString()) as Traces).resourceSpans) {
      spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => spanFrom(span, resource.attributes))));
    }
    return response.end('{}');
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

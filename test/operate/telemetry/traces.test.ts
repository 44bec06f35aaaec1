import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startReceiver as startServer } from '@waybill/tools/lab/network/receiver';
import { expect, vi } from 'vitest';
import { databaseUrl } from '../../fixtures/database/database-url.ts';
import { startProgram } from '../../fixtures/programs/process.ts';
import { declarationOf, tokenOf } from '../../fixtures/requests/valid-requests.ts';
import { type Settings, signingKey, startService } from '../../fixtures/service/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { test as base, newAccount, perFile, type TestAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { scrape } from './scrape.ts';

const [server, client] = [2, 3];

type KeyValue = { key: string; value: { stringValue?: string; intValue?: number | string } };
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes?: KeyValue[];
  status?: { code?: number };
}

type ReceivedSpan = ReturnType<typeof spanFrom>;

const spanFrom = ({ attributes = [], ...span }: SentSpan) => ({
  ...span,
  isError: span.status?.code === 2,
  attributes: Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  ),
});

/**
 * Starts a receiver of traces: OTLP over HTTP. Of JSON it reads the spans.
 * @param isSilent it never responds
 */
async function startReceiver({ isSilent = false } = {}) {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const contentTypes = new Set<string | undefined>();
  /** The responses that a silent receiver has not sent. */
  const held: ServerResponse[] = [];
  const http = await startServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end();
    const body = await buffer(request);
    if (isSilent) return held.push(response);
    const contentType = request.headers['content-type'];
    bodies.push(body);
    contentTypes.add(contentType);
    response.writeHead(200, { 'content-type': contentType });
    if (contentType !== 'application/json') return response.end();
    const { resourceSpans } = JSON.parse(body.toString()) as {
      resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
    };
    for (const { scopeSpans } of resourceSpans) spans.push(...scopeSpans.flatMap(({ spans }) => spans.map(spanFrom)));
    return response.end('{}');
  });
  return {
    ...http,
    url: new URL(http.url).origin,
    ...{ spans, contentTypes, held },
    /** Everything that was received. */
    bytes: () => Buffer.concat(bodies),
  };
}

/** Starts a receiver, and a service that sends it traces as JSON. */
async function traced(settings: Settings = {}) {
  await using created = new AsyncDisposableStack();
  const log: Record<string, unknown>[] = [];
  const receiver = created.use(await startReceiver());
  const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  const all = { ...otlp, OTEL_BSP_SCHEDULE_DELAY: '10', LOG_LEVEL: 'info', ...settings };
  const service = created.use(await startService(all, log));
  const resources = created.move();
  return { ...service, log, receiver, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const test = base.extend<{ $file: { service: Awaited<ReturnType<typeof traced>> } }>({ service: perFile(traced) });

/** Sends a request as part of a new trace. */
async function sendTraced(baseUrl: string, { key }: Pick<TestAccount, 'key'>, path: string, body?: unknown) {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const headers = { authorization: `Bearer ${key}`, traceparent: `00-${traceId}-${spanId}-01` };
  const json = { ...headers, 'content-type': 'application/json' };
  const post = { method: 'POST', headers: json, body: JSON.stringify(body) };
  const { status } = await fetch(baseUrl + path, body ? post : { headers });
  return { traceId, spanId, status };
}

/** The spans of a trace, when the one of the HTTP request has arrived; it ends last. */
const spansOf = (spans: ReceivedSpan[], traceId: string): Promise<ReceivedSpan[]> =>
  vi.waitFor(() => {
    const own = spans.filter((span) => span.traceId === traceId);
    expect(own.filter(({ kind }) => kind === server)).toHaveLength(1);
    return own;
  }, waitTimeout);

const childrenOf = (spans: ReceivedSpan[], parent?: { spanId: string }) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);

test('a request continues the trace of its client: HTTP, operation and SQL', async ({ service, account }) => {
  const { tracking_number } = await newShipment(account);
  const sent = await sendTraced(service.baseUrl, account, `/tracking/${tracking_number}`);
  const spans = await spansOf(service.receiver.spans, sent.traceId);
  const [http, ...others] = childrenOf(spans, sent);
  expect(others).toEqual([]);
  expect(http).toMatchObject({ name: 'GET /v1/tracking/:tracking_number', kind: server, isError: false });
  expect(http?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/v1/tracking/:tracking_number',
    'http.response.status_code': 200,
    'client.address': '127.0.0.1',
    'waybill.request_id': expect.any(String),
    'waybill.account_id': account.id,
    'waybill.key_id': account.key.split('_')[1],
  });
  const [operation] = childrenOf(spans, http);
  expect(operation?.name).toBe('getTracking');
  const [batch] = childrenOf(spans, operation);
  expect(batch).toMatchObject({ name: 'batch read_tracking', attributes: { 'waybill.batch.items': 1 } });
  const [statement] = childrenOf(spans, batch);
  expect(statement).toMatchObject({ name: 'SELECT', kind: client, attributes: { 'db.system.name': 'postgresql' } });
  expect(statement?.attributes['db.query.text']).toMatch(/^select .* from \(select \* from unnest\(\$\d::uuid\[\]/);
  expect(service.log.filter(({ traceId }) => traceId === sent.traceId)).toHaveLength(1);
});

test('traces hold no keys, bodies, parameters and signed URLs', async ({ service, account }) => {
  const { receiver } = service;
  const { tracking_number } = await account.client.createShipment(
    { ...shipmentRequest(), notes: 'Ring the bell twice.', reference: 'PO-4711' },
    { idempotencyKey: 'the-key-of-the-request' },
  );
  const declaration = declarationOf(Uint8Array.of(1));
  const { upload_url } = await account.client.createProofUpload({ tracking_number, ...declaration });
  await fetch(upload_url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: 'x' });
  const last = await sendTraced(service.baseUrl, account, '/shipments?reference=PO-4711');
  await spansOf(receiver.spans, last.traceId);
  const [, keyId = '', secret = ''] = account.key.split('_');
  const text = receiver.bytes().toString();
  expect(text).toContain(keyId);
  expect(receiver.spans.map(({ name }) => name)).toContain('PUT /v1/uploads/:upload_token');
  const written = ['Ring the bell', 'PO-4711', 'the-key-of', 'Seattle'];
  for (const each of [secret, tokenOf(upload_url), tracking_number, ...written]) expect(text).not.toContain(each);
});

test('a receiver that does not respond neither fails requests nor prevents the stop', async () => {
  await using receiver = await startReceiver({ isSilent: true });
  const settings = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`, OTEL_BSP_SCHEDULE_DELAY: '1' };
  {
    await using service = await startService(settings);
    const account = await newAccount(service);
    await newShipment(account);
    await vi.waitFor(() => expect(receiver.held).toHaveLength(1), waitTimeout);
    await newShipment(account);
  }
  // The exporter itself would wait for longer.
  expect(receiver.held.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('the bundle has metrics, and exports all traces as protobuf', async ({ service, account }) => {
  await using receiver = await startReceiver();
  const bundle = new URL('../../../packages/server/dist/waybill.js', import.meta.url);
  expect(existsSync(bundle), '`pnpm test` builds it before the tests').toBe(true);
  await using program = startProgram(bundle, ['serve'], {
    DATABASE_URL: databaseUrl(),
    DATABASE_TIMEOUT_MS: '60000',
    DRAIN_MS: '0',
    OVERLOAD_DELAY_MS: '600000',
    PORT: '0',
    METRICS_PORT: '0',
    SIGNING_KEYS: signingKey,
    STORAGE_URL: `file:${service.storageFolder}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_SERVICE_NAME: 'freight',
  });
  const [, origin = ''] = await program.waitForOutput(/listening at (http:[^"]+)"/);
  const sent = await sendTraced(`${origin}/v1`, account, '/shipments', shipmentRequest());
  expect(sent.status).toBe(201);
  const [, metricsPort = ''] = await program.waitForOutput(/Metrics at http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
  expect(await scrape(metricsPort)).toContain('waybill_batch_items_count{batch="create_shipments"} 1');
  program.signal('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect([...receiver.contentTypes]).toEqual(['application/x-protobuf']);
  // In protobuf, ids are bytes and texts are UTF-8.
  const names = ['POST /v1/shipments', 'createShipment', 'batch create_shipments', 'service.name', 'freight'];
  const ids = [sent.traceId, sent.spanId].map((id) => Buffer.from(id, 'hex'));
  for (const each of [...names, ...ids]) expect([each, receiver.bytes().includes(each)]).toEqual([each, true]);
});

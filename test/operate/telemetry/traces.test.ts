import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { concurrently } from '../../fixtures/concurrently.ts';
import { databaseUrl } from '../../fixtures/database-url.ts';
import { holdFeed } from '../../fixtures/locks.ts';
import { startProgram } from '../../fixtures/process.ts';
import { declarationOf, tokenOf } from '../../fixtures/requests.ts';
import { type Settings, signingKey, startService } from '../../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { type ReceivedSpan, startReceiver } from './otlp-receiver.ts';
import { scrape } from './scrape.ts';

const server = 2;
const client = 3;

/** Starts a receiver, and a service that sends it traces as JSON. */
async function traced(settings: Settings = {}, log: Record<string, unknown>[] = []) {
  await using created = new AsyncDisposableStack();
  const receiver = created.use(await startReceiver());
  const service = created.use(
    await startService(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '10',
        ...settings,
      },
      log,
    ),
  );
  const all = created.move();
  return { ...service, receiver, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Sends a request as part of a new trace. */
async function sendTraced(baseUrl: string, { key }: Pick<TestAccount, 'key'>, path: string, body?: unknown) {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const { status } = await fetch(baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      traceparent: `00-${traceId}-${spanId}-01`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { traceId, spanId, status };
}

/** The spans of a trace, when the one of the HTTP request has arrived; it ends last. */
const spansOf = (spans: ReceivedSpan[], traceId: string): Promise<ReceivedSpan[]> =>
  vi.waitFor(() => {
    const own = spans.filter((span) => span.traceId === traceId);
    expect(own.filter(({ kind }) => kind === server)).toHaveLength(1);
    return own;
  }, waitTimeout);

const childrenOf = (spans: ReceivedSpan[], { spanId }: { spanId: string }) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId);

test('a request continues the trace of its client: HTTP, operation and SQL', async () => {
  const log: Record<string, unknown>[] = [];
  await using service = await traced({ LOG_LEVEL: 'info' }, log);
  const account = await newAccount(service);
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
  const [operation] = childrenOf(spans, http as ReceivedSpan);
  expect(operation?.name).toBe('getTracking');
  const [batch] = childrenOf(spans, operation as ReceivedSpan);
  expect(batch).toMatchObject({ name: 'batch read_tracking', attributes: { 'waybill.batch.items': 1 } });
  const [statement] = childrenOf(spans, batch as ReceivedSpan);
  expect(statement).toMatchObject({ name: 'SELECT', kind: client, attributes: { 'db.system.name': 'postgresql' } });
  expect(statement?.attributes['db.query.text']).toMatch(/^select .* from \(select \* from unnest\(\$\d::uuid\[\]/);
  expect(log.filter(({ traceId }) => traceId === sent.traceId)).toHaveLength(1);
});

test('a group of writes is part of one trace and is linked with the others', async () => {
  await using service = await traced();
  const account = await newAccount(service);
  const { receiver, baseUrl } = service;
  const requests = await concurrently(12, () => sendTraced(baseUrl, account, '/shipments', shipmentRequest()));
  const traces = await Promise.all(requests.map(({ traceId }) => spansOf(receiver.spans, traceId)));
  const operations = traces.map((spans) => spans.filter(({ name }) => name === 'createShipment'));
  const batches = traces.flat().filter(({ name }) => name === 'batch create_shipments');
  expect(batches.reduce((sum, { attributes }) => sum + Number(attributes['waybill.batch.items']), 0)).toBe(12);
  const linked = ({ links = [] }: ReceivedSpan) => links.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
  const idOf = ({ traceId, spanId }: ReceivedSpan) => `${traceId} ${spanId}`;
  for (const [operation, ...others] of operations) {
    if (!operation) throw new Error('A trace has no operation.');
    expect(others).toEqual([]);
    const own = batches.filter(({ parentSpanId }) => parentSpanId === operation.spanId);
    const shared = batches.filter((batch) => linked(batch).includes(idOf(operation)));
    expect([...own, ...shared]).toHaveLength(1);
    expect(linked(operation)).toEqual(shared.map(idOf));
  }
  for (const batch of batches) {
    expect(linked(batch)).toHaveLength(Number(batch.attributes['waybill.batch.items']) - 1);
    expect(new Set(childrenOf(traces.flat(), batch).map(({ kind }) => kind))).toEqual(new Set([client]));
  }
});

test('a failed statement is an error with the code of PostgreSQL; a refused request is none', async () => {
  await using service = await traced();
  const account = await newAccount(service);
  const missing = await sendTraced(service.baseUrl, account, '/tracking/FRT-2026-999999999');
  expect(missing.status).toBe(404);
  const spans = await spansOf(service.receiver.spans, missing.traceId);
  expect(spans.filter(({ isError }) => isError)).toEqual([]);

  await using lock = await holdFeed(service.db, account);
  const sending = sendTraced(service.baseUrl, account, '/shipments', shipmentRequest());
  await lock.waiting(1);
  await vi.waitFor(() => {
    const failed = service.receiver.spans.filter(({ isError, kind }) => isError && kind === client);
    expect(failed.map(({ attributes }) => attributes['error.type'])).toEqual(['55P03']); // lock_not_available
  }, waitTimeout);
  await lock.release();
  expect((await sending).status).toBe(201);
});

test('traces hold no keys, bodies, parameters and signed URLs', async () => {
  await using service = await traced();
  const account = await newAccount(service);
  const shipment = await account.client.createShipment(
    { ...shipmentRequest(), notes: 'Ring the bell twice.', reference: 'PO-4711' },
    { idempotencyKey: 'the-key-of-the-request' },
  );
  const { tracking_number } = shipment;
  const body = declarationOf(Uint8Array.of(1));
  const data = await account.client.createProofUpload({ tracking_number, ...body });
  await fetch(data.upload_url, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: 'x' });
  await fetch(`${service.baseUrl}/shipments?reference=PO-4711`, {
    headers: { authorization: `Bearer ${account.key}` },
  });
  const { receiver } = service;
  await vi.waitFor(() => {
    const names = receiver.spans.filter(({ kind }) => kind === server).map(({ name }) => name.split(' ')[0]);
    expect(names).toEqual(['POST', 'POST', 'PUT', 'GET']);
  }, waitTimeout);
  const [, keyId = '', secret = ''] = account.key.split('_');
  const text = receiver.bytes().toString();
  expect(text).toContain(keyId);
  const secrets = [
    secret,
    tokenOf(data.upload_url),
    'Ring the bell',
    'PO-4711',
    'the-key-of',
    tracking_number,
    'Seattle',
  ];
  for (const each of secrets) expect(text).not.toContain(each);
});

test('the sampler leaves requests out, and follows the decision of the client', async () => {
  const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
  await using service = await traced(sampler);
  const account = await newAccount(service);
  await newShipment(account);
  const sent = await sendTraced(service.baseUrl, account, '/shipments');
  await spansOf(service.receiver.spans, sent.traceId);
  expect(new Set(service.receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([sent.traceId]));
});

test('spans are sent after OTEL_BSP_SCHEDULE_DELAY, and not before', async () => {
  await using patient = await traced({ OTEL_BSP_SCHEDULE_DELAY: '600000' });
  await using impatient = await traced({ OTEL_BSP_SCHEDULE_DELAY: '10' });
  const account = await newAccount(patient);
  // It gets its request first: a delay that is the same for both would send its spans first.
  await sendTraced(patient.baseUrl, account, '/shipments');
  const early = await sendTraced(impatient.baseUrl, account, '/shipments');
  await spansOf(impatient.receiver.spans, early.traceId);
  expect(patient.receiver.spans).toEqual([]);
});

test('OTEL_TRACES_SAMPLER_ARG is the share of requests that are recorded', async () => {
  let spans: ReceivedSpan[];
  {
    await using service = await traced({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' });
    await concurrently(200, async () => (await fetch(`${service.baseUrl}/shipments`)).arrayBuffer());
    spans = service.receiver.spans;
  }
  const recorded = spans.filter(({ kind }) => kind === server).length;
  // 50 are expected, with a standard deviation of 6.
  expect(recorded).toBeGreaterThan(5);
  expect(recorded).toBeLessThan(100);
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

test('the bundle has metrics, exports traces as protobuf by default, and the last spans when it stops', async ({
  service,
  account,
}) => {
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
  const expected = [
    ...names.map((name) => Buffer.from(name)),
    ...[sent.traceId, sent.spanId].map((id) => Buffer.from(id, 'hex')),
  ];
  expect(expected.filter((bytes) => !receiver.bytes().includes(bytes)).map(String)).toEqual([]);
});

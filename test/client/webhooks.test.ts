import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import {
  type Event,
  signTestWebhook,
  verifyWebhook,
  type WaybillEvent,
  type WebhookVerificationError,
} from '@waybill/client/webhooks';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { webhookServer as expressServer } from '@waybill/docs/samples/webhooks/express.ts';
import { webhookServer as fastifyServer } from '@waybill/docs/samples/webhooks/fastify.ts';
import { webhookHandler } from '@waybill/docs/samples/webhooks/next.ts';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const event = contract.components.examples.EventListPage.value.data[0] as Event;
const now = new Date();

/** Why a verification fails; undefined when it succeeds. */
const refusalOf = (verification: Promise<unknown>): Promise<string | undefined> =>
  verification.then(
    () => undefined,
    (error: WebhookVerificationError) => error.code,
  );

test('verifyWebhook returns the event of a request that signTestWebhook signed', async () => {
  const { body, headers } = await signTestWebhook(event, secret);
  expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), [other, secret])).toEqual(event);
  const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  expect(await verifyWebhook(body, upperCase, secret)).toEqual(event);
});

test('verifyWebhook takes lists of headers, and bytes of every kind and realm', async () => {
  const { body, headers } = await signTestWebhook(event, secret);
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  expect(await verifyWebhook(body, lists, secret)).toEqual(event);
  const two = { ...lists, 'webhook-signature': ['v1,AAAA', headers['webhook-signature'] ?? ''] };
  expect(await verifyWebhook(body, two, secret)).toEqual(event);
  expect(await refusalOf(verifyWebhook(body, { ...lists, 'webhook-id': [] }, secret))).toBe('missing_header');
  expect(await refusalOf(verifyWebhook(body, { ...lists, 'webhook-id': [event.id, event.id] }, secret))).toBe(
    'invalid_signature',
  );

  const bytes = new TextEncoder().encode(body);
  const within = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
  const foreign = runInNewContext('const copy = Uint8Array.from(bytes); [copy, copy.buffer]', { bytes });
  for (const form of [Buffer.from(body), within, bytes.buffer, ...(foreign as ArrayBuffer[])]) {
    expect(await verifyWebhook(form, headers, secret)).toEqual(event);
  }
});

test('the library standardwebhooks and this client verify the signatures of each other', async () => {
  const { body, headers } = await signTestWebhook(event, secret);
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  const signature = new Webhook(secret).sign(event.id, now, body);
  const signed = {
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signature,
  };
  expect(await verifyWebhook(body, signed, secret)).toEqual(event);
});

test('verifyWebhook ignores signatures of other versions and secrets, and unreadable ones', async () => {
  const { body, headers } = await signTestWebhook(event, secret);
  const { headers: others } = await signTestWebhook(event, other);
  const signature = headers['webhook-signature'];
  const more = `v1a,AAAA v1,%%% v1 ${others['webhook-signature']} ${signature}`;
  expect(await verifyWebhook(body, { ...headers, 'webhook-signature': more }, secret)).toEqual(event);
  const asymmetric = { ...headers, 'webhook-signature': signature?.replace('v1,', 'v1a,') };
  expect(await refusalOf(verifyWebhook(body, asymmetric, secret))).toBe('invalid_signature');
});

test('verifyWebhook refuses every change of a request', async () => {
  const { body, headers } = await signTestWebhook(event, secret, { timestamp: now });
  const later = String(Math.floor(now.getTime() / 1000) + 1);
  const changes: [string, string, Record<string, string>, string][] = [
    ['invalid_signature', `${body} `, headers, secret],
    ['invalid_signature', body.replace('Seattle', 'Spokane'), headers, secret],
    ['invalid_signature', body, { ...headers, 'webhook-id': 'evt_1' }, secret],
    ['invalid_signature', body, { ...headers, 'webhook-timestamp': later }, secret],
    ['invalid_signature', body, { ...headers, 'webhook-signature': 'v1,AAAA' }, secret],
    ['invalid_signature', body, headers, other],
    ['missing_header', body, { ...headers, 'webhook-id': '' }, secret],
    ['missing_header', body, { 'webhook-id': event.id }, secret],
    ['timestamp_out_of_range', body, { ...headers, 'webhook-timestamp': 'now' }, secret],
    ['timestamp_out_of_range', body, { ...headers, 'webhook-timestamp': '-1' }, secret],
  ];
  for (const [code, sent, sentHeaders, by] of changes) {
    expect(await refusalOf(verifyWebhook(sent, sentHeaders, by)), JSON.stringify(sentHeaders)).toBe(code);
  }
});

test('verifyWebhook refuses a request that is more than five minutes old or ahead', async () => {
  const timestamp = new Date('2026-03-02T09:15:00Z');
  const { body, headers } = await signTestWebhook(event, secret, { timestamp });
  const at = (seconds: number, tolerance?: number) =>
    refusalOf(verifyWebhook(body, headers, secret, { now: new Date(timestamp.getTime() + seconds * 1000), tolerance }));
  expect(await Promise.all([at(-300), at(300), at(900, 900)])).toEqual([undefined, undefined, undefined]);
  expect(await Promise.all([at(-301), at(301)])).toEqual(Array(2).fill('timestamp_out_of_range'));
});

test('verifyWebhook refuses a signed body that is not JSON', async () => {
  const { body, headers } = await signTestWebhook('{', secret);
  expect(await refusalOf(verifyWebhook(body, headers, secret))).toBe('invalid_body');
});

test('verifyWebhook throws a TypeError for invalid arguments', async () => {
  const { body, headers } = await signTestWebhook(event, secret);
  await expect(verifyWebhook(JSON.parse(body), headers, secret)).rejects.toThrow(/exactly as it was received/);
  await expect(verifyWebhook(body, headers, '')).rejects.toThrow(TypeError);
  await expect(verifyWebhook(body, headers, 'whsec_short')).rejects.toThrow(/whsec_/);
  await expect(verifyWebhook(body, headers, [])).rejects.toThrow(/empty/);
  await expect(verifyWebhook(body, headers, secret, { tolerence: 1 } as object)).rejects.toThrow(/tolerence/);
});

type Process = (event: WaybillEvent) => Promise<void>;

/** Receives with a framework's sample: posts a request, or stops. */
interface Receiver extends AsyncDisposable {
  post(headers: Record<string, string>, body: string): Promise<Response>;
}

const postTo = (port: number) => (headers: Record<string, string>, body: string) =>
  fetch(`http://127.0.0.1:${port}/waybill`, { method: 'POST', headers, body });

const frameworks: Record<string, (process: Process) => Promise<Receiver>> = {
  async Fastify(process) {
    const app = fastifyServer(process, [other, secret]);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    return { post: postTo(port), [Symbol.asyncDispose]: () => app.close() };
  },
  async Express(process) {
    const server = createServer(expressServer(process, [other, secret]).set('env', 'test'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      post: postTo(port),
      [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
    };
  },
  async Next(process) {
    const handle = webhookHandler(process, [other, secret]);
    const error = () => new Response(null, { status: 500 }); // as Next does
    return {
      post: (headers, body) => handle(new Request('https://a.example', { method: 'POST', headers, body })).catch(error),
      async [Symbol.asyncDispose]() {},
    };
  },
};

test.for(Object.entries(frameworks))('the sample for %s processes only signed events', async ([, start]) => {
  const processed: Event[] = [];
  await using receiver = await start(async (one) => {
    if (processed.length > 0) throw new Error('The queue is full.');
    processed.push(one);
  });
  const { body, headers } = await signTestWebhook(event, secret);
  expect((await receiver.post(headers, `${body} `)).status).toBe(400);
  expect(processed).toEqual([]);
  expect((await receiver.post(headers, body)).status).toBe(204);
  expect(processed).toEqual([event]);
  expect((await receiver.post(headers, body)).status, 'so that the event is sent again').toBe(500);
});

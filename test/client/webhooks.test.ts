import { runInNewContext } from 'node:vm';
import { type Event, signTestWebhook, verifyWebhook, type WebhookHeaders } from '@waybill/client/webhooks';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const event = contract.components.examples.EventListPage.value.data[0] as Event;
const timestamp = new Date();
const { body, headers } = await signTestWebhook(event, secret, { timestamp });
const { headers: others } = await signTestWebhook(event, other);
const signature = headers['webhook-signature'] ?? '';

/** The headers with other names or values. */
const mapped = (change: (name: string, value: string) => [string, string | string[]]): WebhookHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => change(name, value)));
const lists = mapped((name, value) => [name, [value]]);

test.for<[string, WebhookHeaders, secrets?: string | string[]]>([
  ['the headers of signTestWebhook', headers],
  ['Headers, and several secrets', new Headers(headers), [other, secret]],
  ['names in upper case', mapped((name, value) => [name.toUpperCase(), value])],
  ['lists of values', { ...lists, 'webhook-signature': ['v1,AAAA', signature] }],
  [
    'unreadable signatures, and some of other versions and secrets',
    { ...headers, 'webhook-signature': `v1a,AAAA v1,%%% v1 ${others['webhook-signature']} ${signature}` },
  ],
  [
    'a signature of the library standardwebhooks',
    { ...headers, 'webhook-signature': new Webhook(secret).sign(event.id, timestamp, body) },
  ],
])('verifyWebhook accepts %s', async ([, each, secrets = secret]) => {
  expect(await verifyWebhook(body, each, secrets)).toEqual(event);
});

test('the library standardwebhooks accepts signTestWebhook, and verifyWebhook bytes of every kind and realm', async () => {
  expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  const bytes = new TextEncoder().encode(body);
  const within = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
  const foreign = runInNewContext('const copy = Uint8Array.from(bytes); [copy, copy.buffer]', { bytes });
  for (const form of [Buffer.from(body), within, bytes.buffer, ...(foreign as ArrayBuffer[])])
    expect(await verifyWebhook(form, headers, secret)).toEqual(event);
});

const later = String(Math.floor(timestamp.getTime() / 1000) + 1);
const { body: half, headers: ofHalf } = await signTestWebhook('{', secret);
test.for<[code: string, headers: WebhookHeaders, body?: string]>([
  ['invalid_signature', headers, body.replace('Seattle', 'Spokane')],
  ['invalid_signature', { ...headers, 'webhook-id': 'evt_1' }],
  ['invalid_signature', { ...lists, 'webhook-id': [event.id, event.id] }],
  ['invalid_signature', { ...headers, 'webhook-timestamp': later }],
  ['invalid_signature', { ...headers, 'webhook-signature': 'v1,AAAA' }],
  ['invalid_signature', { ...headers, 'webhook-signature': signature.replace('v1,', 'v1a,') }],
  ['missing_header', { ...headers, 'webhook-id': '' }],
  ['missing_header', { ...lists, 'webhook-id': [] }],
  ['timestamp_out_of_range', { ...headers, 'webhook-timestamp': 'now' }],
  ['timestamp_out_of_range', { ...headers, 'webhook-timestamp': '-1' }],
  ['invalid_body', ofHalf, half],
])('verifyWebhook refuses every change of a request: %s for %j', async ([code, sent, text = body]) => {
  await expect(verifyWebhook(text, sent, secret)).rejects.toMatchObject({ name: 'WebhookVerificationError', code });
});

test('verifyWebhook refuses a request that is more than five minutes old or ahead', async () => {
  const signed = await signTestWebhook(event, secret, { timestamp: new Date('2026-03-02T09:15:00Z') });
  const at = (time: string, tolerance?: number) =>
    verifyWebhook(signed.body, signed.headers, secret, { now: new Date(`2026-03-02T${time}Z`), tolerance });
  for (const valid of [at('09:10:00'), at('09:20:00'), at('09:30:00', 900)]) expect(await valid).toEqual(event);
  for (const invalid of [at('09:09:59'), at('09:20:01')])
    await expect(invalid).rejects.toMatchObject({ code: 'timestamp_out_of_range' });
});

test('verifyWebhook throws a TypeError for invalid arguments', async () => {
  await expect(verifyWebhook(JSON.parse(body), headers, secret)).rejects.toThrow(/exactly as it was received/);
  await expect(verifyWebhook(body, headers, 'whsec_short')).rejects.toThrow(/whsec_/);
  await expect(verifyWebhook(body, headers, secret, { tolerence: 1 } as object)).rejects.toThrow(/tolerence/);
});

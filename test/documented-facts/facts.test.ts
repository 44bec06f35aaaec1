import { maxHeaderSize } from 'node:http';
import { maxBodyBytes } from '@waybill/contract/body-limit';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { streamLimits } from '@waybill/http/streamed-body';
import { variables } from '@waybill/server/config';
import { eventDays } from '@waybill/server/event-feed/feed';
import { streamTimes } from '@waybill/server/events/stream';
import { uploadHours } from '@waybill/server/jobs/clean-up';
import { retentionHours } from '@waybill/server/operations/stored-responses';
import { expect } from 'vitest';
import { shipmentIn } from '../fixtures/shipments.ts';
import { test } from '../fixtures/test.ts';

const declaring = 'paths /tracking/{tracking_number}/pod/uploads post';
const putFile = 'paths /uploads/{upload_token} put';
const recording = 'paths /tracking/{tracking_number}/positions post';
const feed = 'paths /events get';
const stream = 'paths /events/stream get';
const route = 'paths /tracking/{tracking_number}/positions get';
const problem = 'schemas ProblemCode x-problems';
const timestamps = ['schemas ProofOfDeliveryRequest delivered_at', 'schemas TrackingEventRequest timestamp'];

/**
 * Sizes, times, orders and statuses in the contract's descriptions: each fact → the places that state it. Written by hand:
 * a description that states a new fact fails the test until the fact is here and tested.
 */
const known: Record<string, string[]> = {
  404: ['info'],
  409: ['info', putFile],
  429: ['info', declaring],
  '400, 401, 403, 413, 415, 429 and 5xx': ['info'],
  100: [
    `${problem} expectation_failed`,
    `${problem} delivery_limit_reached`,
    'paths /webhook_endpoints/{webhook_endpoint_id}/test post',
    'paths /webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/resend post',
  ],
  304: ['parameters IfNoneMatchParameter'],
  '1000 to 2999': ['info', 'schemas RequestTimestamp'],
  '1 MiB': ['info', `${problem} payload_too_large`],
  '10 MiB': ['info', `${problem} payload_too_large`, 'schemas ProofUploadRequest size'],
  '1 to 16384 pixels': [putFile],
  '1024 KiB': [putFile],
  20: [declaring, stream, `${problem} upload_limit_reached`, `${problem} too_many_streams`],
  '15 seconds': [stream],
  '30 seconds': [stream],
  '45 seconds': [stream],
  '5 minutes': [stream],
  '25 hours': ['info', `${problem} storage_quota_exceeded`],
  '16 KiB': [`${problem} headers_too_large`],
  '30 days': [
    'info',
    feed,
    `${problem} events_expired`,
    'paths /webhook_endpoints/{webhook_endpoint_id}/deliveries get',
    'schemas WebhookReplayRequest from',
  ],
  '64 bits': ['info'],
  '1 to 128': ['headers X-Request-Id'],
  '24 hours': [
    'info',
    'parameters IdempotencyKeyParameter',
    declaring,
    `${problem} upload_limit_reached`,
    'paths /webhook_endpoints/{webhook_endpoint_id}/rotate_secret post',
  ],
  '90 days': ['info', route, 'schemas PositionReport updated_at'],
  'a day': [route, feed],
  '5 minutes ahead': ['schemas PositionReport updated_at', ...timestamps],
  '5 minutes before': timestamps,
  '15 minutes': ['info', 'schemas ProofUpload expires_at'],
  'an hour': ['info', 'paths /files/{file_token} get', 'schemas ProofOfDelivery signature_url'],
  'newest first': [
    'paths /shipments get',
    'schemas ShipmentList',
    'paths /webhook_endpoints/{webhook_endpoint_id}/deliveries get',
    'schemas WebhookDeliveryList',
  ],
  'oldest position first': [route, 'schemas PositionList'],
  'oldest first': [
    'schemas EventList data',
    'schemas TrackingStatus timeline',
    'paths /webhook_endpoints get',
    'schemas WebhookEndpointList data',
  ],
  '1,000': ['info', `${problem} rate_limited`],
  '5 seconds': [stream],
  'greatest timestamp': [recording],
  'last wins': [recording],
  'latest reported': ['schemas TrackingStatus current_location', 'schemas TrackingChange current_location'],
  0: ['schemas WebhookSecretRotation previous_valid_hours'],
  1000: ['schemas WebhookResponse body'],
  1024: ['schemas WebhookUrl'],
  443: ['schemas WebhookUrl'],
  16: ['paths /webhook_endpoints post', `${problem} webhook_limit_reached`],
  '200 to 299': ['schemas WebhookDeliveryStatus x-enumDescriptions'],
  410: ['schemas WebhookDisabledReason x-enumDescriptions', 'webhooks event post'],
  'last 30': [
    'paths /webhook_endpoints/{webhook_endpoint_id} patch',
    'schemas WebhookEndpointStatus x-enumDescriptions',
  ],
  'last attempt': ['paths /webhook_endpoints/{webhook_endpoint_id}/deliveries get'],
  'last change': ['schemas WebhookEndpoint updated_at', 'schemas WebhookEndpointWithSecret updated_at'],
  'last request': ['schemas WebhookAttempt'],
  'last changed': ['schemas Shipment updated_at'],
};

/** Names of documents and formats, which have numbers of their own. */
const references = /RFC \d+(, section [\d.]+)?|draft-[\w-]+|SHA-256|UTF-8|WGS 84|IPv6/g;

const number = String.raw`\d+(?:,\d{3})*`;
const fact = new RegExp(
  [
    String.raw`\d{3}(?:, \d{3})+(?: and 5xx)?`, // statuses
    `${number}(?: to ${number})?(?: [KM]iB| bits| pixels| hours?| minutes?| seconds?| days?)?(?: ahead| before)?`,
    String.raw`\b(?:an hour|a day|a minute|a second)\b`,
    String.raw`\b(?:newest|oldest)\b[^.,;:]*? first\b`,
    String.raw`\b(?:greatest|last|latest) \w+`,
  ].join('|'),
  'g',
);

/** Every description of a node, at every depth, with its place. */
function* descriptions(node: unknown, place: string[]): Generator<[place: string, text: string]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (['example', 'examples'].includes(key)) continue;
    const isText = typeof value === 'string' && (key === 'description' || place.at(-1) === 'x-enumDescriptions');
    if (isText) yield [place.join(' '), value.replace(/\s+/g, ' ')];
    else yield* descriptions(value, ['components', 'properties'].includes(key) ? place : [...place, key]);
  }
}

test("the contract's descriptions state exactly the known facts, in the known places", () => {
  const stated = [...descriptions(contract, [])].flatMap(([place, text]) =>
    [...text.replace(references, '').matchAll(fact)].map(([name]) => `${name}: ${place}`),
  );
  const expected = Object.entries(known).flatMap(([name, places]) => places.map((place) => `${name}: ${place}`));
  expect(
    [...new Set(stated)].sort(),
    'A description states a new number, time or order, or no longer states one. Correct the description, or change ' +
      '`known` in test/documented-facts/facts.test.ts and test the fact.',
  ).toEqual(expected.sort());
});

test('the limits of the contract and of Node.js are the stated ones', () => {
  const { ProofUploadRequest, TrackingEventRequest, ProofOfDeliveryRequest, PositionReport } =
    contract.components.schemas;
  expect(maxBodyBytes, '1 MiB').toBe(1024 ** 2);
  expect(ProofUploadRequest.properties.size.maximum, '10 MiB').toBe(10 * 1024 ** 2);
  expect(maxHeaderSize, '16 KiB').toBe(16 * 1024);
  expect(PositionReport.properties.updated_at['x-time'], '5 minutes ahead').toEqual({ max_ahead: 'PT5M' });
  for (const limits of [TrackingEventRequest.properties.timestamp, ProofOfDeliveryRequest.properties.delivered_at]) {
    expect(limits, '5 minutes').toMatchObject({ 'x-time': { max_ahead: 'PT5M', max_before_previous: 'PT5M' } });
  }
});

test('data is retained for the stated times', () => {
  expect(variables.POSITION_DAYS.default, '90 days').toBe(90);
  expect(eventDays, '30 days').toBe(30);
  expect(retentionHours, '24 hours').toBe(24);
  expect(uploadHours, '25 hours').toBe(25);
});

test('the limits of streams are the stated ones', () => {
  expect(streamTimes.heartbeat, '15 seconds').toBe(15_000);
  expect(streamLimits.stall, '30 seconds').toBe(30_000);
  expect(variables.EVENT_STREAM_SECONDS.default, '5 minutes').toBe(300);
  expect(variables.EVENT_STREAMS_PER_KEY.default, '20').toBe(20);
});

test('the URL of a file is valid for an hour', async ({ account }) => {
  const { tracking_number } = await shipmentIn(account, 'delivered');
  const data = await account.client.getProofOfDelivery({ tracking_number });
  const { headers } = await fetch(data.signature_url);
  const [, seconds] = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(58 * 60);
  expect(Number(seconds)).toBeLessThanOrEqual(65 * 60);
});

test('an X-Request-Id of 1 to 128 permitted characters is returned, and any other is replaced', async ({ service }) => {
  const idFor = async (sent: string) => {
    const response = await fetch(`${service.origin}/health/live`, { headers: { 'x-request-id': sent } });
    return response.headers.get('x-request-id');
  };
  for (const id of ['a', 'A9._-', 'x'.repeat(128)]) expect(await idFor(id)).toBe(id);
  for (const id of ['', 'x'.repeat(129), 'a b', 'a/b', 'a"']) expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
});

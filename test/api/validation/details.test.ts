import { expect } from 'vitest';
import { get, problemOf } from '../../fixtures/http.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';

const example = 'ship_01kjpx8p02fabr24pa3eywnyp2';

test.for<[path: string, detail: string]>([
  ['/shipments?limit=101', 'query /limit must be at most 100.'],
  ['/shipments?limit=ten', 'query /limit must be an integer.'],
  ['/shipments?limit=1&limit=2', 'query /limit must be sent only once.'],
  ['/shipments?limit[]=1', 'query /limit[] is unknown: send `limit` only once.'],
  ['/shipments?limits[]=1', 'query /limits[] is unknown.'],
  [
    '/shipments?status=delivered&status=cancelled',
    'query /status must be sent once, with its values separated by commas.',
  ],
  [
    '/shipments?status[]=delivered&status[]=cancelled',
    'query /status[] is unknown: send `status` once, with its values separated by commas.',
  ],
  ['/shipments?has_exception=True', 'query /has_exception must be true.'],
  ['/shipments?has_exception=1', 'query /has_exception must be true.'],
  ['/shipments?has_exception=true&has_exception=true', 'query /has_exception must be sent only once.'],
  ['/shipments?from_date=2026-11-01T00:00:00+02:00', 'query /from_date must have its `+` encoded as `%2B`.'],
  ['/shipments?to_date=2026-11-01T00:00:00.5+0200', 'query /to_date must have its `+` encoded as `%2B`.'],
  ['/shipments?updated_since=2026-11-01T00:00:00+02:00', 'query /updated_since must have its `+` encoded as `%2B`.'],
  [
    '/shipments?from_date=2026-11-01+00:00',
    'query /from_date must be a date (YYYY-MM-DD) or a date-time with an offset.',
  ],
  ['/shipments?from_date=a&from_date=b', 'query /from_date must be sent only once.'],
  ['/shipments?from_date=a&limit=0', '2 fields are invalid.'],
  ['/shipments?cursor=*', 'query /cursor must have the form that its description states.'],
  ['/events?after=42', 'query /after must begin with `evt_`.'],
  ['/events?after=evt_42', 'query /after must have the form that its description states.'],
  [
    '/events?types=moved',
    'query /types must be one or more of shipment.created, shipment.updated, shipment.cancelled, tracking.status_reached, ' +
      'tracking.location_changed, tracking.eta_changed, tracking.exception_raised, ' +
      'tracking.exception_resolved, proof_of_delivery.submitted, webhook_endpoint.disabled, webhook_endpoint.test, separated by commas.',
  ],
  ['/tracking/frt-2026-000142', '`frt-2026-000142` is not a tracking number: write `FRT-2026-000142`.'],
  ['/tracking/%20FRT-2026-000142%0A', '` FRT-2026-000142?` is not a tracking number: write `FRT-2026-000142`.'],
  ['/tracking/FRT-2026-000142%E2%80%8B', '`FRT-2026-000142?` is not a tracking number: write `FRT-2026-000142`.'],
  [
    `/shipments/%20${example.toUpperCase()}`,
    `\` ${example.toUpperCase()}\` is not a shipment id: write \`${example}\`.`,
  ],
  ['/shipments?status=Delivered', 'query /status must be written as `delivered`.'],
  ['/shipments?status=delivered,+cancelled', 'query /status must be written as `delivered,cancelled`.'],
  ['/shipments/FRT-2026-000142', '`FRT-2026-000142` is not a shipment id: they begin with `ship_`.'],
  ['/shipments/ship_142', `\`ship_142\` is not a shipment id: they have the form of \`${example}\`.`],
  [`/tracking/${example}`, `\`${example}\` is not a tracking number: they have the form of \`FRT-2026-000142\`.`],
  ['/shipments/%1B%5B2J%60%E2%80%AE', '`?[2J??` is not a shipment id: they begin with `ship_`.'],
  [`/shipments/${'x'.repeat(400)}`, `\`${'x'.repeat(100)}\` is not a shipment id: they begin with \`ship_\`.`],
  ['/shipments/ship_01kjpx8p02fabr24pa3eywnyp9', 'There is no shipment `ship_01kjpx8p02fabr24pa3eywnyp9`.'],
  ['/tracking/FRT-1999-000142', 'There is no shipment `FRT-1999-000142`.'],
  ['/tracking/FRT-1999-000142/positions', 'There is no shipment `FRT-1999-000142`.'],
  ['/files/token', 'There is nothing at this URL.'],
  ['/shipment', 'There is nothing at this URL.'],
])('the detail of the problem of %s is: %s', async ([path, expected], { account: { key }, service: { baseUrl } }) => {
  expect((await problemOf(await get({ baseUrl }, { key }, path))).detail).toBe(expected);
});

test('a detail has a duration in words', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const timestamp = new Date(Date.now() + 3_600_000);
  await expect(
    account.client.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp }),
  ).rejects.toMatchObject({ detail: 'body /timestamp must not be more than 5 minutes ahead of now.' });
});

test('a detail names null as the cause, and a byte order mark is accepted', async ({
  account: { key },
  service: { baseUrl },
}) => {
  const send = (body: string) =>
    fetch(`${baseUrl}/shipments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
  expect((await problemOf(await send(JSON.stringify({ ...shipmentRequest(), notes: null })))).detail).toBe(
    'body /notes must be a string, not null: leave out what has no value.',
  );
  expect((await send(`\uFEFF${JSON.stringify(shipmentRequest())}`)).status).toBe(201);
  expect((await problemOf(await send('\uFEFF\uFEFF{}'))).detail).toBe('The body is not valid JSON.');
});

test('a detail has the form of a field of the body', async ({ account }) => {
  const { tracking_number } = await newShipment(account);
  const file = { kind: 'photo', content_type: 'image/png', size: 1, sha256: 'unknown' } as const;
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  await expect(account.client.createProofUpload({ tracking_number, ...file })).rejects.toMatchObject({
    detail: `body /sha256 must have the form of \`${sha256}\`.`,
  });
});

test.for<[authorization: string | undefined, detail: string]>([
  [undefined, 'The request has no API key. Send the header `Authorization: Bearer wbk_…`.'],
  ['', 'The header Authorization is malformed. Send `Bearer` and the API key, which begins with `wbk_`.'],
  ['Basic dTpw', 'The header Authorization is malformed. Send `Bearer` and the API key, which begins with `wbk_`.'],
])(
  'the detail of the problem of the Authorization %s is: %s',
  async ([authorization, expected], { service: { baseUrl } }) => {
    const response = await fetch(`${baseUrl}/shipments`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect((await problemOf(response)).detail).toBe(expected);
  },
);

test('a problem names a nonexistent webhook endpoint or delivery as sent', async ({ account, service }) => {
  const { client } = account;
  const id = 'whe_01kjpx8p02e0n8wk1xmhc3p7vd';
  const { id: own } = await client.createWebhookEndpoint({ url: 'http://127.0.0.1:9/hook' });
  const delivery = 'whd_01kjpx8p1pe3br6jq5y2v9s4tg';
  for (const [path, detail] of [
    [`/webhook_endpoints/${id}`, `There is no webhook endpoint \`${id}\`.`],
    [`/webhook_endpoints/${id}/deliveries`, `There is no webhook endpoint \`${id}\`.`],
  ] as const) {
    expect((await problemOf(await get(service, account, path))).detail).toBe(detail);
  }
  await expect(client.resendWebhookDelivery({ webhook_endpoint_id: own, delivery_id: delivery })).rejects.toMatchObject(
    {
      detail: `There is no delivery \`${delivery}\`.`,
    },
  );
});

import { type Client, createClient } from '@waybill/client';
import { defaultBaseUrl } from '@waybill/contract/operations';
import type { Mock } from '@waybill/mock';
import { expect, vi } from 'vitest';
import { violations } from '../fixtures/contract/ajv.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract/contract.ts';
import { files, png } from '../fixtures/images.ts';
import { disposableMock } from '../fixtures/programs/mock.ts';
import { get, problemOf, receive, send } from '../fixtures/requests/send.ts';
import { signatureUrl } from '../fixtures/requests/valid-requests.ts';
import { test as base, perFile } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const key = 'wbk_mock';
const read = ({ url }: Pick<Mock, 'url'>, path: string, headers = {}) => get({ baseUrl: url }, { key }, path, headers);
const clientOf = ({ url }: Mock) => createClient({ baseUrl: url, apiKey: key, maxRetries: 0 });

const test = base.extend<{ $file: { mock: Mock; client: Client } }>({
  mock: perFile(() => disposableMock({ streamSeconds: 1 })),
  client: [({ mock }, use) => use(clientOf(mock)), { scope: 'file' }],
});

const shipment = '/shipments/ship_01kjpx8p02fabr24pa3eywnyp2';
const tracking_number = 'FRT-2026-000142';
/** The events of the contract. */
const [created, moved] = ['evt_01kjpx8p02e00800000000010h', 'evt_01kjtbdx4ye008000000000153'];

/** Every response that the contract has for an operation, and how `Prefer` selects it. */
const choicesOf = ({ responses }: ContractOperation) =>
  Object.entries(responses).flatMap(([code, { content = {} }]) => {
    const status = Number(code);
    const examples = Object.values(content).flatMap(({ examples = {} }) => Object.entries(examples));
    if (examples.length === 0) return [{ status, prefer: `code=${code}`, value: undefined }];
    return examples.map(([name, { value }]) => ({ status, prefer: `code=${code}, example=${name}`, value }));
  });

test.for(contractOperations)(
  '$id returns each response that Prefer names, and random ones',
  async (operation, { mock }) => {
    const file = operation.body === undefined ? { type: 'image/png', bytes: png() } : undefined;
    const ask = async (prefer: string) => {
      const response = await receive(await send(mock.url, operation, { key, headers: { prefer }, file }));
      expect([prefer, violations(operation, response)]).toEqual([prefer, []]);
      // Its URLs are the contract's in place of the mock's.
      const text = JSON.stringify(response.body)?.replaceAll(`${mock.url}/`, `${defaultBaseUrl}/`);
      return { ...response, body: text && JSON.parse(text) };
    };
    const choices = choicesOf(operation);
    const success = choices.find(({ status }) => status < 300);
    expect((await ask('')).status).toBe(success?.status);
    for (const { status, prefer, value } of choices) {
      const { headers, ...response } = await ask(prefer);
      // The only part that differs from the example: the id of the request.
      const body = status < 400 ? value : { ...(value as object), request_id: headers.get('x-request-id') };
      expect({ prefer, ...response }).toMatchObject({ prefer, status, body });
      // Optional headers indicate what does not happen here, such as a replay.
      const documented = Object.entries(operation.responses[status]?.headers ?? {});
      const sent = documented.filter(([name]) => headers.has(name));
      expect([prefer, sent]).toEqual([prefer, documented.filter(([, { required }]) => required)]);
    }
    const invalid = { key, file, query: 'unknown=1' };
    expect((await send(mock.url, operation, invalid)).status, 'an invalid request').toBe(400);
    // The seeds make the bodies the same in each run.
    const bodies = await Promise.all([1, 2, 3].map((seed) => ask(`dynamic=true, seed=${seed}`)));
    for (const { status } of bodies) expect(status).toBe(success?.status);
    const hasBody = operation.responses[success?.status ?? '']?.content?.['application/json'] !== undefined;
    if (hasBody) expect(new Set(bodies.map(({ body }) => JSON.stringify(body))).size).toBeGreaterThan(1);
  },
);

const paths =
  '/ /nothing /files/ /shipments//cancel /shipments/a/b /shipments/a%2fb /shipments/%zz /%73hipments /SHIPMENTS /shipments; ' +
  '//shipments /../shipments /../v2/shipments';
const queries =
  '?limit=1 %zz=1 __proto__=1 limit limit= limit=+1 limit=1e1 limit=01 limit=0x10 limit=1&limit=2 reference=%zz';

test('unusual URLs, headers and bodies have the same response as at the service', async ({
  service,
  account,
  mock,
}) => {
  const urls = [...paths.split(' '), ...queries.split(' ').map((query) => `/shipments?${query}`)];
  const requests = urls.flatMap((url) => ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => ({ url, method })));
  const unusual = [
    { url: `/tracking/${tracking_number}`, headers: { 'if-none-match': '' } },
    { url: '/shipments', method: 'POST', headers: { 'idempotency-key': '' } },
    { url: '/shipments', method: 'POST', headers: { 'content-type': 'application/json' }, body: '0' },
  ];
  for (const { url, ...init } of [...requests, ...unusual]) {
    const [expected, actual] = await Promise.all(
      [service.baseUrl, mock.url].map(async (base) => {
        const headers = { authorization: `Bearer ${account.key}`, ...('headers' in init && init.headers) };
        const response = await fetch(base + url, { ...init, headers });
        const text = await response.text(); // empty for HEAD
        const problem = response.status >= 400 && text && { ...JSON.parse(text), request_id: '' };
        return { status: response.status, allow: response.headers.get('allow'), problem };
      }),
    );
    expect([url, init, actual]).toEqual([url, init, expected]);
  }
});

test.for<[query: string, headers: object, status: number, body: object]>([
  ['?__example=ShipmentDelivered', {}, 200, { status: 'delivered' }],
  ['?__code=503', {}, 503, { code: 'unavailable' }],
  ['?__code=503', { prefer: 'code=404' }, 404, { code: 'not_found' }],
  // Neither the case of the names nor the quotes count (RFC 7240).
  ['', { prefer: 'CODE="200", Example=ShipmentDelivered' }, 200, { status: 'delivered' }],
  // The service ignores Accept, also when it is malformed.
  ['', { prefer: 'code=404', accept: 'text' }, 404, { code: 'not_found' }],
  ['', { prefer: 'dynamic=true, seed=1, code=500' }, 500, { type: expect.any(String), status: expect.any(Number) }],
  // An example of another status.
  ['', { prefer: 'code=404, example=ShipmentDelivered' }, 400, { errors: [{ in: 'headers', pointer: '/prefer' }] }],
  ['', { prefer: 'code=418' }, 400, { errors: [{ detail: expect.stringMatching(/200.*304.*404.*503/) }] }],
  ['?__code=418', {}, 400, { errors: [{ in: 'query', pointer: '/__code', code: 'not_allowed' }] }],
  ['?__codes=503', {}, 400, { errors: [{ in: 'query', pointer: '/__codes', code: 'unknown_field' }] }],
])('getShipment%s with %j returns %i with %j', async ([query, headers, status, body], { mock }) => {
  const response = await read(mock, shipment + query, headers);
  expect([response.status, await response.json()]).toMatchObject([status, body]);
});

test('equal seeds return equal random bodies, and other requests others', async ({ mock }) => {
  const random = async (prefer: string) => (await read(mock, shipment, { prefer })).text();
  expect(await random('dynamic=true, seed=a')).toBe(await random('dynamic=true, seed=a'));
  const first = await random('dynamic=true');
  await random('dynamic=true, seed=a');
  expect(await random('dynamic=true')).not.toBe(first);
  const stream = await (await read(mock, '/events/stream?__dynamic=true&__seed=1')).text();
  const [, id, type, data = ''] = /\n\nid: (\w+)\nevent: ([\w.]+)\ndata: (.+)\n\n/.exec(stream) ?? [];
  expect(JSON.parse(data)).toMatchObject({ id, type });
});

test('a list is one page of an example, cut to limit, and events have an end', async ({ mock, client }) => {
  const end = { has_more: false, next_cursor: null };
  const { data } = await client.listPositions({ tracking_number });
  expect(data).toHaveLength(3);
  expect(await client.listPositions({ tracking_number, limit: 2 })).toEqual({ ...end, data: data.slice(0, 2) });
  // A selected example is not changed.
  const selected = await read(mock, '/shipments?limit=1&__example=ShipmentListPage');
  expect(await selected.json()).toMatchObject({ has_more: true });
  const first = await client.listEvents({ limit: 1 });
  expect(first).toMatchObject({ data: [{ id: created }], has_more: true, next_after: created });
  expect(await client.listEvents({ after: created })).toMatchObject({ data: [{ id: moved }], has_more: false });
  expect(await client.listEvents({ after: moved, wait: 1 })).toEqual({ data: [], has_more: false, next_after: moved });
});

test.for([
  ['', {}, [created, moved]],
  [`?after=${created}`, {}, [moved]],
  [`?after=${created}`, { 'last-event-id': moved }, []],
] as const)('a stream%s with %j has the later events of the contract', async ([query, headers, ids], { mock }) => {
  const text = await (await read(mock, `/events/stream${query}`, headers)).text(); // until `streamSeconds`
  expect(text).toMatch(/^retry: 2000\n\n/);
  expect([...text.matchAll(/^id: (.+)\nevent: .+\ndata: .+\n$/gm)].map(([, id]) => id)).toEqual(ids);
});

test('a stream stays open after its events, until the mock is closed', async () => {
  await using mock = await disposableMock();
  const { body } = await read(mock, `/events/stream?after=${created}`);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(`id: ${moved}`)) text += (await reader?.read())?.value;
  const end = reader?.read().then(
    ({ done }) => done,
    () => true,
  );
  const other = await read(mock, '/shipments');
  expect(await Promise.race([end, other.json().then(() => 'open')])).toBe('open');
  await mock.close();
  expect(await end).toBe(true);
});

test.for(Object.entries(files))('a file is a valid %s if that is accepted', async ([type, bytes], { mock }) => {
  const headers = { accept: `text/html, ${type};q=0.9` };
  const response = await fetch(`${mock.url}/files/${'A'.repeat(71)}`, { headers });
  expect(response.headers.get('content-type')).toBe(type);
  // The first bytes name the type.
  expect((await response.bytes()).subarray(0, 4)).toEqual(bytes().subarray(0, 4));
});

test('the URLs of files lead to the mock', async ({ client }) => {
  const proof = await client.getProofOfDelivery({ tracking_number });
  for (const url of [signatureUrl(proof), ...proof.photos])
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
  expect(await client.uploadProofFile({ tracking_number, kind: 'photo', file: png() })).toMatch(/^upl_/);
});

test('pages of every origin may call the mock, and a key may name its scopes', async ({ mock }) => {
  const asked = { origin: 'https://app.example.com', 'access-control-request-method': 'PATCH' };
  const { status, headers } = await fetch(`${mock.url}/shipments`, { method: 'OPTIONS', headers: asked });
  expect([status, headers.get('access-control-allow-methods')]).toEqual([204, expect.stringContaining('PATCH')]);
  const allowed = headers.get('access-control-allow-headers')?.split(', ');
  expect(allowed).toEqual(expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key', 'Prefer']));
  const response = await read(mock, '/shipments?limit=0');
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([400, '*']);
  expect(response.headers.get('access-control-expose-headers')).toContain('RateLimit-Policy');
  const scoped = (path: string) => get({ baseUrl: mock.url }, { key: 'wbk_mock_tracking:read' }, path);
  expect((await scoped(`/tracking/${tracking_number}`)).status).toBe(200);
  expect((await scoped('/shipments')).status).toBe(403);
});

test('errors: 1 returns a problem unless the request selects a response, and log receives each request', async () => {
  const lines: string[] = [];
  await using mock = await disposableMock({ errors: 1, log: (line) => lines.push(line) });
  const { code } = await problemOf(await read(mock, '/shipments'));
  expect(['rate_limited', 'internal_error', 'unavailable']).toContain(code);
  expect((await read(mock, '/shipments?__code=200')).status).toBe(200);
  await vi.waitFor(() => expect(lines).toHaveLength(2), waitTimeout);
  expect(lines[1]).toMatch(/^GET \/v1\/shipments\?__code=200 200 \d+ ms$/);
});

test('delay holds a response back', async () => {
  await using mock = await disposableMock({ delay: [600_000, 600_000] });
  const waiting = expect(clientOf(mock).listShipments()).rejects.toThrow();
  // The response to a preflight request is not delayed, so that its arrival shows that the other one waits.
  const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
  expect((await fetch(`${mock.url}/shipments`, { method: 'OPTIONS', headers })).status).toBe(204);
  await mock.close();
  await waiting;
});

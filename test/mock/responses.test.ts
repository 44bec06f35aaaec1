import { createClient } from '@waybill/client';
import { defaultBaseUrl } from '@waybill/contract/operations';
import type { Mock } from '@waybill/mock';
import { test as base, expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract.ts';
import { get, type Received, receive, send } from '../fixtures/http.ts';
import { images, png } from '../fixtures/images.ts';
import { disposableMock } from '../fixtures/mock.ts';
import { signatureUrl } from '../fixtures/requests.ts';
import { perFile } from '../fixtures/test.ts';

const test = base.extend<{ $file: { mock: Mock } }>({
  mock: perFile(() => disposableMock({ streamSeconds: 1 })),
});
const key = 'wbk_mock';
/** The events of the contract. */
const [created, moved] = ['evt_01kjpx8p02e00800000000010h', 'evt_01kjtbdx4ye008000000000153'];

interface Choice {
  status: number;
  /** Its name, and null for an response without examples. */
  example: string | null;
  value: unknown;
}

/** Every response that the contract has for an operation. */
const choicesOf = ({ responses }: ContractOperation): Choice[] =>
  Object.entries(responses).flatMap(([code, { content = {} }]): Choice[] => {
    const status = Number(code);
    const examples = Object.values(content).flatMap((media) =>
      Object.entries((media as { examples?: Record<string, { value: unknown }> }).examples ?? {}),
    );
    return examples.length > 0
      ? examples.map(([example, { value }]) => ({ status, example, value }))
      : [{ status, example: null, value: undefined }];
  });

/** Sends the operation's valid request. */
function ask({ url }: Mock, operation: ContractOperation, headers: Record<string, string> = {}): Promise<Response> {
  const key = operation.scope === null ? undefined : 'wbk_mock';
  const file = operation.body === undefined ? { type: 'image/png', bytes: png() } : undefined;
  return send(url, operation, { key, headers, file });
}

/** A response, whose URLs are the contract's in place of the mock's. */
async function received(response: Response, { url }: Mock): Promise<Received> {
  const { body, ...rest } = await receive(response);
  const text = JSON.stringify(body)?.replaceAll(`${url}/`, `${defaultBaseUrl}/`);
  return { ...rest, body: text && JSON.parse(text) };
}

test.for(contractOperations)(
  '$id returns every documented response when Prefer names it',
  async (operation, { mock }) => {
    const choices = choicesOf(operation);
    const byDefault = await received(await ask(mock, operation), mock);
    expect(byDefault.status).toBe(choices.find(({ status }) => status < 300)?.status);
    expect(violations(operation, byDefault)).toEqual([]);
    for (const { status, example, value } of choices) {
      const prefer = example === null ? `code=${status}` : `code=${status}, example=${example}`;
      const chosen = await received(await ask(mock, operation, { prefer }), mock);
      expect([prefer, violations(operation, chosen)]).toEqual([prefer, []]);
      const { headers, ...response } = chosen;
      // The only part that differs from the example: the id of the request.
      const body = status < 400 ? value : { ...(value as object), request_id: headers.get('x-request-id') };
      expect({ prefer, status: response.status, body: response.body }).toEqual({ prefer, status, body });
      // Optional headers indicate what does not happen here, such as a replay.
      const documented = Object.entries(operation.responses[status]?.headers ?? {});
      expect(
        documented.filter(([name]) => headers.has(name)).map(([name]) => name),
        prefer,
      ).toEqual(documented.filter(([, { required }]) => required).map(([name]) => name));
    }
  },
);

// The seeds make the bodies the same in each run.
test.for(contractOperations)(
  '$id returns valid random bodies with Prefer: dynamic=true',
  async (operation, { mock }) => {
    const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
    const bodies = new Set<string>();
    for (const prefer of [1, 2, 3].map((seed) => `dynamic=true, seed=${seed}`)) {
      const response = await receive(await ask(mock, operation, { prefer }));
      expect([prefer, response.status, violations(operation, response)]).toEqual([prefer, Number(success), []]);
      bodies.add(JSON.stringify(response.body));
    }
    const problem = await receive(await ask(mock, operation, { prefer: 'dynamic=true, seed=1, code=500' }));
    const { code: _, ...header } = problem; // the contract has no examples of random codes
    expect(header).toMatchObject({ status: 500, body: { type: expect.any(String), status: expect.any(Number) } });
    const hasBody = operation.responses[success ?? '']?.content?.['application/json'] !== undefined;
    if (hasBody) expect(bodies.size).toBeGreaterThan(1);
  },
);

const selections = [
  ['?__example=ShipmentDelivered', {}, 200, { status: 'delivered' }],
  ['?__code=503', {}, 503, { code: 'unavailable' }],
  ['', { prefer: 'example=ShipmentDelivered' }, 200, { status: 'delivered' }],
  // Neither the case of the names nor the quotes count (RFC 7240).
  ['', { prefer: 'CODE="200", Example=ShipmentDelivered' }, 200, { status: 'delivered' }],
  // The service ignores Accept, also when it is malformed.
  ['', { prefer: 'code=404', accept: 'application/json' }, 404, { code: 'not_found' }],
  ['', { prefer: 'code=404', accept: 'text' }, 404, { code: 'not_found' }],
  ['', { accept: 'text/html' }, 200, { status: 'scheduled' }],
  // An example of another status.
  ['', { prefer: 'code=404, example=ShipmentDelivered' }, 400, { errors: [{ in: 'headers', pointer: '/prefer' }] }],
  [
    '',
    { prefer: 'code=418' },
    400,
    { errors: [{ code: 'not_allowed', detail: expect.stringMatching(/200.*304.*404.*503/) }] },
  ],
  ['?__code=418', {}, 400, { errors: [{ in: 'query', pointer: '/__code', code: 'not_allowed' }] }],
  ['?__dynamic=maybe', {}, 400, { errors: [{ in: 'query', pointer: '/__dynamic', code: 'not_allowed' }] }],
  ['?__codes=503', {}, 400, { errors: [{ in: 'query', pointer: '/__codes', code: 'unknown_field' }] }],
] as const;

test.for(selections)('getShipment%s with %j returns %i with %j', async ([query, headers, status, body], { mock }) => {
  const response = await get(
    { baseUrl: mock.url },
    { key },
    `/shipments/ship_01kjpx8p02fabr24pa3eywnyp2${query}`,
    headers,
  );
  expect([response.status, await response.json()]).toMatchObject([status, body]);
});

test('equal seeds return equal random bodies, and a request without a seed another one', async ({ mock }) => {
  const read = async (prefer: string) => {
    const response = await get({ baseUrl: mock.url }, { key }, '/shipments/ship_01kjpx8p02fabr24pa3eywnyp2', {
      prefer,
    });
    return response.text();
  };
  const [first, second] = [await read('dynamic=true, seed=a'), await read('dynamic=true, seed=a')];
  expect(second).toBe(first);
  const third = await read('dynamic=true');
  await read('dynamic=true, seed=a');
  expect(await read('dynamic=true')).not.toBe(third);
});

test('a random event stream has events', async ({ mock }) => {
  const response = await get({ baseUrl: mock.url }, { key }, '/events/stream?__dynamic=true&__seed=1');
  const [, event = ''] = (await response.text()).split('\n\n');
  const [, id, type, data = ''] = /^id: (\w+)\nevent: ([\w.]+)\ndata: (.+)$/.exec(event) ?? [];
  expect(JSON.parse(data)).toMatchObject({ id, type });
});

test('a list is one page of an example, cut to limit', async ({ mock }) => {
  const client = createClient({ baseUrl: mock.url, apiKey: key, maxRetries: 0 });
  const end = { has_more: false, next_cursor: null };
  const path = { tracking_number: 'FRT-2026-000142' };
  const all = await client.listPositions(path);
  expect([all.data.length, all]).toMatchObject([3, end]);
  expect(await client.listPositions({ ...path, limit: 2 })).toEqual({ ...end, data: all.data.slice(0, 2) });
  // A selected example is not changed.
  const selected = await get({ baseUrl: mock.url }, { key }, '/shipments?limit=1&__example=ShipmentListPage');
  expect(await selected.json()).toMatchObject({ has_more: true });
});

test('the events of the contract have an end', async ({ mock }) => {
  const client = createClient({ baseUrl: mock.url, apiKey: key, maxRetries: 0 });
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
  const response = await get({ baseUrl: mock.url }, { key }, `/events/stream${query}`, headers);
  const text = await response.text(); // until `streamSeconds`
  expect(text).toMatch(/^retry: 2000\n\n/);
  expect([...text.matchAll(/^id: (.+)\nevent: .+\ndata: .+\n$/gm)].map(([, id]) => id)).toEqual(ids);
});

test('a stream stays open after its events', async () => {
  await using mock = await disposableMock();
  const response = await get({ baseUrl: mock.url }, { key }, `/events/stream?after=${created}`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(`id: ${moved}`)) text += (await reader?.read())?.value;
  const end = reader?.read().then(
    ({ done }) => done,
    () => true,
  );
  const other = await get({ baseUrl: mock.url }, { key }, '/shipments');
  expect(await Promise.race([end, other.json().then(() => 'open')])).toBe('open');
  await mock.close();
  expect(await end).toBe(true);
});

test.for(Object.entries(images))(
  'a file is a valid %s for a client that accepts this type',
  async ([type, bytes], { mock }) => {
    const response = await fetch(`${mock.url}/files/${'A'.repeat(71)}`, {
      headers: { accept: `text/html, ${type};q=0.9` },
    });
    expect(response.headers.get('content-type')).toBe(type);
    // The first bytes name the type.
    expect((await response.bytes()).subarray(0, 4)).toEqual(bytes().subarray(0, 4));
  },
);

test('pages of every origin may call the mock', async ({ mock }) => {
  const preflight = await fetch(`${mock.url}/shipments`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  const list = (name: string) => preflight.headers.get(name)?.split(', ');
  expect(list('access-control-allow-methods')).toEqual(expect.arrayContaining(['GET', 'POST', 'PATCH', 'DELETE']));
  expect(list('access-control-allow-headers')).toEqual(
    expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key', 'Prefer']),
  );
  const response = await get({ baseUrl: mock.url }, { key }, '/shipments?limit=0');
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([400, '*']);
  expect(response.headers.get('access-control-expose-headers')).toContain('RateLimit-Policy');
});

test('the URLs of files lead to the mock, and URLs in texts are unchanged', async ({ mock }) => {
  const client = createClient({ baseUrl: mock.url, apiKey: key, maxRetries: 0 });
  const tracking_number = 'FRT-2026-000142';
  const proof = await client.getProofOfDelivery({ tracking_number });
  for (const url of [signatureUrl(proof), ...proof.photos])
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
  const file = { tracking_number, kind: 'photo', file: png(), content_type: 'image/png' } as const;
  expect(await client.uploadProofFile(file)).toMatch(/^upl_/);
});

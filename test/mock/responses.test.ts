import { createClient } from '@waybill/client';
import { defaultBaseUrl } from '@waybill/contract/operations';
import { type Mock, startMock } from '@waybill/mock';
import { test as base, expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, contractOperations, operationOf } from '../fixtures/contract.ts';
import { problemOf, type Received, receive, send } from '../fixtures/http.ts';
import { png } from '../fixtures/images.ts';

const test = base.extend<{ $file: { mock: Mock } }>({
  mock: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const mock = await startMock();
      await use(mock);
      await mock.close();
    },
    { scope: 'file' },
  ],
});

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

// contract-coverage/ validates the response of each status and code, and the linter the examples.
test.for(contractOperations)(
  '$id returns every documented response when Prefer names it',
  async (operation, { mock }) => {
    const choices = choicesOf(operation);
    const byDefault = await received(await ask(mock, operation), mock);
    expect(byDefault.status).toBe(choices.find(({ status }) => status < 300)?.status);
    expect(violations(operation, byDefault)).toEqual([]);
    for (const { status, example, value } of choices) {
      const prefer = example === null ? `code=${status}` : `code=${status}, example=${example}`;
      const { headers, ...response } = await received(await ask(mock, operation, { prefer }), mock);
      expect({ prefer, status: response.status, body: response.body }).toEqual({ prefer, status, body: value });
      // Optional headers indicate what does not happen here, such as a replay.
      const documented = Object.entries(operation.responses[status]?.headers ?? {});
      expect(
        documented.filter(([name]) => headers.has(name)).map(([name]) => name),
        prefer,
      ).toEqual(documented.filter(([, { required }]) => required).map(([name]) => name));
      if (status >= 400) expect(response.body).toMatchObject({ request_id: headers.get('x-request-id') });
    }
  },
);

test.for(contractOperations)(
  '$id returns 400 with the choices when Prefer names another response',
  async (operation, { mock }) => {
    const choices = choicesOf(operation);
    const some = choices.find(({ example }) => example !== null);
    for (const prefer of ['code=418', `code=${some?.status}, example=no_such_example`]) {
      const response = await ask(mock, operation, { prefer });
      const { errors } = await problemOf(response);
      expect(errors).toMatchObject([{ in: 'headers', pointer: '/prefer', code: 'not_allowed' }]);
      for (const { status } of choices) expect(errors?.[0]?.detail).toContain(String(status));
    }
  },
);

test.for([
  ['example=ShipmentDelivered', 'delivered'],
  ['CODE="200", Example=shipmentdelivered', 'delivered'], // neither the case of names nor the quotes count (RFC 7240)
] as const)(
  'getShipment with Prefer %s returns a shipment that is %s, whatever it accepts',
  async ([prefer, status], { mock }) => {
    const response = await ask(mock, operationOf('getShipment'), { prefer, accept: 'application/json' });
    expect([response.status, await response.json()]).toMatchObject([200, { status }]);
  },
);

test('an unknown path returns 404 as a problem', async ({ mock }) => {
  const headers = { authorization: 'Bearer wbk_mock' };
  for (const path of ['/nothing', '/shipments/a/b', '/', '/../shipments', '/../v2/shipments']) {
    expect(await problemOf(await fetch(mock.url + path, { headers }))).toMatchObject({ code: 'not_found' });
  }
});

test('an unknown method returns 405 with Allow as a problem', async ({ mock }) => {
  const response = await fetch(`${mock.url}/shipments`, { method: 'DELETE' });
  expect(response.headers.get('allow')).toBe('GET, POST, HEAD');
  expect(await problemOf(response)).toMatchObject({ code: 'method_not_allowed' });
});

test("the client's calls succeed against the mock, also for files", async ({ mock }) => {
  const client = createClient({ baseUrl: mock.url, apiKey: 'wbk_mock', maxRetries: 0 });
  const proof = await client.getProofOfDelivery({ tracking_number: 'FRT-2026-000142' });
  const image = await fetch(proof.signature_url);
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(new Uint8Array(await image.arrayBuffer()).subarray(0, 4)).toEqual(png().subarray(0, 4));
  const file = { tracking_number: 'FRT-2026-000142', kind: 'photo', file: png(), content_type: 'image/png' } as const;
  expect(await client.uploadProofFile(file)).toMatch(/^upl_/);
  await expect(client.listShipments({}, { headers: { Prefer: 'code=503' } })).rejects.toMatchObject({
    code: 'unavailable',
  });
});

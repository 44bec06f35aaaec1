import { createClient } from '@waybill/client';
import { defaultBaseUrl } from '@waybill/contract/operations';
import { type Mock, startMock } from '@waybill/mock';
import { test as base, describe, expect } from 'vitest';
import { violations } from '../fixtures/ajv.ts';
import { type ContractOperation, contractOperations } from '../fixtures/contract.ts';
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

describe.each(contractOperations)('$id', (operation) => {
  const choices = choicesOf(operation);

  test(`${operation.id} returns a success, and each of its examples when Prefer names it`, async ({ mock }) => {
    const response = await received(await ask(mock, operation), mock);
    const [first] = choices.filter(({ status }) => status < 300);
    expect(response.status).toBe(first?.status);
    expect(violations(operation, response)).toEqual([]);
    for (const { example, value } of choices.filter(({ status, example }) => example && status === first?.status)) {
      const chosen = await received(await ask(mock, operation, { prefer: `example=${example}` }), mock);
      expect(chosen.body).toEqual(value);
    }
  });

  test.for(choices)(`${operation.id} returns $status $example when Prefer names it`, async (choice, { mock }) => {
    const { status, example, value } = choice;
    // Neither the case of names nor the quotes count (RFC 7240).
    const prefer = example === null ? `Code=${status}` : `CODE="${status}", Example=${example}`;
    // What the caller accepts does not matter, as it does not to the service.
    const response = await received(await ask(mock, operation, { prefer, accept: 'application/json' }), mock);
    expect(response.status).toBe(status);
    expect(violations(operation, response)).toEqual([]);
    if (example !== null) expect(response.body).toEqual(value);
    // Optional headers indicate what does not happen here, such as a replay.
    for (const [name, { required = false }] of Object.entries(operation.responses[status]?.headers ?? {})) {
      expect([name, response.headers.has(name)]).toEqual([name, required]);
    }
  });

  test(`${operation.id} returns 400 with the choices when Prefer names another response`, async ({ mock }) => {
    const some = choices.find(({ example }) => example !== null);
    for (const prefer of ['code=418', `code=${some?.status}, example=no_such_example`]) {
      const response = await ask(mock, operation, { prefer });
      const { errors } = await problemOf(response);
      expect(errors).toMatchObject([{ in: 'headers', pointer: '/prefer', code: 'not_allowed' }]);
      for (const { status } of choices) expect(errors?.[0]?.detail).toContain(String(status));
    }
  });
});

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

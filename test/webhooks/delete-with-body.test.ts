import { expect } from 'vitest';
import { exchange } from '../fixtures/raw-http.ts';
import { test } from '../fixtures/test.ts';
import { createEndpoint } from './endpoints.ts';

test.for(['', 'content-type: application/json\r\n', 'content-type: text/plain\r\n'])(
  'deleteWebhookEndpoint ignores a body with the header "%s"',
  async (contentType, { service, account }) => {
    const { path } = await createEndpoint(account, 'https://shop.example.com/hooks');
    const head =
      `DELETE /v1/webhook_endpoints/${path.webhook_endpoint_id} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n` +
      `authorization: Bearer ${account.key}\r\n${contentType}content-length: 5\r\n\r\n`;
    expect((await exchange(service, `${head}{"a":`)).map(({ status }) => status)).toEqual([204]);
    expect((await account.client.listWebhookEndpoints()).data).toEqual([]);
  },
);

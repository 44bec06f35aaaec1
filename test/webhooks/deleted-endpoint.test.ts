import { expect } from 'vitest';
import { contractOperations } from '../fixtures/contract.ts';
import { send } from '../fixtures/http.ts';
import { isLong } from '../fixtures/long-form.ts';
import { queuedDelivery } from '../fixtures/requests.ts';
import { test } from '../fixtures/test.ts';

const bodies: Record<string, object> = {
  updateWebhookEndpoint: { status: 'enabled' },
  replayWebhookEvents: { from: '2026-03-02T09:00:00Z', to: '2026-03-02T11:00:00Z' },
};
const rounds = isLong ? 15 : 5;

test.for(contractOperations.filter(({ path }) => path.startsWith('/webhook_endpoints/')))(
  '$id returns 404 or succeeds while its webhook endpoint is deleted',
  async (operation, { service, account }) => {
    const request = (path: Record<string, string>) => ({ key: account.key, path, body: bodies[operation.id] ?? {} });
    const deletion = contractOperations.find(({ id }) => id === 'deleteWebhookEndpoint') ?? expect.unreachable();
    const found = new Set<number>();
    for (let round = 0; round < rounds; round++) {
      const path = await queuedDelivery(account);
      const sent = [operation, operation, deletion, operation, operation];
      const responses = await Promise.all(sent.map((each) => send(service.baseUrl, each, request(path))));
      for (const { status } of responses) found.add(status);
      expect((await send(service.baseUrl, operation, request(path))).status).toBe(404);
    }
    expect([...found].filter((status) => status >= 300 && status !== 404)).toEqual([]);
  },
);

import { createClient } from '@waybill/client';
import type { Mock } from '@waybill/mock';
import { test as base, expect } from 'vitest';
import { cases } from '../contract-coverage/cases.ts';
import type { Environment } from '../contract-coverage/environment.ts';
import { violations } from '../fixtures/ajv.ts';
import { receive, type Sent, send } from '../fixtures/http.ts';
import { scopeOf } from '../fixtures/scopes.ts';
import { perFile } from '../fixtures/test.ts';
import { disposableMock, reset } from './targets.ts';

/** Nothing that the scenarios take for nonexistent is in its seed. */
const test = base.extend<{ $file: { mock: Mock } }>({
  mock: perFile(() => disposableMock({ stateful: true, streamSeconds: 1, seed: { shipments: [] } })),
});

/** What the mock does not have: limits of an account, several instances, errors of its own and expired links. */
const onlyOfService =
  /^(rate_limited|too_many_streams|storage_quota_exceeded|idempotency_in_progress|internal_error|unavailable|link_expired)$/;
/** What `contract-coverage/coverage.test.ts` compares with the responses of the service. */
const ofTheRequest = /^(invalid_request|malformed_request|unauthenticated)$/;

const ofMock = cases.filter(
  ({ operation: { path }, expected: { code = '' } }) =>
    !onlyOfService.test(code) && !ofTheRequest.test(code) && !path.startsWith('/webhook_endpoints'),
);

test.for(ofMock)('the mock with state: $title', async ({ operation, scenario, expected }, { mock }) => {
  await reset(mock);
  const scope = scopeOf[operation.id];
  const scopes = operation.id === 'createAccess' ? [scope, 'tracking:read'] : [scope];
  const key = scope === null ? undefined : `wbk_mock_${scopes}`;
  const client = createClient({ baseUrl: mock.url, apiKey: 'wbk_mock', maxRetries: 0 });
  const received = await scenario?.({
    operation,
    account: { id: '', key: 'wbk_mock', client, keyWith: async (scopes) => `wbk_mock_${scopes}` },
    environment: { others: [] as object[] } as Environment, // the mock has one account
    async send(sent: Sent) {
      const received = await receive(await send(mock.url, operation, { key, ...sent }));
      expect(violations(operation, received)).toEqual([]);
      return received;
    },
  });
  expect(received, 'Change packages/mock/src/state/reads.ts or writes.ts.').toMatchObject(expected);
});

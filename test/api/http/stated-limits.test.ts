import { maxHeaderSize } from 'node:http';
import { maxBodyBytes } from '@waybill/contract/body-limit';
import contract from '@waybill/contract/openapi.json' with { type: 'json' };
import { streamLimits } from '@waybill/http/streamed-body';
import { variables } from '@waybill/server/config';
import { sessionLimits } from '@waybill/server/database/database';
import { defaultLimits } from '@waybill/server/database/migrate';
import { streamTimes } from '@waybill/server/events/stream';
import { maxRecentUploads, maxUnboundUploads, unfinishedLife, uploadLife } from '@waybill/server/proof/uploads';
import { attemptTimeout } from '@waybill/server/webhooks/send';
import { expect } from 'vitest';
import { test } from '../../fixtures/test.ts';

// Clients and operators rely on these limits, which descriptions and guides state.

test('the limits of the contract and of Node.js are the stated ones', () => {
  const { ProofUploadRequest, TrackingEventRequest, ProofOfDeliveryRequest, PositionReport } =
    contract.components.schemas;
  expect(maxBodyBytes, '1 MiB').toBe(1024 ** 2);
  expect(ProofUploadRequest.properties.size.maximum, '10 MiB').toBe(10 * 1024 ** 2);
  expect(maxHeaderSize, '16 KiB').toBe(16 * 1024);
  expect(PositionReport.properties.updated_at['x-time'], '5 minutes ahead').toEqual({ max_ahead_of_item: 'PT5M' });
  for (const limits of [TrackingEventRequest.properties.timestamp, ProofOfDeliveryRequest.properties.delivered_at]) {
    expect(limits, '5 minutes').toMatchObject({ 'x-time': { max_ahead: 'PT5M', max_before_previous: 'PT5M' } });
  }
});

test('data is retained for the stated times', () => {
  expect(variables.POSITION_DAYS.default, '90 days').toBe(90);
  expect([unfinishedLife, uploadLife], 'an hour, 24 hours').toEqual([3_600_000, 86_400_000]);
  expect([maxUnboundUploads, maxRecentUploads], '20, 40').toEqual([20, 40]);
});

test('the limits of streams are the stated ones', () => {
  expect(streamTimes.heartbeat, '15 seconds').toBe(15_000);
  expect(streamLimits.stall, '30 seconds').toBe(30_000);
  expect(variables.EVENT_STREAM_SECONDS.default, '5 minutes').toBe(300);
  expect(variables.EVENT_STREAMS_PER_KEY.default, '20').toBe(20);
});

test('the timeouts of guides are the stated ones', () => {
  expect(variables.DATABASE_TIMEOUT_MS.default, '4 seconds').toBe(4_000);
  expect(variables.DRAIN_MS.default, '2 seconds').toBe(2_000);
  const { lock_timeout, statement_timeout, idle_in_transaction_session_timeout } = sessionLimits(1_000);
  expect([lock_timeout, statement_timeout, idle_in_transaction_session_timeout]).toEqual([750, 875, 1_250]);
  expect(defaultLimits).toMatchObject({ wait: 60_000, lockTimeout: 2_000, attempts: 30 });
  expect(attemptTimeout, '10 seconds').toBe(10_000);
});

test('an X-Request-Id of 1 to 128 permitted characters is returned, and any other is replaced', async ({ service }) => {
  const idFor = async (sent: string) => {
    const response = await fetch(`${service.origin}/health/live`, { headers: { 'x-request-id': sent } });
    return response.headers.get('x-request-id');
  };
  for (const id of ['a', 'A9._-', 'x'.repeat(128)]) expect(await idFor(id)).toBe(id);
  for (const id of ['', 'x'.repeat(129), 'a b', 'a/b', 'a"']) expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/);
});

import { NoSlot } from '@waybill/server/concurrency/fair-queue';
import { openDatabase } from '@waybill/server/database/database';
import { startEndpointWorker } from '@waybill/server/webhooks/endpoint-worker';
import { socketLimits } from '@waybill/server/webhooks/send';
import { secretBox } from '@waybill/server/webhooks/signing';
import { expect, test, vi } from 'vitest';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

test('a worker whose statements had no slot in time does not join those whose statements have failed', async () => {
  // Behind these wait the statements of a Citus node that does not respond.
  await using db = openDatabase({ url: 'postgres://127.0.0.1:1/none', poolSize: 1, prepared: false });
  const queue = () => ({ enter: vi.fn(), run: vi.fn().mockRejectedValue(new NoSlot('timeout')), waiting: () => 0 });
  const [healthy, failing, afterErrors] = [queue(), queue(), queue()];
  const worker = startEndpointWorker(
    { accountId: 'a', endpointId: 'e', mayStartAttempt: () => true, version: 'v' },
    {
      db,
      feed: { waitForLater: () => expect.unreachable(), isClosed: () => false },
      log: { error() {}, warn() {}, info() {} },
      notify() {},
      secrets: secretBox([signingKey]),
      sender: { send: () => expect.unreachable(), close() {} },
      sockets: socketLimits(),
      statementQueues: { healthy, failing, afterErrors },
      stopTimeout: 1,
    },
  );
  await vi.waitFor(() => {
    worker.wake(); // ends the pauses of its loops
    expect(healthy.run.mock.calls.length + afterErrors.run.mock.calls.length).toBeGreaterThan(4);
  }, waitTimeout);
  await worker.stop();
  expect(afterErrors.run).not.toHaveBeenCalled();
});

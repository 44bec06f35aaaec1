import { NoSlot } from '@waybill/server/concurrency/fair-queue';
import { openDatabase } from '@waybill/server/database/database';
import { ConnectionLost, Overloaded } from '@waybill/server/database/errors';
import { EndpointWorker } from '@waybill/server/webhooks/endpoint-worker';
import { secretBox } from '@waybill/server/webhooks/signing';
import { socketLimits } from '@waybill/server/webhooks/sockets';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

const postgresError = (code: string) => Object.assign(new pg.DatabaseError('', 0, 'error'), { code });

test.concurrent.for<[string, 'healthy' | 'unresponsiveDatabase', Error]>([
  ['had no slot in time', 'healthy', new NoSlot('timeout')],
  ['had no connection in time', 'healthy', new Overloaded('')],
  ['was rejected', 'healthy', postgresError('40P01')],
  ['was canceled', 'unresponsiveDatabase', postgresError('57014')],
  ['got no response', 'unresponsiveDatabase', new ConnectionLost()],
])('after a statement that %s, the next ones have the slots: %s', async ([, next, error]) => {
  await using db = openDatabase({ url: 'postgres://127.0.0.1:1/none', poolSize: 1, prepared: false });
  const slots = () => ({ enter: vi.fn(), run: vi.fn().mockRejectedValue(error), waiting: () => 0 });
  const statementSlots = { healthy: slots(), failingReceivers: slots(), unresponsiveDatabase: slots() };
  const worker = new EndpointWorker(
    { accountId: 'a', endpointId: 'e', mayStartAttempt: () => true, version: 'v' },
    {
      db,
      log: { error() {}, warn() {}, info() {} },
      notify() {},
      secrets: secretBox([signingKey]),
      sender: { send: () => expect.unreachable(), close() {} },
      sockets: socketLimits(),
      statementSlots,
      stopTimeout: 1,
    },
  );
  worker.wake();
  const { healthy, unresponsiveDatabase } = statementSlots;
  const counts = () => [healthy, unresponsiveDatabase].map(({ run }) => run.mock.calls.length) as [number, number];
  expect(counts()).toEqual([1, 0]);
  await vi.waitFor(() => expect(counts()[0] + counts()[1]).toBe(2), waitTimeout); // after a pause of a second
  await worker.stop();
  expect([counts()[0] > 1, counts()[1] > 0]).toEqual([next === 'healthy', next === 'unresponsiveDatabase']);
});

import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import { type Database, openDatabase } from '@waybill/server/database/database';
import type { DatabaseObserver } from '@waybill/server/database/driver';
import { secretBox } from '@waybill/server/database/secret-box';
import { eventWaker } from '@waybill/server/event-feed/waker';
import type { AttemptOutcome, Sender } from '@waybill/server/webhooks/send';
import { type SocketLimits, socketLimits } from '@waybill/server/webhooks/socket-limits';
import { startWebhookWorkers } from '@waybill/server/webhooks/workers';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { signingKey } from '../fixtures/service.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

export const success: AttemptOutcome = {
  succeeded: true,
  responseStatus: 204,
  responseBody: '',
  retryAfter: undefined,
  error: undefined,
  milliseconds: 1,
};

interface WorkersOptions {
  sockets?: SocketLimits;
  warn?: (...logged: unknown[]) => void;
  /** Milliseconds in which attempts end and are recorded after a stop. */
  stopTimeout?: number;
  observer?: DatabaseObserver;
}

/** Starts the workers of an instance without the instance: no time ends an attempt. */
export function startWorkers(
  url: string,
  send: Sender['send'],
  { sockets = socketLimits(), warn = () => {}, stopTimeout = 2000, observer }: WorkersOptions = {},
) {
  const db = openDatabase({ url, poolSize: 4, prepared: false, ...(observer && { observer }) });
  const activity = accountActivity();
  const waker = eventWaker(db);
  const workers = startWebhookWorkers({
    db,
    waker,
    activity,
    sockets,
    secrets: secretBox([signingKey]),
    notify: () => {},
    stopTimeout,
    sender: { send, close() {} },
    log: { error: () => {}, warn, info: () => {} },
  });
  return {
    async [Symbol.asyncDispose]() {
      await workers.close();
      waker.close();
      await db.destroy();
    },
  };
}

/** Waits until an instance, the only one, has looked for its endpoints so many times. */
export async function looked(db: Database, count: number): Promise<void> {
  const reports = new Set<string>();
  await vi.waitFor(async () => {
    const { rows } = await sql<{ at: string }>`select seen_at::text as at from instances`.execute(db);
    for (const { at } of rows) reports.add(at);
    expect(reports.size).toBeGreaterThan(count);
  }, waitTimeout);
}

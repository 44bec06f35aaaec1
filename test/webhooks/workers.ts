import { accountActivity } from '@waybill/server/concurrency/fair-queue';
import { type Database, openDatabase } from '@waybill/server/database/database';
import type { DatabaseObserver } from '@waybill/server/database/driver';
import { secretBox } from '@waybill/server/database/secret-box';
import { eventWaker } from '@waybill/server/event-feed/waker';
import type { AttemptOutcome, Sender } from '@waybill/server/webhooks/attempts/send';
import { socketLimits } from '@waybill/server/webhooks/attempts/socket-limits';
import { startWebhookWorkers, type WorkersOptions } from '@waybill/server/webhooks/workers/workers';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { signingKey } from '../fixtures/service/settings.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

export const success: AttemptOutcome = {
  succeeded: true,
  responseStatus: 204,
  responseBody: '',
  retryAfter: undefined,
  error: undefined,
  milliseconds: 1,
};

type Options = Partial<WorkersOptions> & { observer?: DatabaseObserver; warn?: (...logged: unknown[]) => void };

/** Starts the workers of an instance without the instance: no time ends an attempt. */
export function startWorkers(url: string, send: Sender['send'], { observer, warn = () => {}, ...more }: Options = {}) {
  const db = openDatabase({ url, poolSize: 4, prepared: false, ...(observer && { observer }) });
  const waker = eventWaker(db);
  const workers = startWebhookWorkers({
    ...{ db, waker, activity: accountActivity(), sockets: socketLimits(), secrets: secretBox([signingKey]) },
    ...{ notify() {}, stopTimeout: 2000, sender: { send, close() {} }, log: { error() {}, warn, info() {} } },
    ...more,
  });
  return {
    async [Symbol.asyncDispose]() {
      await workers.close();
      waker.close();
      await db.destroy();
    },
  };
}

export const countRows = async (db: Database, table: string): Promise<number> =>
  (await sql`select from ${sql.table(table)}`.execute(db)).rows.length;

/** Waits until an instance, the only one, has looked for its endpoints so many times. */
export async function looked(db: Database, count: number): Promise<void> {
  const reports = new Set<string>();
  await vi.waitFor(async () => {
    const { rows } = await sql<{ at: string }>`select seen_at::text as at from instances`.execute(db);
    for (const { at } of rows) reports.add(at);
    expect(reports.size).toBeGreaterThan(count);
  }, waitTimeout);
}

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { listen } from '../database/listen.ts';
import { callFunction } from '../database/statements/expressions.ts';
import type { Tables } from '../database/tables.ts';
import type { EventWaker } from './waker.ts';

const channel = 'waybill_events';
/** Milliseconds between two notifications of this instance, so that a busy one does not send one for each write. */
const interval = 20;
/** Accounts that one notification names: PostgreSQL limits its length to 8,000 bytes. */
const maxAccounts = 200;

/**
 * Wakes the readers and webhooks of all instances. Notifications are sent after the commit and may be lost: PostgreSQL would
 * commit transactions that notify one after the other, and the waker polls anyway.
 */
export interface Notifications {
  /** Call it after the commit of a write. */
  notify(accountId: string): void;
  close(): void;
}

export function eventNotifications(db: Kysely<Tables>, url: string, waker: Pick<EventWaker, 'wake'>): Notifications {
  const instance = randomUUID();
  const pending = new Set<string>();
  let isSending = false;
  const listener = listen(url, channel, (payload) => {
    const [sender, ...accounts] = payload.split(' ');
    if (sender !== instance) for (const accountId of accounts) waker.wake(accountId);
  });

  const send = async (): Promise<void> => {
    isSending = true;
    while (pending.size > 0) {
      const accounts = [...pending].slice(0, maxAccounts);
      for (const accountId of accounts) pending.delete(accountId);
      const payload = [instance, ...accounts].join(' ');
      await callFunction(db, 'pg_notify', channel, payload).catch(() => {});
      await wait(interval);
    }
    isSending = false;
  };

  return {
    notify(accountId) {
      waker.wake(accountId);
      pending.add(accountId);
      if (!isSending) void send();
    },
    close: listener.close,
  };
}

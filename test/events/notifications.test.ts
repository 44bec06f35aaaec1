import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { holdFeed, holdShipment } from '../fixtures/locks.ts';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { post } from '../fixtures/post.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment, shipmentRequest } from '../fixtures/shipments.ts';
import { newAccount, type TestAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';

/** Counts the notifications that have named an account. They are sent in the order of the commits. */
const notificationsOf = ({ id }: TestAccount): number =>
  vi.mocked(pg.Client.prototype.query).mock.calls.filter(([first]) => {
    const { text = '', values = [] } = first as { text?: string; values?: unknown[] };
    return text.includes('pg_notify') && values.some((value) => String(value).includes(id));
  }).length;

const create = { path: '/shipments', body: { ...shipmentRequest(), reference: 'PO-1' }, key: 'k' };

test('a write notifies the readers of its account once, and neither a replay nor a refusal does', async () => {
  notWithCluster('it reads the statements of this process');
  using _query = vi.spyOn(pg.Client.prototype, 'query');
  await using service = await startService();
  const [account, other] = [await newAccount(service), await newAccount(service)];
  expect(await post(service, account, create)).toMatchObject({ status: 201, replayed: false });
  await vi.waitFor(() => expect(notificationsOf(account)).toBe(1), waitTimeout);
  expect(await post(service, account, create)).toMatchObject({ status: 201, replayed: true });
  expect(await post(service, account, { ...create, key: 'other' })).toMatchObject({ status: 409 });
  await newShipment(other);
  await vi.waitFor(() => expect(notificationsOf(other)).toBe(1), waitTimeout);
  expect(notificationsOf(account)).toBe(1);
});

test('a write that commits after its 503 response notifies the readers of its account', async () => {
  notWithCluster('it reads the statements of this process');
  using _query = vi.spyOn(pg.Client.prototype, 'query');
  await using service = await startService({ DATABASE_TIMEOUT_MS: '3000' });
  const account = await newAccount(service);
  const { tracking_number } = await newShipment(account);
  await vi.waitFor(() => expect(notificationsOf(account)).toBe(1), waitTimeout);
  await using shipment = await holdShipment(service.db, account, tracking_number);
  await using feed = await holdFeed(service.db, account);
  const body = { status: 'dispatched', timestamp: new Date().toISOString() };
  const late = post(service, account, { path: `/tracking/${tracking_number}/events`, body });
  await wait(1750); // each lock is held for less than a statement may take, and both for longer than the request
  await shipment.release();
  expect(await late).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  await feed.release();
  await vi.waitFor(() => expect(notificationsOf(account)).toBe(2), waitTimeout);
});

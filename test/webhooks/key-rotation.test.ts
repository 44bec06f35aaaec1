import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { notWithCluster } from '../fixtures/not-with-cluster.ts';
import { ownMigratedDatabase } from '../fixtures/own-database.ts';
import { startService } from '../fixtures/service.ts';
import { newShipment } from '../fixtures/shipments.ts';
import { newAccount, test } from '../fixtures/test.ts';
import { waitTimeout } from '../fixtures/wait-timeout.ts';
import { runHere } from '../operate/cli/run.ts';
import { createEndpoint, on, received } from './endpoints.ts';
import { startReceiver } from './receiver.ts';

test('webhooks are signed with the same secrets after SIGNING_KEYS was replaced step by step', async () => {
  notWithCluster('each step restarts the service with other keys');
  await using receiver = await startReceiver();
  await using database = await ownMigratedDatabase();
  const DATABASE_URL = database.url;
  const account = await newAccount({ db: database.db, baseUrl: 'http://127.0.0.1' });
  const secrets = async () => (await sql`select secret from webhook_endpoints order by id`.execute(database.db)).rows;
  const [oldKey = '', newKey = '', otherKey = ''] = [0, 1, 2].map(() => randomBytes(32).toString('hex'));
  const log: Record<string, unknown>[] = [];
  const start = (SIGNING_KEYS: string) => startService({ DATABASE_URL, SIGNING_KEYS, LOG_LEVEL: 'warn' }, log);
  /** Waits until `waybill check` finds this about the webhook secrets and the new key. */
  const isFound = (message: string): Promise<void> =>
    vi.waitFor(async () => {
      const { stdout } = await runHere(['check', '--json'], { DATABASE_URL, SIGNING_KEYS: newKey });
      expect(JSON.parse(stdout).findings).toContainEqual(expect.objectContaining({ name: 'SIGNING_KEYS', message }));
    }, waitTimeout);

  const oldService = await start(oldKey);
  const caller = on(oldService, account);
  const { path, secret } = await createEndpoint(caller, receiver.url, ['shipment.created']);
  const rotated = await caller.client.rotateWebhookSecret({ ...path, previous_valid_hours: 24 });
  const disabled = await createEndpoint(caller, receiver.url);
  await caller.client.updateWebhookEndpoint({ ...disabled.path, status: 'disabled' });
  await oldService[Symbol.asyncDispose]();

  const stored = await secrets();
  const wrongService = await start(otherKey);
  const warning = expect.objectContaining({ endpoints: 2, msg: expect.stringContaining('no key of SIGNING_KEYS') });
  await vi.waitFor(() => expect(log).toContainEqual(warning), waitTimeout);
  await wrongService[Symbol.asyncDispose]();
  expect(await secrets()).toEqual(stored);
  await isFound('does not decrypt the webhook secrets of 2 endpoints');

  const bothService = await start(`${newKey},${oldKey}`);
  await isFound('decrypts all webhook secrets');
  await bothService[Symbol.asyncDispose]();

  await using newService = await start(newKey);
  await newShipment(on(newService, account));
  await received(receiver, 1);
  const [{ body, headers } = expect.unreachable()] = receiver.received;
  // It throws when the webhook is not signed with this secret.
  for (const each of [secret, rotated.secret]) new Webhook(each).verify(body, headers);
});

import { keyPresets } from '@waybill/server/auth/keys';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { newShipment } from '../../fixtures/shipments.ts';
import { allScopes, newAccount } from '../../fixtures/test.ts';
import { createAccount, disabledLongAgo, json, runHere, testWithDatabase as test } from './run.ts';

test('accounts have different names', async () => {
  const create = (name: string) => runHere(['accounts', 'create', name]);
  const [name, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const results = await Promise.all([create(name), create(name), create(` ${name} `)]);
  expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
  const id = await createAccount(other);
  const rename = (to: string) => runHere(['accounts', 'rename', id, to]);
  expect(await rename(name)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`^The account \\S+ already has the name ${name}\\. Choose another name\\.\n`),
    ),
  });
  const free = crypto.randomUUID();
  expect((await rename(free)).code).toBe(0);
  expect((await create(other)).code).toBe(0);
  expect(await json(['accounts', 'list'])).toContainEqual(expect.objectContaining({ account_id: id, name: free }));
});

test('`waybill accounts enable` makes the keys of a disabled account valid again', async ({ service }) => {
  const account = await newAccount(service);
  const changed = (disabled: boolean) => ({ account_id: account.id, disabled });
  expect(await json(['accounts', 'disable', account.id])).toEqual(changed(true));
  const refused = { status: 401, code: 'unauthenticated' };
  await expect(account.client.listShipments()).rejects.toMatchObject(refused);
  expect(await json(['accounts', 'enable', account.id])).toEqual(changed(false));
  expect((await account.client.listShipments()).data).toEqual([]);
});

test('`waybill keys create --for` gives the scopes of the purpose', async ({ service }) => {
  const { id } = await newAccount(service);
  for (const [purpose, scopes] of Object.entries(keyPresets)) {
    expect(await json(['keys', 'create', id, '--for', purpose])).toMatchObject({ scopes });
  }
  expect(keyPresets.shipper).toEqual(expect.arrayContaining(['shipments:write', 'webhooks:write', 'events:read']));
  expect(keyPresets.shipper).not.toContain('tracking:write');
  expect(keyPresets.dispatcher).toEqual(allScopes);
  expect(keyPresets.carrier).toEqual(['tracking:read', 'tracking:write']);
  expect(keyPresets.reader).toEqual(['shipments:read', 'tracking:read', 'events:read', 'webhooks:read']);
});

test('`waybill accounts delete` without --yes says what it removes, asks twice, and removes nothing without both', async ({
  service,
}) => {
  const account = await newAccount(service);
  await newShipment(account);
  const name = crypto.randomUUID();
  await json(['accounts', 'rename', account.id, name]);
  await disabledLongAgo(service.db, account.id);
  const files = { STORAGE_URL: service.files.url };
  const remove = (...answers: string[]) =>
    runHere(['accounts', 'delete', account.id], files, async () => answers.shift() ?? '');
  const content = `The account ${name} has 1 keys, 1 shipments, 0 positions, 0 files, 1 events, and 0 webhook endpoints.`;
  expect(await runHere(['accounts', 'delete', account.id], files)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^${content} .* Add --yes to delete the account\\.\n$`)),
  });
  for (const answers of [[], ['no'], ['yes', 'Southwind'], ['y', name]]) {
    expect(await remove(...answers)).toEqual({
      code: 1,
      stdout: expect.stringContaining(content),
      stderr: 'Nothing was deleted.\n',
    });
  }
  expect(await runHere(['accounts', 'delete', account.id, '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('STORAGE_URL is not set'),
  });
  expect(await json(['keys', 'list', account.id])).toHaveLength(1);
  expect(await remove('yes', name)).toMatchObject({ code: 0, stderr: '' });
  expect(await runHere(['keys', 'list', account.id])).toMatchObject({ stderr: `There is no account ${account.id}.\n` });
});

test('a deletion that failed is completed by the next one, and the account cannot be enabled in between', async ({
  migrated: { db, settings },
}) => {
  const id = await createAccount('Northwind', settings);
  await sql`insert into removed_events (account_id, last_number) values (${id}, 1)`.execute(db);
  await sql`insert into stored_bytes (account_id, bytes) values (${id}, 1)`.execute(db);
  await disabledLongAgo(db, id);
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger refuse before delete on stored_bytes for each row execute function refuse()`.execute(db);
  const remove = ['accounts', 'delete', id, '--yes'];
  expect(await runHere(remove, settings)).toMatchObject({
    code: 1,
    stderr: 'PostgreSQL returned an error: the disk is full.\n',
  });
  await sql`drop trigger refuse on stored_bytes`.execute(db);
  expect(await runHere(['accounts', 'enable', id], settings)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The deletion of this account has begun.'),
  });
  expect(await json(remove, settings)).toMatchObject({ deleted: { removed_events: 0, stored_bytes: 1 } });
  expect(await json(['accounts', 'list'], settings)).toEqual([]);
  const entries = (await json<{ action: string }[]>(['audit'], settings)).map(({ action }) => action);
  expect(entries.filter((action) => action === 'accounts delete')).toHaveLength(1);
});

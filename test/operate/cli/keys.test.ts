import { createClient } from '@waybill/client';
import { createKey, listKeys, revokeKey } from '@waybill/server/auth/administration';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Service } from '../../fixtures/service.ts';
import { newShipment } from '../../fixtures/shipments.ts';
import { test } from '../../fixtures/test.ts';
import { json, runHere } from './run.ts';

const listWith = ({ baseUrl }: Service, apiKey: string) =>
  createClient({ baseUrl, apiKey }).listShipments().withResponse();
const refused = { status: 401, code: 'unauthenticated' };
const keyFor = ({ db }: Service, account: string) => createKey(db, account, { name: '', scopes: ['shipments:read'] });

test('`waybill accounts create` and `waybill keys create` make a key that is listed and valid at once', async ({
  service,
}) => {
  const name = `Ålesund Freight ${crypto.randomUUID()}`;
  const account = await json<{ account_id: string }>(['accounts', 'create', name]);
  expect(await json(['accounts', 'list'])).toContainEqual(expect.objectContaining({ ...account, name }));

  const expires_at = '2999-01-01T00:00:00.000Z';
  const options = ['--scopes', 'shipments:read, tracking:read', '--name', 'the ERP', '--expires', expires_at];
  const made = await json<{ key: string; key_id: string }>(['keys', 'create', account.account_id, ...options]);
  const shown = { scopes: ['shipments:read', 'tracking:read'], expires_at };
  expect(made).toMatchObject(shown);
  const secret = new RegExp(`^wbk_${made.key_id}_(\\w{40})$`).exec(made.key)?.[1] ?? '';
  expect((await listWith(service, made.key)).status).toBe(200);

  const listed = await json<object[]>(['keys', 'list', account.account_id]);
  expect(listed).toMatchObject([{ ...shown, key_id: made.key_id, name: 'the ERP', revoked_at: null }]);
  expect(JSON.stringify(listed)).not.toContain(secret);
  expect((await tablesWith(service, made.key_id)).sort()).toEqual(['api_keys', 'audit_log']);
  expect(await tablesWith(service, secret)).toEqual([]);
});

/** The tables with a row that has the text in any column, as text or as bytes. */
async function tablesWith({ db }: Service, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  // As text a row shows bytes in hexadecimal.
  const patterns = [text, Buffer.from(text).toString('hex')].map((pattern) => `%${pattern}%`);
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const hits = await sql`select from ${sql.table(name)} t where t::text like any (${patterns})`.execute(db);
      return hits.rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

test('commands without --json print text', async ({ account }) => {
  const made = await runHere(['keys', 'create', account.id, '--scopes', 'shipments:read']);
  const [key = '', ...rest] = made.stdout.trimEnd().split('\n');
  expect(key).toMatch(/^wbk_/);
  expect(rest.join()).toContain('cannot be shown again. It does not expire.');
  const dated = await runHere(['keys', 'create', account.id, '--for', 'board', '--expires', '2999-12-01']);
  expect(dated.stdout).toContain('It expires at 2999-12-01T00:00:00.000Z.');
  const listed = await runHere(['keys', 'list', account.id]);
  const [header = '', ...rows] = listed.stdout.trimEnd().split('\n');
  expect(header).toMatch(/^key_id +name +scopes /);
  expect(rows).toHaveLength(3);
  expect(listed.stdout).not.toContain(key.split('_')[2]);
});

test('a revoked key returns 401, stays in the list and cannot be revoked again', async ({ service, account }) => {
  const { key, key_id } = await keyFor(service, account.id);
  expect(await json(['keys', 'revoke', account.id, key_id])).toEqual({ key_id, revoked: true });
  await expect(listWith(service, key)).rejects.toMatchObject(refused);
  const listed = async () => (await listKeys(service.db, account.id)).find((row) => row.key_id === key_id);
  const revoked = await listed();
  expect(revoked?.revoked_at).toBeInstanceOf(Date);
  await revokeKey(service.db, account.id, key_id);
  expect(await listed()).toEqual(revoked);
});

test('`waybill keys rotate`: the old key is valid for the overlap, and the new key is valid at once', async ({
  service,
  account,
}) => {
  const [short, long] = [await keyFor(service, account.id), await keyFor(service, account.id)];
  const rotate = (keyId: string, overlap: string) =>
    json<{ key: string; scopes: string[] }>(['keys', 'rotate', account.id, keyId, '--overlap', overlap]);
  const { key, scopes } = await rotate(short.key_id, 'PT0S');
  expect(scopes).toEqual(['shipments:read']);
  expect((await listWith(service, key)).status).toBe(200);
  await expect(listWith(service, short.key)).rejects.toMatchObject(refused);
  const { key: other } = await rotate(long.key_id, 'PT24H');
  for (const valid of [long.key, other]) expect((await listWith(service, valid)).status).toBe(200);
  const listed = (await listKeys(service.db, account.id)).find(({ key_id }) => key_id === long.key_id);
  expect(Math.abs(Number(listed?.expires_at) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
  // A rotation never extends the old key.
  await rotate(long.key_id, 'PT48H');
  expect((await listKeys(service.db, account.id)).find(({ key_id }) => key_id === long.key_id)).toEqual(listed);
});

test('`waybill keys rotate` leaves the expiry of the key unchanged, and --expires replaces it', async ({
  service,
  account,
}) => {
  const expires_at = '2098-01-01T00:00:00.000Z';
  const rotate = async (expiresAt: Date | null, ...options: string[]) => {
    const old = await createKey(service.db, account.id, { name: '', scopes: ['shipments:read'], expiresAt });
    const rotated: { key_id: string; expires_at: string | null } = await json([
      ...['keys', 'rotate', account.id, old.key_id, '--overlap', 'PT0S'],
      ...options,
    ]);
    const listed = (await listKeys(service.db, account.id)).find(({ key_id }) => key_id === rotated.key_id);
    expect(listed?.expires_at?.toISOString() ?? null).toBe(rotated.expires_at);
    return rotated.expires_at;
  };
  expect(await rotate(null)).toBeNull();
  expect(await rotate(new Date(expires_at))).toBe(expires_at);
  const given = '2099-01-01T00:00:00.000Z';
  expect(await rotate(new Date(expires_at), '--expires', given)).toBe(given);
});

test('a command for a nonexistent account or key prints one sentence', async ({ account }) => {
  const failure = (stderr: string) => ({ code: 1, stdout: '', stderr });
  const { id, tracking_number } = await newShipment(account);
  for (const unknown of ['00000000-0000-7000-8000-000000000000', 'unknown']) {
    for (const command of [
      ['keys', 'list', unknown],
      ['accounts', 'disable', unknown],
      ['audit', '--account', unknown],
      ['board', unknown],
      ['link', unknown, id, '--kind', 'track'],
      ['link', unknown, tracking_number, '--kind', 'track'],
    ]) {
      expect(await runHere(command), command.join(' ')).toEqual(failure(`There is no account ${unknown}.\n`));
    }
  }
  expect(await runHere(['keys', 'revoke', account.id, 'some-key'])).toEqual(
    failure('The account has no key some-key.\n'),
  );
});

const escapes = ['clear\u001b[2J', 'bell\u0007', 'csi\u009b2J', 'line\nbreak', 'reversed\u202ename', 'line\u2028break'];

test.for(escapes)(
  'names refuse %j, which would control a terminal or the direction of text',
  async (name, { account }) => {
    const { key_id } = await json<{ key_id: string }>(['keys', 'create', account.id, '--for', 'board']);
    for (const args of [
      ['keys', 'create', account.id, '--for', 'board', '--name', name],
      ['board', account.id, '--name', name],
      ['link', account.id, (await newShipment(account)).id, '--kind', 'track', '--name', name],
      ['accounts', 'rename', account.id, name],
      ['accounts', 'create', name],
    ]) {
      const { code, stdout, stderr } = await runHere(args);
      expect([args[0], code, stdout]).toEqual([args[0], 2, '']);
      expect(stderr).toMatch(/Give a name of 1 to \d+ printable characters/);
      expect(stderr).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    }
    expect(await json(['keys', 'list', account.id])).toContainEqual(expect.objectContaining({ key_id, name: '' }));
  },
);

test('commands show control characters of stored names and of arguments as JSON does', async ({ service, account }) => {
  const name = escapes.join(' ');
  await createKey(service.db, account.id, { name, scopes: ['shipments:read'] });
  const listed = await runHere(['keys', 'list', account.id]);
  for (const text of ['clear\\u001b[2J', 'bell\\u0007', 'csi\\u009b2J', 'reversed\\u202ename', 'line\\u2028break'])
    expect(listed.stdout).toContain(text);
  const printed = await runHere(['keys', 'list', account.id, '--json']);
  expect(JSON.parse(printed.stdout)).toContainEqual(expect.objectContaining({ name }));
  const outputs = [listed, printed, await runHere(['keys', 'list', name]), await runHere([name])];
  outputs.push(await runHere(['keys', 'list', name, '--json']));
  for (const { stdout, stderr } of outputs)
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\u2028]/u);
});

test.for([
  [
    'keys rotate ACCOUNT KEY --overlap',
    ['PT8760H1S', 'PT99999999999999H', `PT${'9'.repeat(400)}S`, 'PT-1S', 'P1D', 'PT', ''],
  ],
  ['migrate --wait', ['PT24H1S', 'PT99999999999999H', 'PT1.5S']],
  ['restored --skip', ['0', '1000000001', '1e400', '-1', '1.5', '']],
  ['audit --limit', ['0', '10001', '1e400']],
  ['board ACCOUNT --days', ['0', '91', '1e400']],
  ['board ACCOUNT --name', ['x'.repeat(101), ' ']],
  ['audit --since', ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '+275760-09-13T00:00:00Z']],
  ['keys create ACCOUNT --for board --expires', ['+275760-09-13T00:00:00Z', '3000-01-01T00:00:00Z']],
] as const)(
  '`waybill %s` refuses values beyond its limits with one line of JSON',
  async ([line, values], { account }) => {
    const args = line.replace('ACCOUNT', account.id).split(' ');
    for (const value of values) {
      const { code, stdout, stderr } = await runHere([...args, value, '--json']);
      expect([value, code, stdout]).toEqual([value, 2, '']);
      expect(JSON.parse(stderr)).toMatchObject({
        error: { code: 'usage', message: expect.stringContaining('Give a') },
      });
    }
  },
);

import { execFileSync } from 'node:child_process';
import { createClient } from '@waybill/client';
import { linkOf } from '@waybill/pages/driver/queue';
import { createKey, listKeys } from '@waybill/server/auth/administration';
import { keyPresets } from '@waybill/server/auth/keys';
import { makeProgram } from '@waybill/server/cli/run';
import { migrate } from '@waybill/server/database/schema/migrate';
import { ownMigrations } from '@waybill/server/database/schema/schema-level';
import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import { type Service, startService } from '../../fixtures/service/service.ts';
import { newShipment, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { commandsOf, createAccount, disabledLongAgo, json, runHere, testWithDatabase as test } from './run-waybill.ts';

type Key = { key: string; key_id: string; scopes: string[]; expires_at: string | null };
type Link = { id: string; url: string; token: string; expires_at: string };
type Entry = { at: string; action: string; account_id: string | null; details: object };

const day = 86_400_000;
const unauthenticated = { status: 401, code: 'unauthenticated' };
const clientOf = ({ baseUrl }: Service, apiKey: string) => createClient({ baseUrl, apiKey });
const keyFor = ({ db }: Service, account: string, expiresAt: Date | null = null) =>
  createKey(db, account, { name: '', scopes: ['shipments:read'], expiresAt });

/** `serve` prints its log. check.test.ts runs `check`, and test/operate/citus `distribute`. */
const notHere = ['serve', 'check', 'distribute'];
/** Commands that change nothing. The entry of `board` is that of `keys create`. */
const others = [...notHere, 'accounts list', 'keys list', 'audit', 'board'];

test('every command prints JSON with --json, and records its change without secrets', async ({
  empty: { db, url, settings },
}) => {
  const ran: string[] = [];
  const changes: unknown[] = [];
  /** @param detailsOf what the entry of its change says, beside the account; none for a command that changes nothing */
  const run = async <T>(name: string, args: string[] = [], detailsOf?: (result: T) => object, action = name) => {
    const { code, stdout, stderr } = await runHere([...name.split(' '), ...args, '--json'], settings);
    expect([name, code, stderr]).toEqual([name, 0, '']);
    expect(stdout, name).toMatch(/^{[^\n]+}\n$|^\[[^\n]+\]\n$/);
    const result: T = JSON.parse(stdout);
    ran.push(name);
    if (detailsOf) changes.push([action, name === 'restored' ? null : (args[0] ?? ''), detailsOf(result)]);
    return result;
  };
  await run('migrate');
  const { account_id: id } = await run<{ account_id: string }>('accounts create', ['Northwind']);
  changes.push(...Object.keys(ownMigrations).map((migration) => ['migrate', null, { migration }]));
  changes.push(['accounts create', id, { name: 'Northwind' }]);
  const scopes = ['shipments:read', 'shipments:write'];
  const created = ({ key_id, expires_at }: Key) => ({ key_id, name: 'ERP', scopes, expires_at });
  const first = await run('keys create', [id, '--scopes', scopes.join(), '--name', 'ERP'], created);
  const second = await run<Key>('keys rotate', [id, first.key_id, '--overlap', 'PT1H'], ({ key_id }) => {
    return { key_id: first.key_id, new_key_id: key_id, overlap_ms: 3_600_000 };
  });
  await using service = await startService({ DATABASE_URL: url });
  const { id: shipment } = await clientOf(service, first.key).createShipment(shipmentRequest());
  const link = await run<Link>('link', [id, shipment, '--kind', 'drive'], ({ id: access_id, expires_at }) => {
    return { access_id, shipment, kind: 'drive', expires_at };
  });
  await run('keys revoke', [id, second.key_id], () => ({ key_id: second.key_id }));
  await run('keys list', [id]);
  const boardOf = (key: Key) => ({ ...created(key), name: 'board', scopes: keyPresets.board });
  const board = await run<Key & Link>('board', [id], boardOf, 'keys create');
  await run('accounts rename', [id, 'Southwind'], () => ({ name: 'Southwind', previous: 'Northwind' }));
  await run('accounts share', [id, '80'], () => ({ share: 80 }));
  await run('accounts dispatcher', [id, '+1 206 555 0100'], () => ({ dispatcher_phone: '+1 206 555 0100' }));
  await run('accounts disable', [id], () => ({}));
  await run('accounts enable', [id], () => ({}));
  expect((await clientOf(service, first.key).listShipments()).data).toHaveLength(1);
  await run('accounts list');
  await run('restored', ['--skip', '5000'], () => ({ skipped: 5000 }));
  await disabledLongAgo(db, id);
  changes.push(['accounts disable', id, {}]);
  await run('accounts delete', [id, '--yes'], () => ({ name: 'Southwind' }));

  const all = await run<Entry[]>('audit');
  const [os_user, host] = [execFileSync('id', ['-un']), execFileSync('hostname')].map((text) => String(text).trim());
  const by = { os_user, host, pid: process.pid, at: expect.stringMatching(/^20.*Z$/) };
  for (const entry of all) expect(entry).toMatchObject(by);
  expect(all.toReversed().map(({ action, account_id, details }) => [action, account_id, details])).toEqual(changes);
  for (const secret of [first.key, second.key, link.token, board.url])
    expect(JSON.stringify(all)).not.toContain(secret.split('_')[2]);

  const commands = commandsOf(makeProgram({ out() {}, err() {} })).sort();
  expect(ran.sort(), 'Run the command above.').toEqual(commands.filter((name) => !notHere.includes(name)));
  const silent = commands.filter((name) => !all.some(({ action }) => action === name));
  expect(silent, 'Record what the command changes.').toEqual(others.toSorted());
});

/** Makes a table refuse a statement. */
const refuseOn = (db: Service['db'], event: string, table: string) =>
  sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger refuse before ${sql.raw(event)} on ${sql.id(table)} for each row execute function refuse()`.execute(
    db,
  );
const diskFull = { code: 1, stderr: 'PostgreSQL returned an error: the disk is full.\n' };

test('a command whose audit entry cannot be added changes nothing', async ({ migrated: { db, settings } }) => {
  const id = await createAccount('Northwind', settings);
  const { key_id } = await json<Key>(['keys', 'create', id, '--for', 'reader'], settings);
  const disabled = await createAccount('Disabled', settings);
  await disabledLongAgo(db, disabled);
  await refuseOn(db, 'insert', 'audit_log');
  const state = async () => [
    await json(['accounts', 'list'], settings),
    await json(['keys', 'list', id], settings),
    (await sql`select name, last_value from migrations, tracking_sequence`.execute(db)).rows,
  ];
  const before = await state();
  for (const command of [
    'accounts create Southwind',
    `accounts rename ${id} Southwind`,
    `accounts disable ${id}`,
    `accounts enable ${disabled}`,
    `accounts delete ${disabled} --yes`,
    `keys create ${id} --scopes shipments:read`,
    `keys rotate ${id} ${key_id} --overlap PT0S`,
    `keys revoke ${id} ${key_id}`,
    'restored',
  ])
    expect(await runHere(command.split(' '), settings), command).toMatchObject(diskFull);
  const ofSession = inject('cluster') ? [] : [{ outsideTransaction: true } as const]; // PgBouncer gives it none
  for (const kind of [{}, ...ofSession]) {
    const migrations = { ...ownMigrations, '9999-next': { up: async () => {}, ...kind } };
    await expect(migrate(db, { migrations })).rejects.toThrow('the disk is full');
  }
  expect(await state()).toEqual(before);
});

test('PostgreSQL refuses to change entries of the audit log', async ({ service }) => {
  for (const statement of ['update audit_log set pid = 1', 'delete from audit_log', 'truncate audit_log'])
    await expect(sql.raw(statement).execute(service.db)).rejects.toThrow('the audit log is append-only');
});

const escapes = ['clear\u001b[2J', 'bell\u0007', 'csi\u009b2J', 'line\nbreak', 'reversed\u202ename', 'line\u2028break'];
const noName = [' ', '\u200b', '\u3164', 'x'.repeat(201), ...escapes];
const whole = ['0', '1.5', 'all'];
const nobody = ['00000000-0000-7000-8000-000000000000', 'unknown'];

/** Commands that are refused with each of the values at their end or in place of `X`. `A` is an account. */
test.for<[exitCode: 1 | 2, command: string, message: string, values?: string[]]>([
  [2, '', ''],
  [2, 'fly', "unknown command 'fly'"],
  [2, 'serve --fast', "unknown option '--fast'"],
  [2, 'accounts create', "missing required argument 'name'"],
  [2, 'keys create A', "give '--for <purpose>' or '--scopes <scopes>'"],
  [2, 'keys create A --for reader --scopes shipments:read', 'cannot be used with option'],
  [2, 'keys create A --scopes shipments:burn', 'There is no scope shipments:burn.'],
  [2, 'link A FRT-1999-000001 --kind watch', 'Allowed choices are track, drive.'],
  [2, 'link A FRT-1999-000001 --kind track --expires 2999-01-01T00:00:00Z', 'at most 365 days ahead'],
  [2, 'keys rotate A K --overlap', 'Give a', ['soon', 'PT8760H1S', `PT${'9'.repeat(400)}S`, 'PT-1S', 'P1D', 'PT', '']],
  [2, 'keys create A --for board --expires', 'Give a', ['yesterday', '3000-01-01T00:00:00Z', '+27576-09-13T00:00:00Z']],
  [2, 'restored --skip', 'Give a', [...whole, '1000000001', '-1', '']],
  [2, 'accounts share A', 'Give a', [...whole, '101']],
  [2, 'board A --days', 'Give a', [...whole, '91', '1e400']],
  [2, 'accounts dispatcher A', 'Give a phone number', ['', 'none', '5'.repeat(51), ...escapes]],
  [2, 'accounts create', 'Give a name of 1 to 200 printable characters.', ['', ...noName]],
  [2, 'accounts rename A', 'Give a name of 1 to 200 printable characters.', noName],
  [2, 'keys create A --for board --name', 'Give a name of 1 to 100 printable characters.', noName],
  [2, 'board A --name', 'Give a name of 1 to 100 printable characters.', noName],
  [2, 'link A FRT-1999-000001 --kind track --name', 'Give a name of 1 to 100 printable characters.', noName],
  [1, 'link A FRT-1999-000001 --kind track', 'There is no shipment `FRT-1999-000001`.'],
  [1, 'keys revoke A some-key', 'The account has no key some-key.'],
  [1, 'keys list', 'There is no account X.', nobody],
  [1, 'link X FRT-1999-000001 --kind track', 'There is no account X.', nobody],
])('exit code %i: `waybill %s` reports "%s"', async ([code, line, message, values], { account }) => {
  for (const value of values ?? ['']) {
    const words = line.split(' ').map((word) => ({ A: account.id, X: value })[word] ?? word);
    const command = [...words, ...(values && !words.includes(value) ? [value] : [])].filter((word) => word || values);
    const text = await runHere(command);
    expect(text, value).toMatchObject({ code, stdout: '' });
    const expected = message.replace('X', value);
    if (code === 1) expect(text.stderr).toBe(`${expected}\n`);
    else expect(text.stderr).toContain('Usage: waybill');
    expect(text.stderr).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\u2028]/u);
    const { stderr, ...ended } = await runHere([...command, '--json']);
    expect(ended).toEqual({ code, stdout: '' });
    expect(stderr).toMatch(/^{.+}\n$/);
    const error = { code: code === 1 ? 'refused' : 'usage', message: expect.stringContaining(expected) };
    expect(JSON.parse(stderr)).toEqual({ error });
  }
  expect(await json(['keys', 'list', account.id])).toHaveLength(1);
});

test('`waybill accounts delete` without --yes lists what it removes and asks twice', async ({ service, account }) => {
  await newShipment(account);
  const name = crypto.randomUUID();
  await json(['accounts', 'rename', account.id, name]);
  await disabledLongAgo(service.db, account.id);
  const files = { STORAGE_URL: service.files.url };
  const command = ['accounts', 'delete', account.id];
  const remove = (...answers: string[]) => runHere(command, files, async () => answers.shift() ?? '');
  const content = `The account ${name} has 1 keys, 1 shipments, 0 positions, 0 files, 1 events, and 0 webhook endpoints.`;
  const hint = new RegExp(`^${content} .* Add --yes to delete the account\\.\n$`);
  expect(await runHere(command, files)).toMatchObject({ code: 1, stderr: expect.stringMatching(hint) });
  for (const answers of [[], ['no'], ['yes', 'Southwind'], ['y', name]]) {
    const stdout = expect.stringContaining(content);
    expect(await remove(...answers)).toEqual({ code: 1, stdout, stderr: 'Nothing was deleted.\n' });
  }
  const stderr = expect.stringContaining('STORAGE_URL is not set');
  expect(await runHere([...command, '--yes'])).toMatchObject({ code: 1, stderr });
  expect(await json(['keys', 'list', account.id])).toHaveLength(1);
  expect(await remove('yes', name)).toMatchObject({ code: 0, stderr: '' });
  expect(await runHere(['keys', 'list', account.id])).toMatchObject({ stderr: `There is no account ${account.id}.\n` });
});

test('an account cannot be enabled after a deletion that failed, and the next completes it', async ({
  migrated: { db, settings },
}) => {
  const id = await createAccount('Northwind', settings);
  await sql`insert into removed_events (account_id, last_number) values (${id}, 1)`.execute(db);
  await sql`insert into stored_bytes (account_id, bytes) values (${id}, 1)`.execute(db);
  await disabledLongAgo(db, id);
  await refuseOn(db, 'delete', 'stored_bytes');
  const remove = ['accounts', 'delete', id, '--yes'];
  expect(await runHere(remove, settings)).toMatchObject(diskFull);
  await sql`drop trigger refuse on stored_bytes`.execute(db);
  const stderr = expect.stringContaining('The deletion of this account has begun.');
  expect(await runHere(['accounts', 'enable', id], settings)).toMatchObject({ code: 1, stderr });
  expect(await json(remove, settings)).toMatchObject({ deleted: { removed_events: 0, stored_bytes: 1 } });
  expect(await json(['accounts', 'list'], settings)).toEqual([]);
  const entries = await json<Entry[]>(['audit'], settings);
  expect(entries.filter(({ action }) => action === 'accounts delete')).toHaveLength(1);
});

test('`waybill keys create` makes a valid key that is listed, and stores no secret', async ({ service }) => {
  const name = `Ålesund Freight ${crypto.randomUUID()}`;
  const account = await json<{ account_id: string }>(['accounts', 'create', name]);
  expect(await json(['accounts', 'list'])).toContainEqual(expect.objectContaining({ ...account, name }));
  const expires_at = '2999-01-01T00:00:00.000Z';
  const options = ['--scopes', 'shipments:read, tracking:read', '--name', 'the ERP', '--expires', expires_at];
  const made = await json<Key>(['keys', 'create', account.account_id, ...options]);
  const shown = { scopes: ['shipments:read', 'tracking:read'], expires_at };
  expect(made).toMatchObject(shown);
  const secret = new RegExp(`^wbk_${made.key_id}_(\\w{40})$`).exec(made.key)?.[1] ?? '';
  expect((await clientOf(service, made.key).listShipments()).data).toEqual([]);
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

test('commands print text, with control characters of stored names as in JSON', async ({
  service,
  account: { id },
}) => {
  await createKey(service.db, id, { name: escapes.join(' '), scopes: [] });
  const { stdout } = await runHere(['keys', 'list', id]);
  expect(stdout).toMatch(/^key_id +name +scopes .*\n(.+\n){3}$/);
  for (const text of ['clear\\u001b[2J', 'bell\\u0007', 'csi\\u009b2J', 'reversed\\u202ename', 'line\\u2028break'])
    expect(stdout).toContain(text);
  const printed = await runHere(['keys', 'list', id, '--json']);
  expect(JSON.parse(printed.stdout)).toContainEqual(expect.objectContaining({ name: escapes.join(' ') }));
  const refused = await runHere(['keys', 'list', escapes.join(' ')]);
  expect(stdout + printed.stdout + refused.stderr).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\u2028]/u);
});

test('`waybill keys rotate` ends the old key after the overlap, and copies its expiry', async ({
  service,
  account: { id },
}) => {
  const rotate = (keyId: string, ...options: string[]) =>
    json<Key>(['keys', 'rotate', id, keyId, '--overlap', ...options]);
  const expiryOf = async (keyId: string) =>
    (await listKeys(service.db, id)).find((row) => row.key_id === keyId)?.expires_at;
  const isValid = async (key: string) => (await clientOf(service, key).listShipments()).has_more === false;
  const [short, long] = [await keyFor(service, id), await keyFor(service, id)];
  const replacement = await rotate(short.key_id, 'PT0S');
  expect(replacement).toMatchObject({ scopes: ['shipments:read'], expires_at: null });
  expect(await isValid(replacement.key)).toBe(true);
  await expect(isValid(short.key)).rejects.toMatchObject(unauthenticated);
  const { key } = await rotate(long.key_id, 'PT24H');
  expect([await isValid(long.key), await isValid(key)]).toEqual([true, true]);
  const expiry = await expiryOf(long.key_id);
  expect(Math.abs(Number(expiry) - Date.now() - day)).toBeLessThan(60_000);
  await rotate(long.key_id, 'PT48H'); // never extends the old key
  expect(await expiryOf(long.key_id)).toEqual(expiry);

  const expires_at = '2098-01-01T00:00:00.000Z';
  const { key_id } = await keyFor(service, id, new Date(expires_at));
  expect(await rotate(key_id, 'PT0S')).toMatchObject({ expires_at });
});

test('`waybill board` prints a link with a key that only reads and expires', async ({
  service,
  account: { id, client },
}) => {
  const settings = { BASE_URL: service.baseUrl };
  const before = Date.now();
  const made = await json<Key & Link>(['board', id], settings);
  const [page, key = ''] = made.url.split('#');
  expect(page).toBe(`${service.origin}/board`);
  expect(Math.round((Date.parse(made.expires_at) - before) / day)).toBe(30);
  const { id: shipment_id } = await client.createShipment(shipmentRequest());
  const own = clientOf(service, key);
  expect((await own.listShipments({ include: 'tracking' })).data).toMatchObject([{ id: shipment_id }]);
  const refused = { status: 403, code: 'insufficient_scope' };
  await expect(own.cancelShipment({ shipment_id, reason: 'x' })).rejects.toMatchObject(refused);
});

test('`waybill link` makes links, and none for another account', async ({ service, account }) => {
  const url = { BASE_URL: 'https://freight.example.com/v1' };
  const { id: shipment_id, tracking_number } = await newShipment(account);
  const track = await json<Link>(['link', account.id, tracking_number, '--kind', 'track'], url);
  expect(track.url).toMatch(/^https:\/\/freight\.example\.com\/t\/wba_\w+$/);
  expect(await (await fetch(service.origin + new URL(track.url).pathname)).text()).toContain(tracking_number);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const options = ['--kind', 'drive', '--name', ' Truck 12 ', '--expires', expires_at];
  const made = await json<Link>(['link', account.id, shipment_id, ...options], url);
  expect(made).toMatchObject({ kind: 'drive', name: 'Truck 12', detail: 'proof', expires_at });
  expect(linkOf(new URL(made.url).hash)).toEqual({ token: made.token, shipmentId: shipment_id });
  const driver = createClient({ baseUrl: service.baseUrl, accessToken: made.token });
  await driver.recordTrackingEvent({ tracking_number, status: 'dispatched', timestamp: new Date() });
  const { id: other } = await newAccount(service);
  for (const shipment of [shipment_id, tracking_number])
    expect(await runHere(['link', other, shipment, '--kind', 'track'])).toMatchObject({ code: 1 });
  const { data } = await account.client.listAccesses({ shipment_id });
  expect(data.map(({ kind }) => kind)).toEqual(['track', 'drive']);
});

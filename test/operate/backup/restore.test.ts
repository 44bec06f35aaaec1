import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@waybill/client';
import type { Database } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/schema/migrate';
import { startPgBouncer } from '@waybill/tools/lab/cluster/pgbouncer';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { ownMigratedDatabase } from '../../fixtures/database/own-database.ts';
import { isLong } from '../../fixtures/long-form.ts';
import { installed, skippedWithout } from '../../fixtures/programs/installed.ts';
import { startService } from '../../fixtures/service/service.ts';
import { shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { json } from '../cli/run-waybill.ts';
import { testWithCluster, why } from '../cluster/programs.ts';
import { createCluster, newFolder, runScript, startCluster, systemPostgres } from './system-postgres.ts';

const samples = new URL('../../../deploy/backup/', import.meta.url);
const scriptOf = (name: string): string => fileURLToPath(new URL(name, samples));
const canRun = systemPostgres && installed('rsync');
const missing = skippedWithout('/usr/lib/postgresql with rsync', canRun);

test.skipIf(!isLong || !canRun)(
  `the commands of the guide restore a dump, and an archive up to its end${missing}`,
  async () => {
    await using folder = await newFolder();
    const root = folder.path;
    // The files of `deploy/backup/`, with their folders in `root`.
    await mkdir(join(root, 'scripts'));
    for (const name of await readdir(samples)) {
      const text = await readFile(new URL(name, samples), 'utf8');
      await writeFile(join(root, 'scripts', name), text.replaceAll(/\/var\/(backups|lib)\/waybill/g, `${root}/$1`));
    }
    const sample = (name: string): string => `sh ${join(root, 'scripts', name)}`;
    const archive = await readFile(join(root, 'scripts/archive.conf'), 'utf8');
    const serve = (url: string) => startService({ DATABASE_URL: url, STORAGE_URL: `file:${root}/lib/files` });

    await runScript(`mkdir -p '${root}/backups/wal'`, { asPostgres: true });
    await createCluster(join(root, 'data'), archive);
    await using cluster = await startCluster(join(root, 'data'));
    const env = { DATABASE_URL: cluster.urlOf('postgres') };

    // Writes before and after the backups.
    let service = await serve(env.DATABASE_URL);
    await migrate(service.db);
    const account = await newAccount(service);
    await using receiver = await startReceiver();
    await account.client.createWebhookEndpoint({ url: receiver.url });
    const delivered = await shipmentIn(account, 'delivered');
    const before = await contentOf(account.client, delivered);
    /** Makes both backups, and gives the new ones names with this hour. */
    const backUp = async (hour: string): Promise<void> => {
      await runScript(sample('base-backup.sh'), { asPostgres: true, env });
      await runScript(sample('back-up.sh'), { env });
      for (const name of await readdir(join(root, 'backups')))
        if (name !== 'wal' && !name.includes('-01-01T')) {
          const to = name.replace(/20\d\d-..-..T......Z/, `2026-01-01T${hour}0000Z`);
          await rename(join(root, 'backups', name), join(root, 'backups', to));
        }
    };
    // Of two backups, the database has changed between them.
    await backUp('01');
    const between = await shipmentIn(account, 'scheduled');
    const positionBefore = await feedPosition(account.client);
    await backUp('02');
    const [older, newer] = ['2026-01-01T010000Z', '2026-01-01T020000Z'];
    const names = [older, newer, `base-${older}`, `base-${newer}`];
    expect(await readdir(join(root, 'backups'))).toEqual([...names, 'wal']);
    // A copy has all data of all accounts.
    for (const path of [...names, `${older}/waybill.dump`, `base-${older}/PG_VERSION`])
      expect([path, (await stat(join(root, 'backups', path))).mode & 0o077]).toEqual([path, 0]);
    // Another start takes other tracking numbers.
    await service[Symbol.asyncDispose]();
    service = await serve(env.DATABASE_URL);
    const writer = createClient({ baseUrl: service.baseUrl, apiKey: account.key });
    const repeatable = { idempotencyKey: 'after-the-backup' };
    const later = await writer.createShipment(shipmentRequest(), repeatable);
    const positionAfter = await feedPosition(writer);
    await archiveWal(service.db);
    await sql`create database restored`.execute(service.db);
    await service[Symbol.asyncDispose]();
    await rm(join(root, 'lib'), { recursive: true });

    // The dump, in a new database.
    const restored = cluster.urlOf('restored');
    await runScript(sample('restore.sh'), { env: { DATABASE_URL: restored } });
    await json(['restored'], { DATABASE_URL: restored });
    service = await serve(restored);
    await sql`delete from webhook_leases`.execute(service.db); // that of the service in the dump takes 25 s to end
    const client = createClient({ baseUrl: service.baseUrl, apiKey: account.key });
    expect(await contentOf(client, delivered)).toEqual(before);
    expect((await client.getShipment({ shipment_id: between.id })).id).toBe(between.id); // the newer copy has it
    await expect(client.getShipment({ shipment_id: later.id })).rejects.toMatchObject({ status: 404 });
    await expect(client.listEvents({ after: positionAfter })).rejects.toMatchObject({ code: 'events_expired' });
    // The stored response was lost: the same request has its effect again.
    const repeated = await client.createShipment(shipmentRequest(), repeatable);
    expect(repeated.id).not.toBe(later.id);
    expect(sequenceOf(repeated.tracking_number)).toBeGreaterThan(sequenceOf(later.tracking_number));
    const { data: events } = await client.listEvents({ after: positionBefore });
    expect(events.map(({ data }) => data.shipment?.id)).toEqual([repeated.id]);
    await vi.waitFor(() => {
      expect(receiver.received.map(({ body }) => JSON.parse(body).id)).toContain(events[0]?.id);
    }, waitTimeout);
    await service[Symbol.asyncDispose]();

    // A base backup and the archived WAL, in a new cluster: the newest one, and the older one.
    for (const hour of [newer, older]) {
      const PGDATA = join(root, `recovered-${hour}`);
      const base = join(root, `backups/base-${hour}`);
      await runScript(`${sample('recover.sh')} ${hour === older ? base : ''}`, { asPostgres: true, env: { PGDATA } });
      const [label, chosen] = [PGDATA, base].map((folder) => readFile(join(folder, 'backup_label'), 'utf8'));
      expect(await label).toBe(await chosen);
      await using recovered = await startCluster(PGDATA);
      await using another = await serve(recovered.urlOf('postgres'));
      const after = createClient({ baseUrl: another.baseUrl, apiKey: account.key });
      expect(await contentOf(after, delivered)).toEqual(before);
      expect(await after.getShipment({ shipment_id: later.id })).toEqual(later);
      expect((await after.listEvents({ after: positionAfter })).data).toEqual([]);
    }
  },
);

test.skipIf(!canRun)(
  `a copy that fails changes no other one, and a complete one removes old ones${missing}`,
  async () => {
    await using folder = await newFolder();
    const at = (...path: string[]): string => join(folder.path, ...path);
    await createCluster(at('data'), '');
    await using cluster = await startCluster(at('data'));
    const env = { DATABASE_URL: cluster.urlOf('postgres'), BACKUP_DIR: at('backups'), FILES_DIR: at('files') };
    const backUp = (changes: Record<string, string> = {}) =>
      runScript(`PATH=${at('programs')}:$PATH sh ${scriptOf('back-up.sh')}`, { env: { ...env, ...changes } });
    const copies = () => readdir(at('backups'));
    /** Gives the newest copy another name and age, as if it was made then. */
    const makeOlder = async (days: number): Promise<string> => {
      const time = new Date(Date.now() - days * 86_400_000);
      const name = time.toISOString().replace(/:(..):(..)\..*/, '$1$2Z');
      await rename(at('backups', (await copies()).at(-1) ?? ''), at('backups', name));
      await utimes(at('backups', name), time, time);
      return name;
    };
    for (const name of ['programs', 'files/account']) await mkdir(at(name), { recursive: true });
    await writeFile(at('files/account/first'), 'The first file.');
    await backUp();
    const first = await makeOlder(16);

    await expect(backUp({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).rejects.toThrow('refused');
    const damage = 'for arg; do case $arg in --file=*) echo damaged > "$(echo $arg | cut -d= -f2)";; esac; done';
    for (const [program, commands, error] of [
      ['pg_dump', damage, 'pg_restore: error'],
      ['rsync', 'echo no space left >&2; exit 11', 'no space left'],
    ] as const) {
      await writeFile(at('programs', program), `#!/bin/sh\n${commands}\n`, { mode: 0o755 });
      await expect(backUp()).rejects.toThrow(error);
      await rm(at('programs', program));
    }
    expect(await copies()).toEqual([first]);

    const { ino } = await stat(at('backups', first, 'files/account/first'));
    await writeFile(at('files/account/second'), 'The second file.');
    await backUp();
    expect(await copies()).toEqual([expect.stringMatching(/^20/)]);
    const second = await makeOlder(13);
    expect((await stat(at('backups', second, 'files/account/first'))).ino).toBe(ino);
    expect(await readFile(at('backups', second, 'files/account/second'), 'utf8')).toBe('The second file.');
    await backUp();
    expect(await copies()).toEqual([second, expect.stringMatching(/^20/)]);
  },
);

/** Records its command line and its password. It writes the files that the scripts expect. */
const recorder = (
  recorded: string,
  output = "echo 'an entry of a list'; echo '2; 3079 16384 EXTENSION - citus '",
): string => `#!/bin/sh
  echo "$(basename "$0") $* with \${PGPASSWORD-none}" >> ${recorded}
  ${output}
  for arg; do case $arg in
    --pgdata=*) mkdir -p "\${arg#*=}"; echo > "\${arg#*=}/backup_label";;
    --file=*) echo > "\${arg#*=}";;
    --use-list=*) cp "\${arg#*=}" ${recorded}.list;;
  esac; done`;

test.skipIf(!canRun)(`no script has the password of the database in a command line${missing}`, async () => {
  await using folder = await newFolder();
  const at = (name: string): string => join(folder.path, name);
  await mkdir(at('programs'));
  for (const name of ['pg_dump', 'pg_restore', 'pg_basebackup', 'pg_verifybackup', 'pg_archivecleanup', 'rsync'])
    await writeFile(at(`programs/${name}`), recorder(at('recorded')), { mode: 0o755 });
  await writeFile(at('programs/psql'), recorder(at('recorded'), 'echo yes'), { mode: 0o755 });
  /** Runs a script with these programs, and returns what they recorded. */
  const run = async (name: string, DATABASE_URL: string, BACKUP_DIR = at('copies'), FILES_DIR = '') => {
    await rm(at('recorded'), { force: true });
    const env = { DATABASE_URL, BACKUP_DIR, FILES_DIR };
    await runScript(`PATH=${at('programs')}:$PATH sh ${scriptOf(name)}`, { env });
    return (await readFile(at('recorded'), 'utf8')).trim().split('\n');
  };
  const withPassword = 'postgres://waybill:s%3Ac%C3%A9%20%25@db:5432/w?sslmode=require';
  const inQuery = 'postgres://waybill@[::1]:5432/w?a=b&password=s%3Ac%C3%A9%20%25&sslmode=require';
  const lines: string[] = [];
  for (const [url, password] of [
    [inQuery, 's:cé %'],
    ['postgres://waybill@db:5432/w', 'none'],
    ['postgres:///postgres', 'none'],
    ['postgres://waybill:s%3Ac%C3%A9%20%25@/w?host=/run/pg&uselibpqcompat=true&sslmode=no-verify', 's:cé %'],
    [withPassword, 's:cé %'],
  ] as const)
    for (const [script, program] of Object.entries({ 'base-backup.sh': 'pg_basebackup', 'back-up.sh': 'pg_dump' })) {
      await rm(at('copies'), { recursive: true, force: true });
      const recorded = await run(script, url);
      const passwords = recorded
        .filter((line) => line.startsWith(`${program} `))
        .map((line) => line.split(' with ')[1]);
      expect([url, script, passwords]).toEqual([url, script, [password]]);
      lines.push(...recorded);
    }
  const restored = await run('restore.sh', withPassword, at('copies'), folder.path);
  // Only a superuser can create an extension, such as that of Citus.
  expect(await readFile(at('recorded.list'), 'utf8')).toBe('an entry of a list\n');
  expect(restored.find((line) => line.includes('--dbname'))).toMatch(
    /^pg_restore .*--dbname=postgres:\/\/waybill@db:5432\/w\?sslmode=require .* with s:cé %$/,
  );
  for (const line of [...lines, ...restored]) expect(line.split(' with ')[0]).not.toMatch(/s%3A|s:c/);
  expect(lines.join('\n')).toContain('postgres://waybill@[::1]:5432/w?a=b&sslmode=require');
  expect(lines.join('\n')).toContain('postgres://waybill@/w?host=/run/pg&sslmode=require');
});

test.for(['back-up.sh', 'base-backup.sh', 'restore.sh', 'recover.sh'])('%s --help prints its usage', async (name) => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PGDATA: '/none' };
  const usage = await runScript(`sh ${scriptOf(name)} --help`, { env });
  expect(usage).toContain(`Usage: ${name}`);
  await expect(runScript(`sh ${scriptOf(name)} --fast`, { env })).rejects.toThrow(`Usage: ${name}`);
});

(canRun ? testWithCluster : test.skip)(
  `the scripts refuse a pooler, and do not change its sessions${missing || why}`,
  async () => {
    await using folder = await newFolder();
    await using database = await ownMigratedDatabase();
    await using pgBouncer = await startPgBouncer(database.url, 1, 'server_idle_timeout = 600');
    const env = { DATABASE_URL: pgBouncer.through(database.url), BACKUP_DIR: folder.path, FILES_DIR: '' };
    for (const name of ['back-up.sh', 'base-backup.sh', 'restore.sh'])
      await expect(runScript(`sh ${scriptOf(name)}`, { env })).rejects.toThrow('names a connection pooler');
    expect(await readdir(folder.path)).toEqual([]);
    const client = new pg.Client(env.DATABASE_URL);
    await client.connect();
    const { rows } = await client.query('show search_path').finally(() => client.end());
    expect(rows).toEqual([{ search_path: '"$user", public' }]);
  },
);

/** A shipment, its tracking and proof, and the bytes of its files. URLs of files differ between services. */
async function contentOf(client: Client, { id, tracking_number }: { id: string; tracking_number: string }) {
  const path = { tracking_number };
  const { signature_url = '', photos, ...proof } = await client.getProofOfDelivery(path);
  const files = await Promise.all([signature_url, ...photos].map(async (url) => (await fetch(url)).bytes()));
  const shipment = await client.getShipment({ shipment_id: id });
  return { shipment, proof, files, tracking: await client.getTracking(path) };
}

/** The position after the last event, as a reader of the feed stores it. */
const feedPosition = async (client: Client): Promise<string> =>
  String((await client.listEvents({ limit: 100 })).next_after);

/** Ends the current WAL file, and waits until it is archived. */
async function archiveWal(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_switch_wal()) as name`.execute(db);
  await vi.waitFor(async () => {
    const archived = await sql`
      select from pg_stat_archiver where last_archived_wal >= ${rows[0]?.name}`.execute(db);
    expect(archived.rows).toHaveLength(1);
  }, waitTimeout);
}

const sequenceOf = (trackingNumber: string): number => Number(trackingNumber.split('-').at(-1));

import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@waybill/client';
import type { Database } from '@waybill/server/database/database';
import { migrate } from '@waybill/server/database/migrate';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { installed } from '../../fixtures/installed.ts';
import { startService } from '../../fixtures/service.ts';
import { shipmentIn, shipmentRequest } from '../../fixtures/shipments.ts';
import { newAccount } from '../../fixtures/test.ts';
import { waitTimeout } from '../../fixtures/wait-timeout.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { json } from '../cli/run.ts';
import { createCluster, newFolder, runScript, startCluster, systemPostgres } from './system-postgres.ts';

const samples = new URL('../../../deploy/backup/', import.meta.url);
const canRun = systemPostgres && installed('rsync');
const missing = canRun
  ? ''
  : ' (skipped: there is no /usr/lib/postgresql or no rsync on this machine; .ci/run installs both)';

test.skipIf(!canRun)(`the commands of the guide restore a dump, and an archive up to its end${missing}`, async () => {
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
  const names = [
    '2026-01-01T010000Z',
    '2026-01-01T020000Z',
    'base-2026-01-01T010000Z',
    'base-2026-01-01T020000Z',
    'wal',
  ];
  expect(await readdir(join(root, 'backups'))).toEqual(names);
  // Whoever can read a copy has all data of all accounts.
  for (const path of [...names.slice(0, 4), `${names[0]}/waybill.dump`, `${names[2]}/PG_VERSION`])
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
  await expect(client.listEvents({ after: positionAfter })).rejects.toMatchObject({
    code: 'events_expired',
  });
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
  for (const base of [undefined, join(root, 'backups/base-2026-01-01T010000Z')]) {
    const PGDATA = join(root, base ? 'recovered-older' : 'recovered');
    await runScript(`${sample('recover.sh')} ${base ?? ''}`, { asPostgres: true, env: { PGDATA } });
    const label = await readFile(join(PGDATA, 'backup_label'), 'utf8');
    const chosen = join(root, 'backups', base ? 'base-2026-01-01T010000Z' : 'base-2026-01-01T020000Z', 'backup_label');
    expect(label).toBe(await readFile(chosen, 'utf8'));
    await using recovered = await startCluster(PGDATA);
    await using another = await serve(recovered.urlOf('postgres'));
    const after = createClient({ baseUrl: another.baseUrl, apiKey: account.key });
    expect(await contentOf(after, delivered)).toEqual(before);
    expect(await after.getShipment({ shipment_id: later.id })).toEqual(later);
    expect((await after.listEvents({ after: positionAfter })).data).toEqual([]);
  }
});

test.skipIf(!canRun)(
  `a copy that fails changes no earlier one, and a complete one removes those of more than 14 days${missing}`,
  async () => {
    await using folder = await newFolder();
    const [backups, files, programs] = ['backups', 'files', 'programs'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    await createCluster(join(folder.path, 'data'), '');
    await using cluster = await startCluster(join(folder.path, 'data'));
    const script = `sh ${fileURLToPath(new URL('back-up.sh', samples))}`;
    const backUp = (env: Record<string, string> = {}) =>
      runScript(`PATH=${programs}:$PATH\n${script}`, {
        env: { DATABASE_URL: cluster.urlOf('postgres'), BACKUP_DIR: backups, FILES_DIR: files, ...env },
      });
    /** Gives the newest copy another name and age, as if it was made then. */
    const makeOlder = async (days: number): Promise<string> => {
      const time = new Date(Date.now() - days * 86_400_000);
      const name = time.toISOString().replace(/:(..):(..)\..*/, '$1$2Z');
      await rename(join(backups, (await readdir(backups)).at(-1) ?? ''), join(backups, name));
      await utimes(join(backups, name), time, time);
      return name;
    };
    /** Replaces a program. */
    const fake = (name: string, commands: string) =>
      writeFile(join(programs, name), `#!/bin/sh\n${commands}\n`, { mode: 0o755 });
    await mkdir(programs);
    await mkdir(join(files, 'account'), { recursive: true });
    await writeFile(join(files, 'account/first'), 'The first file.');
    await backUp();
    const first = await makeOlder(16);

    await expect(backUp({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).rejects.toThrow('refused');
    await fake(
      'pg_dump',
      'for arg; do case $arg in --file=*) echo damaged > "$(echo $arg | cut -d= -f2)";; esac; done',
    );
    await expect(backUp()).rejects.toThrow('pg_restore: error');
    await rm(join(programs, 'pg_dump'));
    await fake('rsync', 'echo no space left >&2; exit 11');
    await expect(backUp()).rejects.toThrow('no space left');
    await rm(join(programs, 'rsync'));
    expect(await readdir(backups)).toEqual([first]);

    const { ino } = await stat(join(backups, first, 'files/account/first'));
    await writeFile(join(files, 'account/second'), 'The second file.');
    await backUp();
    expect(await readdir(backups)).toEqual([expect.stringMatching(/^20/)]);
    const second = await makeOlder(13);
    expect((await stat(join(backups, second, 'files/account/first'))).ino).toBe(ino);
    expect(await readFile(join(backups, second, 'files/account/second'), 'utf8')).toBe('The second file.');
    await backUp();
    expect(await readdir(backups)).toEqual([second, expect.stringMatching(/^20/)]);
  },
);

test.skipIf(!canRun)(`no script has the password of the database in a command line${missing}`, async () => {
  await using folder = await newFolder();
  const programs = join(folder.path, 'programs');
  await mkdir(programs);
  const recorded = join(folder.path, 'recorded');
  for (const name of ['pg_dump', 'pg_restore', 'pg_basebackup', 'pg_verifybackup', 'pg_archivecleanup', 'rsync'])
    await writeFile(
      join(programs, name),
      `#!/bin/sh
      echo "$(basename "$0") $* with \${PGPASSWORD-none}" >> ${recorded}
      echo 'an entry of a list'
      echo '2; 3079 16384 EXTENSION - citus '
      for arg; do case $arg in --pgdata=*) mkdir -p "\${arg#*=}"; echo > "\${arg#*=}/backup_label";; --file=*) echo > "\${arg#*=}";; --use-list=*) cp "\${arg#*=}" ${recorded}.list;; esac; done`,
      { mode: 0o755 },
    );
  const run = (name: string, DATABASE_URL: string) =>
    runScript(`PATH=${programs}:$PATH sh ${fileURLToPath(new URL(name, samples))}`, {
      env: { DATABASE_URL, BACKUP_DIR: join(folder.path, name), FILES_DIR: '' },
    });
  const urls = [
    'postgres://waybill:s%3Ac%C3%A9%20%25@db:5432/w?sslmode=require',
    'postgres://waybill@[::1]:5432/w?a=b&password=s%3Ac%C3%A9%20%25&sslmode=require',
    'postgres://waybill@db:5432/w',
    'postgres:///postgres',
  ];
  for (const url of urls) {
    await run('back-up.sh', url);
    await rm(join(folder.path, 'back-up.sh'), { recursive: true });
    await run('base-backup.sh', url);
    await rm(join(folder.path, 'base-backup.sh'), { recursive: true });
  }
  await run('back-up.sh', urls[0] ?? '');
  const before = (await readFile(recorded, 'utf8')).split('\n').length - 1;
  await runScript(`PATH=${programs}:$PATH sh ${fileURLToPath(new URL('restore.sh', samples))}`, {
    env: { DATABASE_URL: urls[0] ?? '', BACKUP_DIR: join(folder.path, 'back-up.sh'), FILES_DIR: folder.path },
  });
  // Only a superuser can create an extension, such as that of Citus.
  expect(await readFile(`${recorded}.list`, 'utf8')).toBe('an entry of a list\n');
  const lines = (await readFile(recorded, 'utf8')).trim().split('\n');
  const passwords = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(' with ')[1]);
  for (const name of ['pg_dump', 'pg_basebackup'])
    expect(passwords(name).slice(0, 4)).toEqual(['s:cé %', 's:cé %', 'none', 'none']);
  const [restore] = lines.slice(before).filter((line) => line.includes('--dbname'));
  expect(restore).toMatch(/^pg_restore .*--dbname=postgres:\/\/waybill@db:5432\/w\?sslmode=require .* with s:cé %$/);
  for (const line of lines) expect(line.split(' with ')[0]).not.toMatch(/s%3A|s:c/);
  expect(lines.join('\n')).toContain('postgres://waybill@[::1]:5432/w?a=b&sslmode=require');
});

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
    const archived = await sql<{ name: string | null }>`select last_archived_wal as name from pg_stat_archiver`.execute(
      db,
    );
    expect((archived.rows[0]?.name ?? '') >= (rows[0]?.name ?? '-')).toBe(true);
  }, waitTimeout);
}

const sequenceOf = (trackingNumber: string): number => Number(trackingNumber.split('-').at(-1));

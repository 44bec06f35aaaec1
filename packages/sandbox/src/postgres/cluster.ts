import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, lchown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Programs } from './programs.ts';

const run = promisify(execFile);
const unfinished = 'unfinished.';

/**
 * Creates `cluster` in `folder` if it is missing, with the superuser and database `waybill`, and makes the user who runs
 * `programs` its owner. The caller holds the lock of the folder.
 * @param flags server settings as -c arguments
 * @returns the random password of `waybill`, stored in the folder
 */
export async function prepareCluster(
  folder: string,
  cluster: string,
  programs: Programs,
  flags: string[],
): Promise<string> {
  const passwordFile = join(folder, 'password');
  const found = await stat(cluster).catch(() => undefined);
  if (!found) {
    // Written first, so that every cluster has a password.
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await createCluster(folder, cluster, passwordFile, programs, flags);
  } else if (programs.owner && programs.owner.uid !== found.uid) await chownRecursive(cluster, programs.owner);
  return readFile(passwordFile, 'utf8');
}

/** Removes the cluster, and remains of an interrupted creation or removal in `folder`. */
export async function removeCluster(folder: string, cluster?: string): Promise<void> {
  // Renamed first: an interrupted removal must not leave an incomplete cluster under this name.
  if (cluster && existsSync(cluster)) await rename(cluster, await mkdtemp(join(folder, unfinished)));
  // The initdb of a killed process may still write to its folder.
  const options = { recursive: true, force: true, maxRetries: 20 };
  for (const name of await readdir(folder))
    if (name.startsWith(unfinished)) await rm(join(folder, name), options).catch(() => {});
}

async function createCluster(folder: string, cluster: string, password: string, programs: Programs, flags: string[]) {
  const draft = await mkdtemp(join(folder, unfinished));
  if (programs.owner) for (const path of [draft, password]) await chown(path, programs.owner.uid, programs.owner.gid);

  const login = ['--username=waybill', '--auth=scram-sha-256', `--pwfile=${password}`];
  const sync = flags.includes('fsync=off') ? ['--no-sync'] : [];
  const initdb = ['-D', draft, '--encoding=UTF8', '--locale=C', ...login, ...sync];
  await run(...programs.command('initdb', initdb), programs.options);

  // In single-user mode, so that no cluster exists without the database.
  const single = ['--single', '-D', draft, '-c', 'exit_on_error=on', ...flags, 'postgres'];
  const creation = run(...programs.command('postgres', single), programs.options);
  creation.child.stdin?.end('create database waybill\n');
  await creation;
  await rename(draft, cluster);
}

/** Changes the folder itself last: its owner shows that the change is complete. */
async function chownRecursive(path: string, owner: { uid: number; gid: number }) {
  for (const name of await readdir(path, { recursive: true })) await lchown(join(path, name), owner.uid, owner.gid);
  await chown(path, owner.uid, owner.gid);
}

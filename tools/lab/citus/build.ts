import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exitWithParent } from '@waybill/sandbox/processes/exit-with-parent';

const pgConfig = process.env.PG_CONFIG || 'pg_config';

/**
 * Builds Citus and installs it into the PostgreSQL of `pg_config`, unless that has the same version already.
 * @param source the source of a release of Citus; it is not changed
 * @returns the folder with the programs of that PostgreSQL
 * @throws with what is missing
 */
export async function installCitus(source: string, signal: AbortSignal): Promise<string> {
  const wanted = await versionIn(join(source, 'src/backend/distributed/citus.control'));
  if (!wanted) throw new Error(`${source} is not the source of Citus. Clone github.com/citusdata/citus at a release.`);
  const [bin, share] = await Promise.all([pathOf('bindir'), pathOf('sharedir')]);
  if ((await versionIn(join(share, 'extension/citus.control'))) === wanted) return bin;
  console.log(`Building Citus ${wanted} takes some minutes.`);
  const build = await mkdtemp(join(tmpdir(), 'waybill-citus-build-'));
  try {
    await cp(source, build, { recursive: true });
    await run(build, signal, './configure', '--without-libcurl', `PG_CONFIG=${pgConfig}`);
    await run(build, signal, 'make', '-s', 'with_llvm=no', `-j${availableParallelism()}`);
    await run(build, signal, 'make', '-s', 'with_llvm=no', 'install');
  } finally {
    await rm(build, { recursive: true, force: true });
  }
  return bin;
}

/** The version in the control file of an extension; undefined without the file. */
async function versionIn(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^default_version = '(.*)'/m.exec(text)?.[1];
}

async function pathOf(kind: 'bindir' | 'sharedir'): Promise<string> {
  try {
    return (await promisify(execFile)(pgConfig, [`--${kind}`])).stdout.trim();
  } catch (cause) {
    const message = `${pgConfig} does not run. Install a PostgreSQL that Citus supports, with its header files, or set PG_CONFIG.`;
    throw new Error(message, { cause });
  }
}

async function run(cwd: string, signal: AbortSignal, file: string, ...args: string[]): Promise<void> {
  const child = spawn(file, args, { cwd, signal, stdio: ['ignore', 'ignore', 'inherit'] });
  exitWithParent(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`Citus cannot be built: \`${[file, ...args].join(' ')}\` failed.`);
}

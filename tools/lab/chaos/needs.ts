import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { hasRedis } from '../cluster/redis-server.ts';
import { mountDisk } from './disk.ts';

/** What a fault needs besides a server and PostgreSQL. `network` is a proxy in front of PostgreSQL. */
export type Need =
  | 'cluster'
  | 'single server'
  | 'network'
  | 'redis'
  | 'storage disk'
  | 'database disk'
  | 'log disk'
  | 'clock';

/** The library that shifts the clock of a process; undefined when it is not installed. */
export const faketime: string | undefined = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0];

/** @returns why a run on this machine cannot meet the need; undefined when it can */
export async function missing(need: Need, isCluster: boolean): Promise<string | undefined> {
  if (need === 'cluster') return isCluster ? undefined : 'only with --cluster';
  if (need === 'single server') return isCluster ? 'not with --cluster' : undefined;
  if (need === 'network') return undefined;
  if (need === 'redis') return hasRedis ? undefined : 'redis-server is not installed';
  if (need === 'clock') return faketime ? undefined : 'libfaketime is not installed';
  if (process.getuid?.() !== 0) return 'mounting a file system needs root';
  try {
    await promisify(execFile)('fsfreeze', ['--version']);
    await using _ = await mountDisk(4);
    return undefined;
  } catch (error) {
    return `no file system can be mounted (${error instanceof Error ? error.message.trim() : error})`;
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, startEnvironment } from '../chaos/environment.ts';
import { hasRedis, type RedisServer, redisServer } from '../redis/redis-server.ts';
import { type Disk, mountDisk } from './disk.ts';
import { faketime, type Need } from './needs.ts';

/** A running service with all that a fault can break. */
export interface Setting {
  environment: Environment;
  redis?: RedisServer;
  storageDisk?: Disk;
  databaseDisk?: Disk;
  /** Shifts the clock of the server's process. @param seconds relative to the real time */
  setClock(seconds: number): Promise<void>;
}

/** Sizes of the disks in MiB. PostgreSQL needs most of its own for an empty database. */
const [storageSize, databaseSize] = [32, 128] as const;
/** The default of 100 takes long to use up. */
const maxConnections = '30';
/** Without a journal of 1 GB, the disk of PostgreSQL is filled soon. */
const smallDisk = { max_wal_size: '32MB', min_wal_size: '32MB' };

/** Starts PostgreSQL, a proxy in front of it, Redis if it is installed, and the server, which uses them. */
export async function startSetting(needs: Need[], signal: AbortSignal): Promise<Setting & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const mount = async (need: Need, size: number) =>
    needs.includes(need) ? stack.use(await mountDisk(size)) : undefined;
  const storageDisk = await mount('storage disk', storageSize);
  const databaseDisk = await mount('database disk', databaseSize);
  const redis = hasRedis ? stack.use(await redisServer()) : undefined;
  await redis?.start();

  const folder = await mkdtemp(join(tmpdir(), 'waybill-clock-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const clock = join(folder, 'offset');
  const setClock = (seconds: number): Promise<void> => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}`);
  await setClock(0);
  const clockVariables = {
    LD_PRELOAD: faketime,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1', // seconds until a change is seen
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const env = {
    CHECK_RESPONSES: 'true',
    LOG_LEVEL: 'silent',
    ...(redis && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
    ...(storageDisk && { STORAGE_URL: pathToFileURL(storageDisk.folder).href }),
    ...(needs.includes('clock') && clockVariables),
  };
  const environment = stack.use(
    await startEnvironment(env, signal, {
      withProxy: true,
      isSupervised: databaseDisk !== undefined,
      postgresSettings: { max_connections: maxConnections, ...(databaseDisk && smallDisk) },
      ...(databaseDisk && { postgresFolder: databaseDisk.folder }),
    }),
  );
  const resources = stack.move();
  return {
    environment,
    setClock,
    ...(redis && { redis }),
    ...(storageDisk && { storageDisk }),
    ...(databaseDisk && { databaseDisk }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

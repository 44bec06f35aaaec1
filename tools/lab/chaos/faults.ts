import { setTimeout } from 'node:timers/promises';
import type { RedisServer } from '../cluster/redis-server.ts';
import type { RestartablePostgres } from '../cluster/restartable-postgres.ts';
import type { Fault as NetworkFault, NetworkProxy } from '../network/proxy.ts';
import type { Environment } from './environment.ts';
import type { Need } from './needs.ts';
import { exhaustConnections } from './postgres-connections.ts';
import type { Part } from './recorder.ts';

/** A failure that is caused on purpose. */
export interface Fault {
  /** What is done. */
  text: string;
  /**
   * The parts that fail: requests that need one of them may get 503 or a closed connection. With `server`, every connection
   * may be closed. Without any, all requests succeed.
   */
  affects: (Part | 'server')[];
  /** The range of milliseconds for which it lasts. */
  duration: readonly [number, number];
  needs: Need[];
  /** Causes the failure, and returns what ends its cause. */
  begin(environment: Environment): Promise<() => unknown>;
}

/** Longer than keys are cached and queries wait. */
export const usual = [6000, 8000] as const;
/** A process that is killed is started again at once. */
export const atOnce = [0, 500] as const;
/** Begins to break a part of the environment, and returns what ends that. */
type Break<Broken> = (part: Broken) => Promise<() => unknown>;

/** Makes the function that describes faults of one part of the environment. */
const faultsOf =
  <Broken>(needs: Need[], of: (environment: Environment) => Broken | undefined) =>
  (text: string, affects: Fault['affects'], begin: Break<Broken>, duration: Fault['duration'] = usual): Fault => ({
    text,
    affects,
    duration,
    needs,
    async begin(environment) {
      const part = of(environment);
      if (part === undefined) throw new Error(`This cannot be caused here: ${text}.`);
      return begin(part);
    },
  });
const cluster = faultsOf(['cluster'], (it) => it.servers);
const server = faultsOf([], (it) => it.servers[0]);
const onlyServer = faultsOf(['single server'], (it) => it.servers[0]);
const clock = faultsOf(['clock', 'single server'], (it) => it.setClock);
const anyPostgres = faultsOf([], (it) => it.postgres);
const postgres = faultsOf(['single server'], (it) => it.postgres);
const connections = faultsOf(['single server'], (it) => it.databaseUrl);
const pgBouncer = faultsOf(['cluster'], (it) => it.pgBouncer);
const anyRedis = faultsOf(['redis'], (it) => it.redis);
const redis = faultsOf(['redis', 'single server'], (it) => it.redis);
const storage = faultsOf(['storage disk', 'single server'], (it) => it.storageDisk);
const database = faultsOf(['database disk', 'single server'], (it) => it.databaseDisk);
const log = faultsOf(['log disk', 'single server'], (it) => it.logDisk);
const network = faultsOf(['network', 'single server'], (it) => it.proxy);

interface Restartable {
  kill(): Promise<unknown>;
  start(): Promise<unknown>;
}
const kill: Break<Restartable> = (part) => part.kill().then(() => part.start);
const start = (part: Restartable | undefined): Promise<unknown> | undefined => part?.start();
const everything = faultsOf([], ({ servers, postgres, pgBouncer, redis }): Restartable => {
  const behind = [postgres, pgBouncer, redis];
  return {
    kill: () => Promise.all([...servers, ...behind].map((part) => part?.kill())),
    start: () => Promise.all(behind.map(start)).then(() => Promise.all(servers.map(start))),
  };
});
const restart: Break<Environment['servers']> = async (servers) => {
  for (const each of servers) await each.stop().then(each.start);
  return () => {};
};
const endReaders: Break<Environment['servers']> = async (servers) => {
  for (const each of servers) each.endReader();
  return () => {};
};
const end =
  (signal: NodeJS.Signals): Break<RestartablePostgres> =>
  (part) =>
    part.end(signal).then(() => part.start);
const suspend: Break<Pick<RestartablePostgres | RedisServer, 'signal'>> = async (part) => {
  await part.signal('SIGSTOP');
  return () => part.signal('SIGCONT');
};
const set =
  (fault: NetworkFault): Break<NetworkProxy> =>
  async (proxy) => {
    await proxy.set(fault);
    return () => proxy.set({ kind: 'none' });
  };
/** Seconds of a clock step: less than the 5 minutes by which the API lets the clock of a client differ. */
const clockStep = 240;
const stepClock: Break<Environment['setClock']> = async (setClock) => {
  await setClock(clockStep);
  await setTimeout(4000);
  await setClock(-clockStep);
  return () => setClock(0);
};

/** All faults, by name, in the order in which they are caused. A process that is killed (SIGKILL) is started again. */
export const faults: Record<string, Fault> = {
  'rolling-restart': cluster('the servers restart one after the other', [], restart, [0, 0]),
  'server-killed': server('a server is killed', ['server'], kill, atOnce),
  'postgres-killed': anyPostgres('all processes of PostgreSQL are killed', ['database'], kill, atOnce),
  'pgbouncer-killed': pgBouncer('PgBouncer is killed', ['database'], kill, atOnce),
  'redis-killed': anyRedis('Redis is killed', [], kill),
  'all-killed': everything('everything is killed', ['server', 'database'], kill, atOnce),
  'postmaster-killed': postgres('the postmaster is killed', ['database'], end('SIGKILL')),
  'postgres-restarted': postgres('PostgreSQL is shut down (SIGINT) and started again', ['database'], end('SIGINT')),
  'postgres-frozen': postgres('PostgreSQL is suspended (SIGSTOP)', ['database'], suspend),
  'postgres-connections': connections('others take all connections of PostgreSQL', ['database'], exhaustConnections),
  'network-black-hole': network('the network drops all data', ['database'], set({ kind: 'black hole' })),
  'network-cut': network('connections to PostgreSQL are reset', ['database'], set({ kind: 'cut' })),
  'network-refused': network('connections to PostgreSQL are refused', ['database'], set({ kind: 'refuse' })),
  // A transaction still takes less than a second.
  'network-slow': network('the network takes 50 ms in each direction', [], set({ kind: 'delay', ms: 50 })),
  'redis-frozen': redis('Redis is suspended (SIGSTOP)', [], suspend),
  'storage-full': storage('no space is left for files', ['storage'], (disk) => disk.fill()),
  'storage-slow': storage('files wait for 400 ms of every 500 ms', [], (disk) => disk.slowDown()),
  'storage-frozen': storage('writes of files never end', ['storage'], (disk) => disk.freeze()),
  'storage-unwritable': storage('the folder of files is read-only', ['storage'], (disk) => disk.makeReadOnly()),
  'log-disk-full': log('no space is left for the log', [], (disk) => disk.fill()),
  'log-reader-gone': cluster('the readers of the logs end', [], endReaders),
  sigterm: onlyServer('the server drains, ends and is started again', ['server'], (it) =>
    it.stop().then(() => it.start),
  ),
  'clock-step': clock('the clock of the server is 4 minutes ahead, then behind', [], stepClock),
  'database-disk-full': database('no space is left for PostgreSQL', ['database'], (disk) => disk.fill()),
};

import { setTimeout } from 'node:timers/promises';
import type { Random } from '@waybill/sandbox/simulate/random';
import type { Fault as NetworkFault } from '../network/proxy.ts';
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
  /** The range of milliseconds for which it lasts: longer than keys are cached and queries wait, by default. */
  duration?: readonly [number, number];
  needs?: Need[];
  /** Causes the failure, and returns what ends its cause. */
  begin(environment: Environment, random: Random): Promise<() => unknown>;
}

const usual = [6000, 8000] as const;
/** A process that is killed is started again at once. */
const atOnce = [0, 500] as const;
/** Milliseconds that data takes through a slow network, in each direction: a transaction still takes less than a second. */
const networkDelay = 50;
/** Seconds of a clock step: less than the 5 minutes by which the API lets the clock of a client differ. */
const clockStep = 240;

export const durationOf = ({ duration = usual }: Fault): readonly [number, number] => duration;

const network = (text: string, affects: Fault['affects'], fault: NetworkFault): Fault => ({
  text,
  affects,
  needs: ['network', 'single server'],
  begin: async ({ proxy }) => {
    await proxy?.set(fault);
    return () => proxy?.set({ kind: 'none' });
  },
});

/** All faults, by name, in the order in which they are caused. */
export const faults: Record<string, Fault> = {
  'rolling-restart': {
    text: 'the servers get SIGTERM and are started again, one after the other',
    affects: [],
    duration: [0, 0],
    needs: ['cluster'],
    begin: async ({ servers }) => {
      for (const server of servers) {
        await server.stop();
        await server.start();
      }
      return () => {};
    },
  },
  'server-killed': {
    text: 'a server is killed (SIGKILL) and started again',
    affects: ['server'],
    duration: atOnce,
    begin: async ({ servers: [first, ...others] }, random) => {
      const server = first && random.pick([first, ...others]);
      await server?.kill();
      return () => server?.start();
    },
  },
  'postgres-killed': {
    text: 'all processes of PostgreSQL are killed (SIGKILL), and it is started again',
    affects: ['database'],
    duration: atOnce,
    begin: async ({ postgres }) => {
      await postgres?.kill();
      return () => postgres?.start();
    },
  },
  'pgbouncer-killed': {
    text: 'PgBouncer is killed (SIGKILL) and started again',
    affects: ['database'],
    duration: atOnce,
    needs: ['cluster'],
    begin: async ({ pgBouncer }) => {
      await pgBouncer?.kill();
      return () => pgBouncer?.start();
    },
  },
  'redis-killed': {
    text: 'Redis is killed (SIGKILL) and started again',
    affects: [],
    needs: ['redis'],
    begin: async ({ redis }) => {
      await redis?.kill();
      return () => redis?.start();
    },
  },
  'all-killed': {
    text: 'everything is killed (SIGKILL) and started again',
    affects: ['server', 'database'],
    duration: atOnce,
    begin: async ({ servers, postgres, pgBouncer, redis }) => {
      const behind = [postgres, pgBouncer, redis];
      await Promise.all([...servers, ...behind].map((part) => part?.kill()));
      return async () => {
        await Promise.all(behind.map((part) => part?.start()));
        await Promise.all(servers.map((server) => server.start()));
      };
    },
  },
  'postmaster-killed': {
    text: 'the postmaster is killed (SIGKILL), and PostgreSQL is started again later',
    affects: ['database'],
    needs: ['single server'],
    begin: async ({ postgres }) => {
      await postgres?.end('SIGKILL');
      return () => postgres?.start();
    },
  },
  'postgres-restarted': {
    text: 'PostgreSQL is shut down (SIGINT) and started again later',
    affects: ['database'],
    needs: ['single server'],
    begin: async ({ postgres }) => {
      await postgres?.end('SIGINT');
      return () => postgres?.start();
    },
  },
  'postgres-frozen': {
    text: 'all processes of PostgreSQL are suspended (SIGSTOP)',
    affects: ['database'],
    needs: ['single server'],
    begin: async ({ postgres }) => {
      await postgres?.signal('SIGSTOP');
      return () => postgres?.signal('SIGCONT');
    },
  },
  'postgres-connections': {
    text: "other clients take all connections of PostgreSQL, also the service's own",
    affects: ['database'],
    needs: ['single server'],
    begin: ({ databaseUrl }) => exhaustConnections(databaseUrl),
  },
  'network-black-hole': network('the network to PostgreSQL drops all data', ['database'], { kind: 'black hole' }),
  'network-cut': network('connections to PostgreSQL are reset', ['database'], { kind: 'cut' }),
  'network-refused': network('connections to PostgreSQL are refused', ['database'], { kind: 'refuse' }),
  'network-slow': network(`the network to PostgreSQL takes ${networkDelay} ms in each direction`, [], {
    kind: 'delay',
    ms: networkDelay,
  }),
  'redis-frozen': {
    text: 'Redis is suspended (SIGSTOP)',
    affects: [],
    needs: ['redis', 'single server'],
    begin: async ({ redis }) => {
      redis?.signal('SIGSTOP');
      return () => redis?.signal('SIGCONT');
    },
  },
  'storage-full': {
    text: 'no space is left for files',
    affects: ['storage'],
    needs: ['storage disk', 'single server'],
    begin: async ({ storageDisk }) => {
      await storageDisk?.fill();
      return () => storageDisk?.empty();
    },
  },
  'storage-slow': {
    text: 'the storage of files stalls for 400 ms of every 500 ms',
    affects: [],
    needs: ['storage disk', 'single server'],
    begin: async ({ storageDisk }) => {
      storageDisk?.slowDown();
      return () => storageDisk?.stop();
    },
  },
  'storage-frozen': {
    text: 'writes to the storage of files never end',
    affects: ['storage'],
    needs: ['storage disk', 'single server'],
    begin: async ({ storageDisk }) => {
      await storageDisk?.freeze();
      return () => storageDisk?.thaw();
    },
  },
  'storage-unwritable': {
    text: 'the storage of files is mounted read-only',
    affects: ['storage'],
    needs: ['storage disk', 'single server'],
    begin: async ({ storageDisk }) => {
      await storageDisk?.setWritable(false);
      return () => storageDisk?.setWritable(true);
    },
  },
  sigterm: {
    text: 'the server gets SIGTERM, drains, ends, and is started again',
    affects: ['server'],
    needs: ['single server'],
    begin: async ({ servers }) => {
      await Promise.all(servers.map((server) => server.stop()));
      return () => Promise.all(servers.map((server) => server.start()));
    },
  },
  'clock-step': {
    text: `the clock of the server is ${clockStep} s ahead, then ${clockStep} s behind`,
    affects: [],
    needs: ['clock', 'single server'],
    begin: async ({ setClock }) => {
      await setClock(clockStep);
      await setTimeout(4000);
      await setClock(-clockStep);
      return () => setClock(0);
    },
  },
  'database-disk-full': {
    text: 'no space is left for PostgreSQL, which is started again when it ends',
    affects: ['database'],
    needs: ['database disk', 'single server'],
    begin: async ({ databaseDisk }) => {
      await databaseDisk?.fill();
      return () => databaseDisk?.empty();
    },
  },
};

import { setTimeout } from 'node:timers/promises';
import type { Fault as NetworkFault } from '../network/proxy.ts';
import type { Need } from './needs.ts';
import { exhaustConnections } from './postgres-connections.ts';
import type { Part } from './recorder.ts';
import type { Setting } from './setting.ts';

/** A failure that is caused on purpose. */
export interface Fault {
  /** What is done. */
  text: string;
  /**
   * The part that fails: requests that need it may get 503 or a closed connection. With `server`, every connection may be
   * closed. With `nothing`, all requests succeed.
   */
  affects: Part | 'server' | 'nothing';
  needs?: Need[];
  /** Causes the failure, and returns what ends its cause. */
  begin(setting: Setting): Promise<() => unknown>;
}

/** Milliseconds that data takes through a slow network, in each direction: a transaction still takes less than a second. */
const networkDelay = 50;
/** Seconds of a clock step: less than the 5 minutes by which the API lets the clock of a client differ. */
const clockStep = 240;

const network = (text: string, affects: Fault['affects'], fault: NetworkFault): Fault => ({
  text,
  affects,
  begin: async ({ environment: { proxy } }) => {
    await proxy?.set(fault);
    return () => proxy?.set({ kind: 'none' });
  },
});

/** All faults, by name, in the order in which they are caused. */
export const faults: Record<string, Fault> = {
  'postgres-killed': {
    text: 'the postmaster is killed (SIGKILL), and PostgreSQL is started again',
    affects: 'database',
    begin: async ({ environment }) => {
      await environment.endPostgres('SIGKILL');
      return () => environment.restart(['PostgreSQL']);
    },
  },
  'postgres-restarted': {
    text: 'PostgreSQL is shut down (SIGINT) and started again',
    affects: 'database',
    begin: async ({ environment }) => {
      await environment.endPostgres('SIGINT');
      return () => environment.restart(['PostgreSQL']);
    },
  },
  'postgres-frozen': {
    text: 'all processes of PostgreSQL are suspended (SIGSTOP)',
    affects: 'database',
    begin: async ({ environment }) => {
      await environment.signalPostgres('SIGSTOP');
      return () => environment.signalPostgres('SIGCONT');
    },
  },
  'postgres-connections': {
    text: "other clients take all connections of PostgreSQL, also the service's own",
    affects: 'database',
    begin: ({ environment }) => exhaustConnections(environment.databaseUrl),
  },
  'network-black-hole': network('the network to PostgreSQL drops all data', 'database', { kind: 'black hole' }),
  'network-cut': network('connections to PostgreSQL are reset', 'database', { kind: 'cut' }),
  'network-refused': network('connections to PostgreSQL are refused', 'database', { kind: 'refuse' }),
  'network-slow': network(`the network to PostgreSQL takes ${networkDelay} ms in each direction`, 'nothing', {
    kind: 'delay',
    ms: networkDelay,
  }),
  'redis-killed': {
    text: 'Redis is killed (SIGKILL), and started again',
    affects: 'nothing',
    needs: ['redis'],
    begin: async ({ redis }) => {
      await redis?.kill();
      return () => redis?.start();
    },
  },
  'redis-frozen': {
    text: 'Redis is suspended (SIGSTOP)',
    affects: 'nothing',
    needs: ['redis'],
    begin: async ({ redis }) => {
      redis?.signal('SIGSTOP');
      return () => redis?.signal('SIGCONT');
    },
  },
  'storage-full': {
    text: 'no space is left for files',
    affects: 'storage',
    needs: ['storage disk'],
    begin: async ({ storageDisk }) => {
      await storageDisk?.fill();
      return () => storageDisk?.empty();
    },
  },
  'storage-slow': {
    text: 'the storage of files stalls for 400 ms of every 500 ms',
    affects: 'nothing',
    needs: ['storage disk'],
    begin: async ({ storageDisk }) => {
      storageDisk?.slowDown();
      return () => storageDisk?.stop();
    },
  },
  'storage-frozen': {
    text: 'writes to the storage of files never end',
    affects: 'storage',
    needs: ['storage disk'],
    begin: async ({ storageDisk }) => {
      await storageDisk?.freeze();
      return () => storageDisk?.thaw();
    },
  },
  'storage-unwritable': {
    text: 'the storage of files is mounted read-only',
    affects: 'storage',
    needs: ['storage disk'],
    begin: async ({ storageDisk }) => {
      await storageDisk?.setWritable(false);
      return () => storageDisk?.setWritable(true);
    },
  },
  sigterm: {
    text: 'the server gets SIGTERM, drains, ends, and is started again',
    affects: 'server',
    begin: async ({ environment }) => {
      await environment.stopServer();
      return () => environment.restart(['server']);
    },
  },
  'clock-step': {
    text: `the clock of the server is ${clockStep} s ahead, then ${clockStep} s behind`,
    affects: 'nothing',
    needs: ['clock'],
    begin: async ({ setClock }) => {
      await setClock(clockStep);
      await setTimeout(4000);
      await setClock(-clockStep);
      return () => setClock(0);
    },
  },
  'database-disk-full': {
    text: 'no space is left for PostgreSQL, which is started again when it ends',
    affects: 'database',
    needs: ['database disk'],
    begin: async ({ databaseDisk }) => {
      await databaseDisk?.fill();
      return () => databaseDisk?.empty();
    },
  },
};

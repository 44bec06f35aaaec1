import type { Outage } from '../chaos/outages.ts';
import type { ClusterEnvironment } from './environment.ts';

/** A rolling restart, and `kill -9` and a restart of each part of a cluster. */
export function clusterOutages(environment: ClusterEnvironment): Outage[] {
  const { instances, pgBouncer, redis, killPostgres, restartPostgres } = environment;
  const duration = [0, 500] as const;
  const instance = (name: string, index: number): Outage => ({
    name,
    duration,
    begin: async () => instances.kill(index),
    end: () => instances.restart(index),
  });
  return [
    {
      name: 'rolling restart',
      duration: [0, 0],
      isSeamless: true,
      async begin() {
        for (const index of [0, 1]) {
          await instances.stop(index);
          await instances.restart(index);
        }
      },
      end: async () => {},
    },
    instance('first instance', 0),
    { name: 'PostgreSQL', duration, begin: killPostgres, end: restartPostgres },
    instance('second instance', 1),
    { name: 'PgBouncer', duration, begin: pgBouncer.kill, end: pgBouncer.restart },
    { name: 'Redis', duration, begin: redis.kill, end: redis.start },
    {
      name: 'everything',
      duration,
      begin: async () => {
        await Promise.all([instances.kill(0), instances.kill(1), killPostgres(), pgBouncer.kill(), redis.kill()]);
      },
      end: async () => {
        await Promise.all([restartPostgres(), pgBouncer.restart(), redis.start()]);
        await Promise.all([instances.restart(0), instances.restart(1)]);
      },
    },
  ];
}

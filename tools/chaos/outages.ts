import type { Fault, NetworkProxy } from '../network/proxy.ts';
import type { Random } from '../simulate/random.ts';
import type { Environment, Part } from './environment.ts';

/** A temporary failure that a round causes. */
export interface Outage {
  name: string;
  /** The range of its length in milliseconds. */
  duration: readonly [number, number];
  begin(): Promise<void>;
  end(): Promise<void>;
}

const parts: Part[][] = [['server'], ['PostgreSQL'], ['server', 'PostgreSQL']];

/** `kill -9` and a restart. */
export const kills = (environment: Environment): Outage[] =>
  parts.map((killed) => ({
    name: killed.join(' + '),
    duration: [0, 500],
    begin: () => environment.kill(killed),
    end: () => environment.restart(killed),
  }));

/** Failures of the network to PostgreSQL, and a suspended PostgreSQL. */
export function faults(environment: Environment, proxy: NetworkProxy, random: Random): Outage[] {
  const network = (make: () => Fault): Outage => ({
    name: make().kind,
    duration: [300, 8000],
    begin: () => proxy.set(make()),
    end: () => proxy.set({ kind: 'none' }),
  });
  return [
    network(() => ({ kind: 'black hole' })),
    network(() => ({ kind: 'cut' })),
    network(() => ({ kind: 'delay', ms: random.between(5, 500) })),
    network(() => ({ kind: 'refuse' })),
    {
      name: 'suspended',
      duration: [300, 8000],
      begin: () => environment.suspendPostgres(),
      end: () => environment.resumePostgres(),
    },
  ];
}

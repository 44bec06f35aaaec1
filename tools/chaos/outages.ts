import type { Fault } from '../network/proxy.ts';
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

/** `kill -9` and a restart. */
export function kills(environment: Environment): Outage[] {
  const parts: Part[][] = [['server'], ['PostgreSQL'], ['server', 'PostgreSQL']];
  return parts.map((killed) => ({
    name: killed.join(' + '),
    duration: [0, 500],
    begin: () => environment.kill(killed),
    end: () => environment.restart(killed),
  }));
}

/** Failures of the network to PostgreSQL, and a suspended PostgreSQL. */
export function faults({ proxy, signalPostgres }: Environment, random: Random): Outage[] {
  const network = (kind: Fault['kind'], make: () => Fault): Outage => ({
    name: kind,
    duration: [300, 8000],
    begin: async () => proxy?.set(make()),
    end: async () => proxy?.set({ kind: 'none' }),
  });
  return [
    network('black hole', () => ({ kind: 'black hole' })),
    network('cut', () => ({ kind: 'cut' })),
    network('delay', () => ({ kind: 'delay', ms: random.between(5, 500) })),
    network('refuse', () => ({ kind: 'refuse' })),
    {
      name: 'suspended',
      duration: [300, 8000],
      begin: () => signalPostgres('SIGSTOP'),
      end: () => signalPostgres('SIGCONT'),
    },
  ];
}

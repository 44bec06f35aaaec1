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
  const network = (['black hole', 'cut', 'delay', 'refuse'] as const).map((kind) => ({
    name: kind,
    duration: [300, 8000] as const,
    begin: async () => proxy?.set(kind === 'delay' ? { kind, ms: random.between(5, 500) } : { kind }),
    end: async () => proxy?.set({ kind: 'none' }),
  }));
  return [
    ...network,
    {
      name: 'suspended',
      duration: [300, 8000],
      begin: () => signalPostgres('SIGSTOP'),
      end: () => signalPostgres('SIGCONT'),
    },
  ];
}

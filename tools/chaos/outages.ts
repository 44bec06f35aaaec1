import type { Fault, NetworkProxy } from '../network/proxy.ts';
import type { Random } from '../simulate/random.ts';
import type { Environment, Part } from './environment.ts';

/** Something that goes wrong for a while. */
export interface Outage {
  name: string;
  /** How long it lasts, in milliseconds. */
  duration: readonly [number, number];
  begin(): Promise<void>;
  end(): Promise<void>;
}

const parts: Part[][] = [['server'], ['PostgreSQL'], ['server', 'PostgreSQL']];

/** `kill -9`, and a start. */
export const kills = (environment: Environment): Outage[] =>
  parts.map((killed) => ({
    name: killed.join(' + '),
    duration: [0, 500],
    begin: () => environment.kill(killed),
    end: () => environment.revive(killed),
  }));

/** What the network to PostgreSQL, or PostgreSQL itself, does to the server. */
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
    { name: 'frozen', duration: [300, 8000], begin: () => environment.freeze(), end: () => environment.thaw() },
  ];
}

import type { Environment, Part } from './environment.ts';

/** A temporary failure that a round causes. */
export interface Outage {
  name: string;
  /** The range of its length in milliseconds. */
  duration: readonly [number, number];
  /** No request fails because of it. */
  isSeamless?: boolean;
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

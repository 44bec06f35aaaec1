import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * What happens to connections:
 * - none: everything passes.
 * - delay: every chunk arrives `ms` later, in both directions.
 * - cut: connections are reset; a new one is accepted, and reset by its first byte.
 * - refuse: connections are reset, and new ones are refused.
 * - black hole: connections stay up, new ones are accepted, and nothing arrives. What was lost stays lost: a connection
 *   that was used meanwhile, or made, is silent for good.
 */
export type Fault =
  | { kind: 'none' }
  | { kind: 'delay'; ms: number }
  | { kind: 'cut' }
  | { kind: 'refuse' }
  | { kind: 'black hole' };

/** One client's connection and the proxy's own to the server. */
export interface Link {
  /** Resolves when both ends are closed. */
  closed: Promise<void>;
  /** The fault is another one now. */
  changed(): void;
  /** Whether something was lost. */
  isSilent(): boolean;
  /** Resets both ends. */
  destroy(): void;
}

/** Joins a client's socket with a connection to the server. @param fault says what is wrong now */
export function link(client: Socket, target: number, fault: () => Fault): Link {
  const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let isSilent = fault().kind === 'black hole';
  const destroy = (): void => {
    client.resetAndDestroy();
    server.resetAndDestroy();
  };
  /** Whether something may cross now. A silent link loses it. */
  const passes = (): boolean => {
    if (fault().kind === 'cut') destroy();
    isSilent ||= fault().kind === 'black hole';
    return !isSilent;
  };
  const isOver = (end: Socket): boolean => end.readableEnded || end.destroyed;
  const changed = (): void => {
    const { kind } = fault();
    // What is silent for good still sees that the other end is gone, but not while the black hole lasts.
    if (kind === 'cut' || (isSilent && kind !== 'black hole' && [client, server].some(isOver))) destroy();
  };
  const forward = (from: Socket, to: Socket): void => {
    let previous: Promise<unknown> = Promise.resolve();
    const later = (send: () => void): void => {
      const now = fault();
      const wait = now.kind === 'delay' ? setTimeout(now.ms) : undefined;
      previous = Promise.all([previous, wait]).then(() => to.writable && passes() && send());
    };
    from.on('data', (chunk: Buffer) => {
      if (!passes()) return;
      later(() => {
        if (to.write(chunk)) return;
        from.pause();
        to.once('drain', () => from.resume());
      });
    });
    from.on('end', () => (passes() ? later(() => to.end()) : changed()));
    from.on('error', () => (passes() ? to.resetAndDestroy() : changed()));
  };
  forward(client, server);
  forward(server, client);
  const closed = Promise.all([client, server].map((end) => new Promise((resolve) => end.once('close', resolve))));
  return { closed: closed.then(() => {}), changed, isSilent: () => isSilent, destroy };
}

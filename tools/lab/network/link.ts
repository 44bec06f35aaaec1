import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * An injected network fault:
 * - none: all data is forwarded.
 * - delay: every chunk arrives `ms` later, in both directions.
 * - cut: connections are reset; new ones are accepted and reset at their first byte.
 * - refuse: connections are reset, and new ones are refused.
 * - black hole: connections stay open, new ones are accepted, and all data is dropped. A connection that is opened or
 *   loses data during the black hole stays silent afterwards.
 */
export type Fault =
  | { kind: 'none' }
  | { kind: 'delay'; ms: number }
  | { kind: 'cut' }
  | { kind: 'refuse' }
  | { kind: 'black hole' };

/** Connects a client's socket to the server. @param fault returns the current fault */
export function link(client: Socket, target: number, fault: () => Fault) {
  const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let isSilent = fault().kind === 'black hole';
  /** Resets both ends. */
  const destroy = (): void => {
    client.resetAndDestroy();
    server.resetAndDestroy();
  };
  /** Whether data may pass now; otherwise it is dropped. */
  const mayPass = (): boolean => {
    if (fault().kind === 'cut') destroy();
    isSilent ||= fault().kind === 'black hole';
    return !isSilent;
  };
  const hasEnded = (end: Socket): boolean => end.readableEnded || end.destroyed;
  /** Call when the fault has changed. */
  const faultChanged = (): void => {
    const { kind } = fault();
    // A silent connection is closed together with its other end, but only after the black hole.
    if (kind === 'cut' || (isSilent && kind !== 'black hole' && [client, server].some(hasEnded))) destroy();
  };
  const forward = (from: Socket, to: Socket): void => {
    let previous: Promise<unknown> = Promise.resolve();
    const enqueue = (send: () => void): void => {
      const now = fault();
      const wait = now.kind === 'delay' ? setTimeout(now.ms) : undefined;
      previous = Promise.all([previous, wait]).then(() => to.writable && mayPass() && send());
    };
    from.on('data', (chunk: Buffer) => {
      if (!mayPass()) return;
      enqueue(() => {
        if (to.write(chunk)) return;
        from.pause();
        to.once('drain', () => from.resume());
      });
    });
    from.on('end', () => (mayPass() ? enqueue(() => to.end()) : faultChanged()));
    from.on('error', () => (mayPass() ? to.resetAndDestroy() : faultChanged()));
  };
  forward(client, server);
  forward(server, client);
  /** Resolves when both ends are closed. */
  const closed = Promise.all([client, server].map((end) => new Promise((resolve) => end.once('close', resolve))));
  return { closed, faultChanged, destroy, hasLostData: () => isSilent };
}

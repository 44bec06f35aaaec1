import type { Server } from 'node:net';
import { clientAddress } from './client-address.ts';

/**
 * Closes new connections of an IP address that has `max` open ones, so that one client cannot use all connections of the
 * service. Connections of trusted proxies are not counted, because they serve many clients.
 */
export function limitConnectionsPerAddress(server: Server, max: number, isTrusted: (address: string) => boolean): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrusted(remoteAddress)) return;
    const address = clientAddress({ ip: remoteAddress });
    const count = (open.get(address) ?? 0) + 1;
    if (count > max) return void socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const remaining = (open.get(address) ?? 0) - 1;
      if (remaining > 0) open.set(address, remaining);
      else open.delete(address);
    });
  });
}

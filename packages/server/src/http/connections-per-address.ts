import type { Server } from 'node:net';
import { clientAddress } from './client-address.ts';

/**
 * Closes connections of an IP address that already has `max` open ones, so that one caller cannot take all connections
 * of the service. A trusted proxy has those of many callers, so its connections are not counted.
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
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

import { connect, type NetConnectOpts } from 'node:net';

/** Whether a connection to a port, by default of 127.0.0.1, or to a socket in the file system is accepted. */
export const acceptsConnections = (to: NetConnectOpts): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', ...to });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

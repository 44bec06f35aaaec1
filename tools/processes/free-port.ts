import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that operating systems choose for connections, so that none takes the port before it is used. */
const [first, count] = [20_000, 10_000] as const;

/** A port of 127.0.0.1 that is free now, for programs whose port must be known before they listen. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = first + Math.floor(Math.random() * count);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
      probe.close();
      await once(probe, 'close');
      return port;
    } catch (error) {
      if (attempt === 50) throw error;
    }
  }
}

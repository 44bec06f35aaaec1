import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no outgoing connection takes the port before it is used. */
const [first, count] = [20_000, 10_000] as const;

/** A free port of 127.0.0.1, for programs whose port must be known before they listen. */
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
